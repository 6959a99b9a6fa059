"""What changed manifests mean for a contract: limits of what is named."""

from __future__ import annotations

from leeboard.contracts.manifest.drift import MOST
from leeboard.model.contract import Contract
from tests.tree_rules import found_between, held


def told(before: dict[str, str], after: dict[str, str]) -> list[tuple[str, str]]:
    findings = found_between("dependency_drift", held(Contract(objective="x")), before, after)
    return [(one.subject, one.severity) for one in findings]


def test_many_are_counted_from_some_on() -> None:
    names = [f"pkg{number}" for number in range(MOST + 2)]
    found = told({}, {"requirements.txt": "\n".join(names)})
    assert len(found) == MOST + 1
    assert ("requirements.txt:more packages", "warn") in found


def test_many_locked_ones_too() -> None:
    before = {"go.sum": "a/b v1 h1:0=\n"}
    after = {"go.sum": "".join(f"a/b{number} v1 h1:0=\n" for number in range(MOST + 9))}
    found = told(before, after)
    assert len(found) == MOST + 1
    assert ("go.sum:more packages", "warn") in found


def test_a_password_in_an_address_is_not_repeated() -> None:
    after = {
        "requirements.txt": "tool @ git+https://me:word@host/tool.git\ngit+https://me:word@host/x/other.git",
        "package.json": '{"dependencies": {"a": "git+https://me:word@host/a.git"}}',
        "Package.swift": '.package(url: "https://me:word@host/a/b", from: "1.0.0")',
    }
    findings = found_between("dependency_drift", held(Contract(objective="x")), {}, after)
    assert len(findings) == 4
    assert "word" not in repr(findings)
