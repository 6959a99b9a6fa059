from __future__ import annotations

import errno
import multiprocessing
import os
from collections.abc import Callable
from pathlib import Path
from queue import Queue
from threading import Thread

import pytest

from leeboard.app.plan import engine as engine_module
from leeboard.app.plan.engine import Engine, look_over
from leeboard.errors import ConfigError, EffectError, LeeboardError, StateError
from leeboard.io.git.place import find
from leeboard.model.plan import Clue, Plan
from leeboard.model.studio import GateCommand
from leeboard.model.truth import LogEntry
from leeboard.plan.disk.folder import PlanFolder, hold
from leeboard.plan.disk.read import SealedPlan
from leeboard.plan.disk.repository import Repository
from leeboard.plan.disk.truth.action_log import append
from leeboard.plan.disk.worktrees import make_worktree
from leeboard.plan.effect import Commit, EnsureBranch, MergeUnit, PlanStep, Refusal, RunGates, WriteIntent, WriteStage
from tests.git_repository import GitRepository
from tests.small_project import own_machine, small_project
from tests.trusting import in_trust

trusting = pytest.fixture(autouse=True)(in_trust)
machine = pytest.fixture(autouse=True)(own_machine)
repository = pytest.fixture(small_project)

NOW = "2026-01-01T10:00:00Z"


def clock() -> str:
    return NOW


def simple(plan: Plan, now: str) -> PlanStep:
    """A machine of four states: it goes through the phases of the first stage, and tells the tick."""
    stage = plan.stages[0]
    if plan.git.available and plan.git.branch != plan.git.hub:
        return PlanStep(do=(EnsureBranch(),))
    if stage.state.phase != "execute":
        phase = "execute" if stage.state.phase else "elaborate"
        fields = {"phase": phase, "status": "active", "visits": stage.state.visits + 1}
        return PlanStep(
            do=(
                WriteStage(stage=stage.spec.name, fields=fields),
                WriteIntent(fields={"started_at": now}),
                Commit(message=f"haiku(x): {phase}"),
            )
        )
    return PlanStep(clue=Clue(action="told", message="Go on.", payload={"tick": plan.tick}))


@pytest.fixture
def engine(repository: GitRepository) -> Engine:
    made = Engine(repository.root, clock, simple)
    made.create("Count words", "Do it.", "x", "small")
    return made


def everything(root: Path) -> dict[str, bytes]:
    found = ((path, path.read_bytes()) for path in (root / ".haiku").rglob("*") if path.is_file())
    return {str(path): data for path, data in found if "/locks/" not in str(path)}


def test_a_tick_works_until_there_is_a_clue(engine: Engine, repository: GitRepository) -> None:
    """SH-01, SH-02, SH-05: one action for each call, and a new engine goes on where the last one was."""
    assert engine.tick("x") == Clue(action="told", message="Go on.", payload={"tick": 1})
    assert Engine(repository.root, clock, simple).tick("x").payload == {"tick": 2}
    assert repository.run("log", "--format=%s").splitlines() == ["haiku(x): execute", "haiku(x): elaborate", "begin"]
    assert repository.run("status", "--porcelain") == ""
    plan = engine.look("x")
    assert (plan.stages[0].state.visits, plan.tick) == (2, 2)
    assert plan.last is not None
    assert (plan.last.name, plan.last.at) == ("told", NOW)


def test_where_the_intent_came_from_elsewhere_git_sees_nothing_of_this_machine(
    engine: Engine, repository: GitRepository, tmp_path: Path
) -> None:
    engine.tick("x")
    repository.run("clone", "-q", repository.root, str(tmp_path / "other"))
    other = GitRepository(str(tmp_path / "other"))
    assert Engine(other.root, clock, simple).tick("x").action
    assert other.run("status", "--porcelain") == ""


def test_the_machine_is_the_workflows_own(repository: GitRepository) -> None:
    engine = Engine(repository.root)
    engine.create("Count words", "Do it.", "x", "small")
    assert [engine.tick("x").action for _ in range(2)] == ["start_stage", "elaborate"]


def test_what_a_merge_left_out_is_said_once_with_the_next_step(engine: Engine, repository: GitRepository) -> None:
    engine.tick("x")
    unit = GitRepository(make_worktree(Repository(find(repository.root)), "x", "u"))
    unit.write(".haiku/settings.yml", "drift_detection: false\n")
    unit.write("new.py", "new = 1\n")
    unit.commit("both")
    steps = iter((PlanStep(do=(MergeUnit(unit="u", message="haiku(x): u"),)),))
    merging = Engine(repository.root, clock, lambda plan, now: next(steps, None) or simple(plan, now))
    (warning,) = merging.tick("x").payload["warnings"]
    assert warning.startswith("u was merged without its changes of .haiku/settings.yml: only a person changes that.")
    assert "warnings" not in merging.tick("x").payload
    assert ".haiku/settings.yml" in repository.run("log", "-1", "--format=%b")


def test_a_machine_that_never_settles_is_stopped(engine: Engine) -> None:
    endless = Engine(engine.root, clock, lambda _plan, _now: PlanStep())
    with pytest.raises(StateError, match="did not settle"):
        endless.tick("x")


def test_a_move_is_answered_with_what_is_next_or_a_refusal(engine: Engine) -> None:
    refusal = Refusal(code="no", message="No.")
    assert engine.move("x", lambda _plan, _now: refusal) == refusal
    answer = engine.move("x", lambda _plan, now: PlanStep(do=(WriteIntent(fields={"completed_at": now}),)))
    assert isinstance(answer, Clue)
    assert answer.action == "told"
    assert engine.look("x").intent.completed_at == NOW
    own = Clue(action="mine", message="m")
    assert engine.move("x", lambda _plan, _now: PlanStep(clue=own)) == own


def gated(command: str) -> Callable[[Plan, str], PlanStep]:
    asked = RunGates(stage="shape", commands=(GateCommand(name="g", command=command),))

    def decide(plan: Plan, _now: str) -> PlanStep:
        runs = plan.stages[0].gate_runs
        return PlanStep(clue=Clue(action="ran", message=str(runs[0].passed))) if runs else PlanStep(do=(asked,))

    return decide


def test_gates_run_without_the_lock(engine: Engine, repository: GitRepository) -> None:
    """SH-33: whoever asks meanwhile is not kept waiting."""
    lock = repository.path / ".haiku/locks/x.lock"
    command = f"flock --nonblock {lock} true"
    assert Engine(repository.root, clock, gated(command)).tick("x").message == "True"
    assert engine.move("x", gated(command)) == Clue(action="ran", message="True")


def test_gates_that_change_what_they_test(engine: Engine) -> None:
    with pytest.raises(StateError, match="change files that git keeps"):
        Engine(engine.root, clock, gated("echo x >> app.py")).tick("x")


def tick_often(root: str, times: int) -> None:
    for _ in range(times):
        Engine(root, clock, simple).tick("x")


def test_two_at_once_do_everything_once(engine: Engine, repository: GitRepository) -> None:
    """SH-05, SH-07: two processes take turns, and no tick is lost."""
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=tick_often, args=(repository.root, 4)) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]
    plan = engine.look("x")
    assert (plan.tick, plan.stages[0].state.visits) == (8, 2)
    assert len(repository.run("log", "--format=%s").splitlines()) == 3


def test_a_linked_work_tree_ticks_the_plan_of_the_primary_one(
    engine: Engine, repository: GitRepository, tmp_path: Path
) -> None:
    engine.tick("x")
    repository.run("worktree", "add", "-q", "-b", "haiku/x/unit-01-a", str(tmp_path / "unit"))
    linked = Engine(str(tmp_path / "unit"), clock, simple)
    assert linked.home == repository.root
    assert linked.resolve() == "x"
    assert linked.tick(linked.resolve()).payload == {"tick": 2}
    assert GitRepository(tmp_path / "unit").run("status", "--porcelain") == ""


def test_which_intent_is_meant(repository: GitRepository) -> None:
    engine = Engine(repository.root, clock, simple)
    with pytest.raises(ConfigError, match=r"No intent is active.*haiku_intent_create"):
        engine.resolve()
    engine.create("One", "", "one", "small")
    assert engine.resolve() == "one"
    engine.create("Two", "", "two", "small")
    with pytest.raises(ConfigError, match="Several intents are active here: one, two"):
        engine.resolve()
    with pytest.raises(ConfigError, match=r"no intent 'three' here.*one, two"):
        engine.resolve("three")
    engine.tick("two")
    assert engine.resolve() == "two", "of the branch"
    assert engine.resolve("one") == "one"
    engine.move("two", lambda _plan, _now: PlanStep(do=(WriteIntent(fields={"archived": True}),)))
    assert engine.slugs() == ("one",)
    assert engine.slugs(archived=True) == ("one", "two")


def test_an_intent_that_lives_on_its_branch_says_where(engine: Engine, repository: GitRepository) -> None:
    engine.tick("x")
    repository.run("switch", "-q", "main")
    for call in (engine.look, engine.tick):
        with pytest.raises(StateError, match="git switch haiku/x/main"):
            call("x")
    repository.run("switch", "-q", "haiku/x/main")
    assert engine.tick("x").payload == {"tick": 2}


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS])
@pytest.mark.parametrize("at", range(1, 12, 2))
def test_a_disk_that_refuses_leaves_a_plan_that_goes_on(
    engine: Engine, repository: GitRepository, monkeypatch: pytest.MonkeyPatch, code: int, at: int
) -> None:
    """The n-th write fails: said with path and next step; when there is room again the end is the same."""
    really, left = os.write, [at]

    def refuse(file: int, data: bytes) -> int:
        left[0] -= 1
        if not left[0]:
            raise OSError(code, os.strerror(code))
        return really(file, data)

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", refuse)
        with pytest.raises(EffectError, match=r"\.haiku/.*call again"):
            engine.tick("x")
    assert engine.look("x").sealed
    assert engine.tick("x").action == "told"
    assert repository.run("status", "--porcelain") == ""
    assert repository.run("log", "--format=%s").splitlines() == ["haiku(x): execute", "haiku(x): elaborate", "begin"]
    assert [name for name in PlanFolder(repository.root).names("tmp") if not name.endswith(".tmp")] == []


@pytest.mark.parametrize("trouble", ["merge", "detached", "link", "stage link"])
def test_trouble_is_said_and_nothing_is_written(
    engine: Engine, repository: GitRepository, tmp_path: Path, trouble: str
) -> None:
    plan = repository.path / ".haiku/intents/x"
    match trouble:
        case "merge":
            repository.write(".git/MERGE_HEAD", f"{repository.head}\n")
        case "detached":
            repository.run("switch", "-q", "--detach")
        case "link":
            plan.rename(tmp_path / "moved")
            plan.symlink_to(tmp_path / "moved")
        case _:
            (tmp_path / "moved").mkdir()
            (plan / "stages").mkdir()
            (plan / "stages/shape").symlink_to(tmp_path / "moved")
    before = everything(repository.path)
    with pytest.raises(LeeboardError, match=r"call again|in its place"):
        engine.tick("x")
    after = {path: data for path, data in everything(repository.path).items() if "intent-tick" not in path}
    assert after == before
    assert not (tmp_path / "moved/state.json").exists()


def test_an_ignored_plan_is_not_committed(repository: GitRepository) -> None:
    repository.write(".gitignore", ".haiku/intents/\n")
    repository.commit("ignore")
    engine = Engine(repository.root, clock, simple)
    engine.create("Count words", "Do it.", "x", "small")
    assert engine.tick("x").action == "told"
    assert repository.run("log", "-1", "--format=%s") == "ignore"
    assert engine.look("x").git.ignored


def test_a_plan_changed_by_hand_is_taken_when_a_person_says_so(engine: Engine, repository: GitRepository) -> None:
    engine.tick("x")
    state = repository.path / ".haiku/intents/x/stages/shape/state.json"
    state.write_text(state.read_text().replace("execute", "gate"))
    assert engine.look("x").tampered == ("stages/shape/state.json",)
    engine.reseal("x")
    assert engine.look("x").sealed


def test_a_look_needs_no_lock(engine: Engine, repository: GitRepository) -> None:
    engine.tick("x")
    with hold(PlanFolder(repository.root), "x"):
        assert engine.look("x").tick == 1


def test_a_tick_costs_the_same_however_many_there_were(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither more reading nor more git."""
    engine.tick("x")
    counts = {"read": 0, "git": 0}
    read, run = PlanFolder.read, Repository._run

    def counted_read(self: PlanFolder, path: str, *most: int) -> bytes | None:
        data = read(self, path, *most)
        counts["read"] += len(data or b"") + 1
        return data

    def counted_run(self: Repository, *args: object) -> object:
        counts["git"] += 1
        return run(self, *args)  # type: ignore[arg-type] # passed on as it came

    monkeypatch.setattr(PlanFolder, "read", counted_read)
    monkeypatch.setattr(Repository, "_run", counted_run)
    seen = []
    for _ in range(12):
        counts.update(read=0, git=0)
        engine.tick("x")
        seen.append((counts["read"], counts["git"]))
    assert seen[1][1] == seen[-1][1]
    assert abs(seen[1][0] - seen[-1][0]) < 64, "numbers get longer"


def answers(root: str, times: int, told: Queue[str]) -> None:
    for _ in range(times):
        told.put(Engine(root).tick("x").action)


def test_many_who_ask_at_once_are_no_loop(repository: GitRepository) -> None:
    """Each of them could not know what the others were told; who asks again and again is stopped all the same."""
    engine = Engine(repository.root)
    engine.create("Count words", "Do it.", "x", "small")
    while engine.tick("x").action != "elaborate":
        pass
    told: Queue[str] = Queue()
    asking = [Thread(target=answers, args=(repository.root, 1, told)) for _ in range(8)]
    with hold(PlanFolder(repository.root), "x"):
        for each in asking:
            each.start()
    for each in asking:
        each.join()
    assert {told.get() for _ in asking} == {"elaborate"}
    assert [engine.tick("x").action for _ in range(4)][-1] == "loop_halted"


def test_what_a_move_says_itself_is_no_repeat(repository: GitRepository) -> None:
    engine = Engine(repository.root)
    engine.create("Count words", "Do it.", "x", "small")
    while engine.tick("x").action != "elaborate":
        pass
    for _ in range(6):
        engine.move("x", lambda _plan, _now: PlanStep(clue=Clue(action="elaborate", message="Go on.")))
    assert engine.tick("x").action == "elaborate"


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each look asked for the tracked files."""
    seen: list[bool] = []

    def noted(folder: PlanFolder, slug: str, *, truth: bool, work: bool) -> SealedPlan:
        seen.append(truth)
        return look_over(folder, slug, truth=truth, work=work)

    monkeypatch.setattr(engine_module, "look_over", noted)
    return seen


def test_tracked_files_are_looked_at_before_any_work(repository: GitRepository, looks: list[bool]) -> None:
    """FD-03, FD-05: until there is nothing to say of them, also after a branch was switched, and then no more."""
    engine = Engine(repository.root, clock)
    engine.create("Count words", "Do it.", "x", "small")
    engine.tick("x")
    assert looks == [True] * len(looks)
    assert (repository.path / ".haiku/intents/x/stages/build/baseline.json").exists()
    looks.clear()
    engine.tick("x")
    assert looks == [True]
    looks.clear()
    engine._advance = simple
    engine.tick("x")
    assert looks[0]
    assert not any(looks[1:])


def test_they_are_looked_at_again_after_gates_ran(engine: Engine, looks: list[bool]) -> None:
    """Gates take their time, and somebody may write meanwhile."""
    engine.tick("x")
    looks.clear()
    Engine(engine.root, clock, gated("true")).tick("x")
    assert looks == [True, True]


def test_and_before_a_stage_or_the_intent_is_completed(repository: GitRepository, looks: list[bool]) -> None:
    engine = Engine(repository.root, clock)
    engine.create("Count words", "Do it.", "x", "small")
    while engine.tick("x").action != "elaborate":
        pass
    steps = [
        PlanStep(do=(WriteIntent(fields={"phase": "a"}),)),
        PlanStep(do=(WriteIntent(fields={"phase": "b"}),)),
        PlanStep(do=(WriteStage(stage="shape", fields={"status": "completed"}),)),
        PlanStep(clue=Clue(action="told", message="")),
    ]
    done = {"a": 1, "b": 2}

    def decide(plan: Plan, _now: str) -> PlanStep:
        return steps[3 if plan.stages[0].state.status == "completed" else done.get(plan.intent.phase, 0)]

    looks.clear()
    engine._advance = decide
    engine.tick("x")
    assert looks == [True, False, False, True, False]


def test_a_move_asks_for_them_where_it_says_so(engine: Engine, looks: list[bool]) -> None:
    engine.tick("x")
    looks.clear()
    plans: list[Plan] = []

    def change(plan: Plan, now: str) -> PlanStep:
        plans.append(plan)
        return PlanStep(clue=Clue(action="seen", message=now))

    assert engine.move("x", change, truth=True) == Clue(action="seen", message=NOW)
    engine.move("x", change)
    assert looks == [True, False]
    assert [plan.truth is None for plan in plans] == [False, True]


def test_ticks_only_go_forward(engine: Engine, repository: GitRepository) -> None:
    """A counter that was lost goes on from what the action log knows."""
    entry = LogEntry(
        entry_type="agent_write", path="a", sha="", author_class="agent", timestamp=NOW, tick_counter=41, entry_id="AGW"
    )
    append(PlanFolder(repository.root), "x", [entry])
    assert engine.tick("x").payload == {"tick": 42}
