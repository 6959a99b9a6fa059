from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.plan.hooks import Gated, gates_at_stop
from leeboard.model.studio import GateCommand
from leeboard.model.unit import Unit
from tests.git_repository import GitRepository

UNIT = Unit(id="unit-01-x", stage="build", status="active", hat="builder", bolt=1)


@pytest.fixture
def home(tmp_path: Path) -> GitRepository:
    tree = GitRepository(tmp_path / "repo")
    tree.write(".haiku/intents/login/intent.md", "---\ntitle: x\n---\n")
    tree.write("a.py", "x\n")
    tree.commit()
    return tree


def gated(home: GitRepository, *commands: str) -> Gated:
    gates = tuple(GateCommand(name=command[:5], command=command) for command in commands)
    return Gated(home=home.root, slug="login", unit=UNIT, place=home.root, commands=gates, git=True)


def test_all_are_run_and_kept(home: GitRepository) -> None:
    """SH-63."""
    runs = gates_at_stop(gated(home, "true", "echo oops; exit 2"))
    assert [(run.passed, run.code) for run in runs] == [(True, 0), (False, 2)]
    assert "oops" in runs[1].tail


def test_one_tree_is_judged_once(home: GitRepository, tmp_path: Path) -> None:
    count = tmp_path / "count"
    gates = gated(home, f"echo x >> {count}")
    for _ in range(3):
        gates_at_stop(gates)
    assert count.read_text() == "x\n"
    home.write("a.py", "y\n")
    gates_at_stop(gates)
    assert count.read_text() == "x\nx\n"


def test_what_takes_too_long_is_on_record_later(home: GitRepository, tmp_path: Path) -> None:
    """The hook goes, the gate ends: whoever asks next waits for it and runs nothing."""
    go, count = tmp_path / "go", tmp_path / "count"
    gates = gated(home, f"echo x >> {count}; while [ ! -e {go} ]; do sleep 0.02; done; exit 1")
    assert gates_at_stop(gates, seconds=0.3) == ()
    go.touch()
    (run,) = gates_at_stop(gates)
    assert run.code == 1
    assert count.read_text() == "x\n"


def test_a_missing_program_is_asked_for_again(
    home: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SH-58: it may be installed by now."""
    gates = gated(home, "late-checker")
    assert [run.missing for run in gates_at_stop(gates)] == ["late-checker"]
    program = tmp_path / "bin" / "late-checker"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    assert [run.passed for run in gates_at_stop(gates)] == [True]
