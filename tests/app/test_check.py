"""A work tree checked in-process: what reaches the rules, and what is never green by failure."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from leeboard.app.check import Checked, CheckOptions, check_tree, observe
from leeboard.app.work_contract import WorkContract
from leeboard.contracts.disk.acceptance import known_runs
from leeboard.errors import LeeboardError
from leeboard.model.contract import Contract, Held
from tests.git_repository import GitRepository


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepository:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path / "config"))
    repository = GitRepository(tmp_path / "repo")
    repository.write("src/a.py", "a = 1\n")
    repository.run("add", "-A")
    repository.commit()
    return repository


def work_contract(git: GitRepository, contract: Contract) -> WorkContract:
    return WorkContract(root=git.root, held=Held(root=git.root, contract=replace(contract, source="settings")))


def check(git: GitRepository, contract: Contract, look: CheckOptions | None = None) -> Checked:
    return check_tree(work_contract(git, contract), {}, look)


def kinds(checked: Checked) -> list[str]:
    return [one.kind for one in checked.report.findings]


def test_a_rule_that_is_switched_off_is_not_asked(git: GitRepository) -> None:
    git.write("docs/a.md", "x\n")
    assert kinds(check(git, Contract(touch=("src/**",)))) == ["scope_drift"]
    git.write("leeboard.toml", "[rules.file_scope]\nenabled = false\n")
    assert kinds(check(git, Contract(touch=("src/**",)))) == ["scope_drift", "contract_changed"], (
        "not by the work itself"
    )
    git.run("add", "leeboard.toml")
    git.commit()
    assert kinds(check(git, Contract(touch=("src/**",)))) == []


def test_asking_leaves_no_trace(git: GitRepository, tmp_path: Path) -> None:
    """Where nothing was recorded, a look makes no database."""
    check(git, Contract(touch=("src/**",)))
    assert not (tmp_path / "state" / "leeboard.db").exists()


def test_acceptance_that_changes_the_tree_passes_for_none(git: GitRepository) -> None:
    contract = Contract(acceptance=("echo x >> src/a.py",))
    checked = check(git, contract, CheckOptions(run_acceptance=True))
    assert [(one.kind, one.severity) for one in checked.report.findings] == [("acceptance_unmet", "info")]
    assert any("changed the tree" in note for note in checked.event.change.notes)
    folder = work_contract(git, contract).folder
    assert known_runs(folder.acceptance, contract.acceptance, checked.event.change.digest) == ()


def test_a_failure_is_told_though_the_tree_moved_under_it(git: GitRepository) -> None:
    checked = check(git, Contract(acceptance=("echo x >> src/a.py; exit 3",)), CheckOptions(run_acceptance=True))
    assert checked.report.score == "red"


def test_no_repository_raises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    with pytest.raises(LeeboardError):
        check_tree(WorkContract(root=str(tmp_path)), {})


def test_an_observation_belongs_to_no_session(git: GitRepository) -> None:
    git.write("src/b.py", "b = 1\n")
    seen = observe(work_contract(git, Contract()), CheckOptions())
    assert (seen.session, seen.change.paths) == ("check", ("src/b.py",))


def test_a_package_that_came_in_is_seen_against_the_base(git: GitRepository) -> None:
    git.write("pyproject.toml", '[project]\nname = "x"\ndependencies = ["a"]\n')
    git.run("add", "-A")
    base = git.commit()
    git.write("pyproject.toml", '[project]\nname = "x"\ndependencies = ["a", "left-pad"]\n')
    git.run("add", "-A")
    git.commit()
    checked = check(git, Contract(base=base))
    assert kinds(checked) == ["dependency_drift"]
    assert "left-pad" in checked.report.findings[0].summary
