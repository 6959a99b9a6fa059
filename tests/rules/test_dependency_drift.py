"""A package the contract does not speak of: the edges."""

from __future__ import annotations

import pytest

from leeboard.model.contract import Contract, Mode
from leeboard.model.touch import FileChange, TreeChange
from leeboard.model.verdict import Finding
from leeboard.testing.scenario import compared
from tests.tree_rules import ROOT, found, found_between, held, tree_event

REACT = '{\n  "dependencies": {\n    "react": "^18.0.0"\n  }\n}\n'
MOMENT = REACT.replace('"react"', '"moment": "^2.30.0",\n    "react"')
LOCK = '{"lockfileVersion": 3, "packages": {"node_modules/react": {"version": "18.0.0"}}}'
LOCKED = LOCK.replace(
    '"node_modules/react"', '"node_modules/moment": {}, "node_modules/deep": {}, "node_modules/react"'
)


def drift(
    before: dict[str, str], after: dict[str, str], contract: Contract | None = None, mode: Mode = "core"
) -> list[Finding]:
    return found_between(
        "dependency_drift", held(contract or Contract(objective="format dates", mode=mode)), before, after
    )


def brief(findings: list[Finding]) -> dict[str, str]:
    return {one.subject: one.severity for one in findings}


def test_names_the_package_and_its_line() -> None:
    """SP-01."""
    (finding,) = drift({"web/package.json": REACT}, {"web/package.json": MOMENT})
    assert (finding.subject, finding.path, finding.line) == ("web/package.json:npm:moment", "web/package.json", 3)
    assert finding.message == "web/package.json:3 adds the npm package moment (^2.30.0)."
    assert finding.remedy


@pytest.mark.parametrize(
    ("mode", "severity"), [("core", "warn"), ("perf", "warn"), ("harden", "info"), ("explore", "info")]
)
def test_modes(mode: Mode, severity: str) -> None:
    assert brief(drift({"package.json": REACT}, {"package.json": MOMENT}, mode=mode)) == {
        "package.json:npm:moment": severity
    }


def test_without_a_contract_nothing_is_judged() -> None:
    assert not found_between("dependency_drift", None, {"package.json": REACT}, {"package.json": MOMENT})


@pytest.mark.parametrize(
    "contract",
    [
        Contract(objective="Format dates with moment"),
        Contract(objective="x", acceptance=("npm ls moment",)),
        Contract(objective="Add the dependencies the new page needs"),
    ],
)
def test_what_the_contract_speaks_of_is_told(contract: Contract) -> None:
    found_ones = drift({"package.json": REACT}, {"package.json": MOMENT}, contract)
    assert brief(found_ones) == {"package.json:npm:moment": "info"}


def test_what_comes_along_is_told_at_once() -> None:
    before = {"package.json": REACT, "package-lock.json": LOCK}
    assert brief(drift(before, {"package.json": MOMENT, "package-lock.json": LOCKED})) == {
        "package.json:npm:moment": "warn",
        "package-lock.json:locked packages": "info",
    }


def test_a_lock_file_above_goes_with_the_manifests_below() -> None:
    before = {"apps/web/package.json": REACT, "package-lock.json": LOCK, "other/package-lock.json": LOCK}
    after = {"apps/web/package.json": MOMENT, "package-lock.json": LOCKED, "other/package-lock.json": LOCKED}
    assert brief(drift(before, after)) == {
        "apps/web/package.json:npm:moment": "warn",
        "package-lock.json:locked packages": "info",
        "other/package-lock.json:npm:moment": "warn",
        "other/package-lock.json:npm:deep": "warn",
    }


def test_a_lock_file_alone_is_drift() -> None:
    before = {"package.json": REACT, "package-lock.json": LOCK}
    assert brief(drift(before, {"package.json": REACT, "package-lock.json": LOCKED})) == {
        "package-lock.json:npm:moment": "warn",
        "package-lock.json:npm:deep": "warn",
    }


def test_a_first_lock_file_adds_nothing() -> None:
    before = {"package.json": REACT}
    assert brief(drift(before, {"package.json": REACT, "package-lock.json": LOCKED})) == {
        "package-lock.json:locked packages": "info"
    }


def test_a_lock_that_catches_up_with_its_manifest_is_silent() -> None:
    before = {"package.json": MOMENT, "package-lock.json": LOCK}
    after = {**before, "package-lock.json": LOCKED.replace('"node_modules/deep": {}, ', "")}
    assert not drift(before, after)


def test_what_was_elsewhere_before_is_told() -> None:
    moved = drift(
        {"a/package.json": MOMENT, "b/package.json": REACT}, {"a/package.json": REACT, "b/package.json": MOMENT}
    )
    assert brief(moved) == {"a/package.json:removed packages": "info", "b/package.json:npm:moment": "info"}
    below = drift({"package.json": MOMENT}, {"package.json": MOMENT, "apps/new/package.json": REACT})
    assert brief(below) == {"apps/new/package.json:npm:react": "info"}


def test_between_groups_of_one_file_is_no_addition() -> None:
    after = MOMENT.replace('"dependencies"', '"devDependencies"')
    assert not drift({"package.json": MOMENT}, {"package.json": after})


def test_versions_and_removals_are_told() -> None:
    after = MOMENT.replace("^18.0.0", "^19.0.0").replace('"moment": "^2.30.0",\n', "")
    findings = drift({"package.json": MOMENT}, {"package.json": after})
    assert {one.message for one in findings} == {
        "package.json no longer declares moment.",
        "package.json asks for another version of react (^18.0.0 -> ^19.0.0).",
    }
    assert not any(one.delta for one in findings)


def test_what_can_not_be_read_is_said() -> None:
    (finding,) = drift({"package.json": REACT}, {"package.json": "{"})
    assert finding.message == "package.json was changed and not analysed for packages: it is not valid JSON."
    assert finding.severity == "info"
    binary = TreeChange(root=ROOT, files=(FileChange(path="bun.lockb", kind="modified", binary=True),))
    assert len(found("dependency_drift", held(Contract(objective="x")), tree_event(binary), {}, {})) == 1


def test_other_peoples_manifests_and_material_for_tests() -> None:
    assert not drift({}, {"node_modules/a/package.json": MOMENT, "vendor/x/go.sum": "a/b v1 h1:0="})
    assert set(brief(drift({}, {"tests/fixtures/app/package.json": REACT})).values()) == {"info"}


def test_whose_file_it_is() -> None:
    before, after = {"a/package.json": REACT, "package.json": REACT}, {"a/package.json": MOMENT, "package.json": MOMENT}
    event = tree_event(compared(before, after), shared=("a/package.json",), directed=("package.json",))
    findings = found("dependency_drift", held(Contract(objective="x")), event, before, after)
    assert {one.severity for one in findings} == {"info"}
    assert "user-directed" in findings[1].message


def test_a_deleted_manifest_only_loses() -> None:
    assert brief(drift({"requirements.txt": "a\nb"}, {})) == {"requirements.txt:removed packages": "info"}


@pytest.mark.parametrize(
    ("path", "text", "message"),
    [
        ("Dockerfile", "FROM redis:7", "Dockerfile:1 adds the image redis (7)."),
        ("action.yml", "runs:\n  steps:\n  - uses: a/b@v1", "action.yml:3 adds the action a/b (v1)."),
        ("Gemfile", "gem 'rails'", "Gemfile:1 adds the gem package rails."),
    ],
)
def test_things_are_called_by_their_names(path: str, text: str, message: str) -> None:
    assert [one.message for one in drift({}, {path: text})] == [message]


def test_a_reference_to_a_central_version_is_told() -> None:
    central = '<Project><PackageVersion Include="Polly" Version="8" /></Project>'
    project = '<Project><PackageReference Include="polly" /></Project>'
    found_ones = drift(
        {"Directory.Packages.props": central}, {"Directory.Packages.props": central, "a/A.csproj": project}
    )
    assert brief(found_ones) == {"a/A.csproj:nuget:polly": "info"}
