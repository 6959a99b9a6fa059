from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from leeboard.app.plan.engine import Engine
from leeboard.errors import EffectError, StateError
from leeboard.model.plan import Plan
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.perform import Due, Performance, note_step, noted_step, recover
from leeboard.plan.disk.read import look_at
from leeboard.plan.effect import (
    Commit,
    Effect,
    EnsureBranch,
    MakeWorktree,
    MergeUnit,
    RemoveWorktree,
    RunGates,
    WriteIntent,
    WriteStage,
)
from tests.git_repository import GitRepository

NOW = "2026-01-01T10:00:00Z"
BEGIN: tuple[Effect, ...] = (
    EnsureBranch(),
    WriteStage(stage="shape", fields={"status": "active", "phase": "elaborate"}),
    WriteIntent(fields={"active_stage": "shape"}),
    Commit(message="haiku(x): begin"),
)
GATES = RunGates(stage="shape", commands=())


@pytest.fixture
def folder(repository: GitRepository) -> PlanFolder:
    Engine(repository.root).create("Count words", "Do it.", "x", "small")
    return PlanFolder(repository.root)


def perform(folder: PlanFolder, *effects: Effect) -> RunGates | None:
    return Performance(folder, look_at(folder, "x"), -1).perform(effects, NOW)


def plan(folder: PlanFolder) -> Plan:
    return look_at(folder, "x").plan


def test_effects_are_done_in_their_order(repository: GitRepository, folder: PlanFolder) -> None:
    assert perform(folder, *BEGIN) is None
    assert perform(folder, MakeWorktree(unit="u")) is None
    GitRepository(repository.path / ".haiku/worktrees/x/u").write("new.py", "new = 1\n")
    perform(folder, MergeUnit(unit="u", message="haiku(x): do u"), RemoveWorktree(unit="u"))
    assert repository.run("log", "--format=%s", "--first-parent").splitlines()[:2] == [
        "haiku(x): do u",
        "haiku(x): begin",
    ]
    assert repository.run("status", "--porcelain") == ""
    assert plan(folder).intent.active_stage == "shape"
    assert noted_step(folder, "x") is None


def test_gates_are_given_back_and_end_it(folder: PlanFolder) -> None:
    effects = (WriteIntent(fields={"active_stage": "shape"}), GATES, WriteIntent(fields={"active_stage": "build"}))
    assert perform(folder, *effects) == GATES
    assert plan(folder).intent.active_stage == "shape"


def test_without_git_only_files_are_written(tmp_path: Path) -> None:
    Engine(str(tmp_path)).create("Count words", "Do it.", "x", "software")
    folder = PlanFolder(str(tmp_path))
    stage = plan(folder).stages[0].spec.name
    begin = WriteStage(stage=stage, fields={"phase": "elaborate"})
    perform(folder, EnsureBranch(), begin, Commit(message="m"), MakeWorktree(unit="u"))
    perform(folder, MergeUnit(unit="u", message="m"), RemoveWorktree(unit="u"))
    assert plan(folder).stages[0].state.phase == "elaborate"
    assert noted_step(folder, "x") is None


def merging(repository: GitRepository) -> None:
    repository.write(".git/MERGE_HEAD", f"{repository.head}\n")


def rebasing(repository: GitRepository) -> None:
    (repository.path / ".git/rebase-merge").mkdir()


def detached(repository: GitRepository) -> None:
    repository.run("switch", "-q", "--detach")


def away(repository: GitRepository) -> None:
    repository.run("branch", "haiku/x/main")


def nameless(repository: GitRepository) -> None:
    repository.run("config", "user.useConfigOnly", "true")
    repository.run("switch", "-q", "-c", "haiku/x/main")


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        (merging, "git merge --abort"),
        (rebasing, "git rebase --abort"),
        (detached, "git switch -c"),
        (away, "git switch haiku/x/main"),
        (nameless, r"git config user\.name"),
    ],
)
def test_what_can_be_known_is_said_before_the_first_write(
    repository: GitRepository,
    folder: PlanFolder,
    monkeypatch: pytest.MonkeyPatch,
    trouble: Callable[[GitRepository], None],
    said: str,
) -> None:
    trouble(repository)
    if trouble is nameless:
        for who in ("AUTHOR", "COMMITTER"):
            monkeypatch.delenv(f"GIT_{who}_NAME")
            monkeypatch.delenv(f"GIT_{who}_EMAIL")
    before = {path: path.read_bytes() for path in (repository.path / ".haiku").rglob("*") if path.is_file()}
    with pytest.raises((StateError, EffectError), match=said):
        perform(folder, *BEGIN[1:])
    assert {path: path.read_bytes() for path in (repository.path / ".haiku").rglob("*") if path.is_file()} == before


def test_nothing_is_done_to_a_plan_that_was_changed_by_hand(repository: GitRepository, folder: PlanFolder) -> None:
    perform(folder, *BEGIN)
    repository.write(".haiku/intents/x/stages/shape/state.json", '{"status": "completed"}')
    with pytest.raises(StateError, match=r"changed by hand.*flow repair"):
        perform(folder, WriteIntent(fields={"active_stage": "build"}))


def test_a_step_that_was_begun_is_done_to_its_end(repository: GitRepository, folder: PlanFolder) -> None:
    """SH-06: with its commit, and nothing twice."""
    perform(folder, EnsureBranch())
    writes = (BEGIN[1], BEGIN[2])
    assert isinstance(writes[0], WriteStage)
    assert isinstance(writes[1], WriteIntent)
    step = note_step(folder, "x", Due(now=NOW, effects=(writes[0], writes[1]), message="haiku(x): begin"))
    look_at(folder, "x").seal.expect((), step)
    for _ in range(2):
        recover(folder, "x", -1)
        assert repository.run("log", "--format=%s").splitlines() == ["haiku(x): begin", "begin"]
        assert plan(folder).intent.active_stage == "shape"
        assert noted_step(folder, "x") is None


def test_a_step_that_was_not_begun_or_is_long_done_is_not_done_again(
    repository: GitRepository, folder: PlanFolder
) -> None:
    """SH-56: a note that somebody kept and put there again is as good as none."""
    perform(folder, *BEGIN)
    step = note_step(folder, "x", Due(now=NOW, effects=(WriteIntent(fields={"active_stage": "build"}),), message="m"))
    noted = folder.read("tmp/x.step") or b""
    recover(folder, "x", -1)
    assert plan(folder).intent.active_stage == "shape"
    folder.write("tmp/x.step", noted)
    look_at(folder, "x").seal.expect((), step)
    recover(folder, "x", -1)
    assert plan(folder).intent.active_stage == "build"
    perform(folder, WriteIntent(fields={"active_stage": "shape"}))
    folder.write("tmp/x.step", noted)
    recover(folder, "x", -1)
    assert (plan(folder).intent.active_stage, noted_step(folder, "x")) == ("shape", None)
    assert repository.run("status", "--porcelain", "--", ".haiku/studios") == ""


def test_a_step_waits_while_the_plan_is_not_to_be_believed(repository: GitRepository, folder: PlanFolder) -> None:
    perform(folder, *BEGIN)
    note_step(folder, "x", Due(now=NOW, effects=(WriteIntent(fields={"active_stage": "build"}),)))
    text = (repository.path / ".haiku/intents/x/intent.md").read_text()
    repository.write(".haiku/intents/x/intent.md", text.replace("status: active", "status: completed"))
    recover(folder, "x", -1)
    assert noted_step(folder, "x") is not None
    assert plan(folder).intent.active_stage == "shape"


def test_a_second_intent_begins_where_the_first_did(repository: GitRepository, folder: PlanFolder) -> None:
    """It has a work tree of its own: the first keeps the checkout, and what it wrote there."""
    perform(folder, *BEGIN)
    perform(folder, WriteIntent(fields={"active_stage": "build"}))
    engine = Engine(repository.root)
    engine.create("Second", "Do it.", "y", "small")
    assert engine.tick("y").action == "start_stage"
    beside = repository.path / ".haiku/worktrees/y/main"
    log = repository.run("-C", str(beside), "log", "--format=%s").splitlines()
    assert log == ["haiku(y): begin stage shape", "begin"]
    assert not (beside / ".haiku/intents/x/intent.md").exists()
    assert repository.run("branch", "--show-current").strip() == "haiku/x/main"
    assert plan(folder).intent.active_stage == "build"
    assert plan(folder).sealed


def test_what_a_killed_engine_left_is_taken_away(repository: GitRepository, folder: PlanFolder) -> None:
    """A file that never became whole, and the folder of trees that are gone; never one that has something in it."""
    left = [repository.write(".haiku/tmp/x.tmp", "half"), repository.path / ".haiku/worktrees/x"]
    left[1].mkdir(parents=True)
    others = repository.write(".haiku/tmp/y.tmp", "half of somebody else's")
    recover(folder, "x", -1)
    assert [path.exists() for path in left] == [False, False]
    mine = repository.write(".haiku/worktrees/x/u/mine.txt", "mine")
    recover(folder, "x", -1)
    assert mine.exists()
    assert others.exists()
