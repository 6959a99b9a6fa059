"""What a gate left behind is nobody's work, and gets in nobody's way."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.model.studio import GateCommand
from leeboard.plan.disk.gates import run_gates
from leeboard.plan.disk.worktrees import git_folder
from tests.flow_desk import FlowDesk
from tests.git_repository import GitRepository
from tests.mcp_agent import UNIT

GATED = UNIT.replace("---\nWrite", "quality_gates: [{{name: run, command: {gate}}}]\n---\nWrite")
GATE = '"mkdir -p __pycache__ && date +%N > __pycache__/x.pyc && date +%N > run.log"'


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    return FlowDesk(tmp_path, monkeypatch)


def test_two_units_whose_gates_leave_the_same_files_do_not_meet(desk: FlowDesk) -> None:
    desk.through_shape()
    hat = desk.root / ".haiku/studios/small/stages/build/hats/checker.md"
    hat.write_text("---\nrun_quality_gates: true\n---\nCheck it.\n")
    desk.until("elaborate")
    for unit, output in (("unit-01-left", "left.txt"), ("unit-02-right", "right.txt")):
        content = GATED.format(title=unit, output=output, gate=GATE)
        assert not desk("unit_write", unit=unit, content=content).is_error
    desk.until("gate_review")
    desk.ok("review", "--approve")
    desk.until("start_units")
    for unit, output in (("unit-01-left", "left.txt"), ("unit-02-right", "right.txt")):
        desk.work(unit, output, hats=2)
    desk.until("review")
    kept = desk.repository.run("ls-tree", "-r", "--name-only", "haiku/thing/main").split()
    assert {"left.txt", "right.txt"} <= {*kept}
    assert not [name for name in kept if "pycache" in name or name == "run.log"]


def test_what_was_there_before_stays_and_nothing_is_lost(desk: FlowDesk) -> None:
    repository = desk.repository
    tree = repository.path.parent / "tree"
    repository.run("worktree", "add", "-q", "-b", "unit", str(tree))
    GitRepository(tree).write(".gitignore", "build/\n")
    (tree / "mine.txt").write_text("mine\n")
    command = "mkdir build cache; echo b > build/b; echo c > cache/c; echo more >> mine.txt"
    gate = GateCommand(name="run", command=command)
    (run,) = run_gates([gate], str(tree), "thing", git=True, unit="unit-01-left")
    assert run.passed, run.tail
    assert (tree / "mine.txt").read_text() == "mine\nmore\n"
    assert (tree / "build/b").exists(), "what git ignores is in nobody's way"
    assert not (tree / "cache").exists()
    (aside,) = Path(git_folder(str(tree))).rglob("cache/c")
    assert aside.read_text() == "c\n"
