from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from leeboard.model.plan import GitFacts
from leeboard.model.studio import StageSpec
from leeboard.model.unit import Feedback
from leeboard.plan.machine import entry
from leeboard.plan.machine.look import looking
from tests.plan.plan_world import NOW, PlanWorld, stage_spec, work_unit


def found(condition: Any, world: PlanWorld) -> Any:
    return condition(looking(world.look(), NOW))


@pytest.mark.parametrize(
    ("specs", "stage_gone", "reason"),
    [
        ((stage_spec(),), True, "no studio"),
        ((StageSpec(name="build"),), False, "names no hats"),
    ],
)
def test_a_studio_that_can_not_be_worked_with(specs: tuple[StageSpec, ...], reason: str, *, stage_gone: bool) -> None:
    world = PlanWorld(*specs)
    if stage_gone:
        world.studio = None
    assert reason in found(entry.studio_unusable, world).payload["reason"]


def test_an_intent_without_stages_is_never_complete() -> None:
    world = PlanWorld()
    world.specs.clear()
    clue = world.tick()
    assert clue is not None
    assert (clue.action, clue.payload["error"], clue.is_error) == ("error", "studio_unusable", True)


def test_the_choice_of_a_studio_is_told() -> None:
    world = PlanWorld()
    world.intent = replace(world.intent, studio="")
    assert found(entry.studio_unchosen, world).payload["available_studios"][0]["slug"] == "software"


def test_unreadable_files_are_named() -> None:
    """SH-09: the engine knows only what the files say, and says which ones say nothing."""
    world = PlanWorld()
    world.enter("execute")
    world.plan_units(work_unit(problem="line 3: a colon"))
    world.file(Feedback(id="FB-01", stage="build", file="01-x.md", problem="no YAML"))
    assert found(entry.pages_unreadable, world).payload["files"] == {
        "unit-01-part": "line 3: a colon",
        "01-x.md": "no YAML",
    }
    world.problems = ("intent.md: no YAML",)
    world.states["build"] = replace(world.states["build"], problem="state.json: not valid JSON")
    assert len(found(entry.files_unreadable, world).payload["problems"]) == 2


@pytest.mark.parametrize(
    ("git", "branch", "dirty", "blocked", "other"),
    [
        (True, "haiku/login/main", (), False, False),
        (True, "haiku/login/main", ("a.py",), False, False),
        (True, "main", (), False, True),
        (True, "", (), False, True),
        (True, "main", ("a.py",), True, True),
        (False, "", ("a.py",), False, False),
    ],
)
def test_the_branch_of_the_intent(
    branch: str, dirty: tuple[str, ...], *, git: bool, blocked: bool, other: bool
) -> None:
    world = PlanWorld(git=git)
    world.branch, world.dirty = branch, dirty
    assert (found(entry.branch_blocked, world) is not None) == blocked
    assert (found(entry.branch_other, world) is not None) == other


def test_a_stage_begins() -> None:
    world = PlanWorld(intent=replace(PlanWorld().intent, follows="earlier"))
    clue = world.tick()
    assert clue is not None
    assert clue.action == "start_stage"
    assert clue.payload["hats"] == ["planner", "builder", "reviewer"]
    assert clue.payload["follows"] == "earlier"
    state = world.states["build"]
    assert (state.status, state.phase, state.visits, state.started_at) == ("active", "elaborate", 1, NOW)
    assert (world.intent.active_stage, world.intent.started_at) == ("build", NOW)
    assert world.branch == "haiku/login/main"


def test_a_stale_stage_begins_a_new_visit() -> None:
    world = PlanWorld()
    world.enter("elaborate", status="pending", visits=1, stale_reason="design was revisited")
    clue = world.tick()
    assert clue is not None
    assert clue.payload["stale_reason"] == "design was revisited"
    assert (world.states["build"].visits, world.states["build"].status) == (2, "active")
    assert world.states["build"].iterations[-1].trigger == "external-changes"


def test_completion_says_which_gates_nobody_could_run() -> None:
    """SH-58"""
    world = PlanWorld()
    world.enter("gate", status="completed")
    clue = world.tick()
    assert clue is not None
    assert (clue.action, clue.payload["warnings"]) == ("intent_complete", [])
    assert world.intent.status == "completed"


@pytest.mark.parametrize(
    ("base", "git", "told"),
    [
        ("main", True, "haiku/login/main: `git switch main && git merge haiku/login/main` brings it to main."),
        ("", True, "haiku/login/main: merge it where it belongs."),
        ("", False, "login is completed. A person takes it up again"),
    ],
)
def test_completion_says_where_the_work_is(base: str, told: str, *, git: bool) -> None:
    world = PlanWorld(git=git)
    world.enter("gate", status="completed")
    world.plan_units(work_unit(status="completed"))
    world.intent = replace(world.intent, base=base)
    for action in ("intent_complete", "complete"):
        clue = world.tick()
        assert clue is not None
        assert clue.action == action
        assert clue.payload.get("branch") == ("haiku/login/main" if git else None)
    assert clue is not None
    assert told in clue.message
    assert clue.waits
    assert "again" not in clue.message.replace("takes it up again", "")


def test_what_somebody_is_in_the_middle_of_is_named() -> None:
    world = PlanWorld()
    world.enter("execute")
    world.branch, world.dirty, world.under_way = "", ("a.py",), "a rebase: end it with `git rebase --abort`"
    clue = world.tick()
    assert clue is not None
    assert (clue.action, clue.payload["error"]) == ("error", "git_busy")
    assert "git rebase --abort" in clue.message


def test_what_can_not_be_read_is_a_refusal_with_the_code_of_the_clue() -> None:
    world = PlanWorld()
    world.enter("execute")
    world.plan_units(work_unit())
    assert entry.unreadable(world.look()) is None
    world.plan_units(work_unit(2, problem="no YAML"))
    page = entry.unreadable(world.look())
    assert page is not None
    assert (page.code, "no YAML" in page.message) == ("page_unreadable", True)
    world.problems = ("intent.md: no YAML",)
    plan = entry.unreadable(world.look())
    assert plan is not None
    assert plan.code == "plan_unreadable"


@pytest.mark.parametrize(
    ("facts", "status", "words"),
    [
        ({"available": False, "branch": ""}, "active", ""),
        ({"branch": "main"}, "active", ""),
        ({"branch": "main", "under_way": "a merge: end it"}, "active", "in the middle of a merge: end it"),
        ({"branch": "", "under_way": "a rebase: end it"}, "active", "in the middle of a rebase: end it"),
        ({"branch": ""}, "active", "`git switch haiku/thing/main` goes to one"),
        ({"branch": ""}, "completed", ""),
    ],
)
def test_git_that_is_not_ready_is_told_with_the_next_step(facts: dict[str, Any], status: str, words: str) -> None:
    world = PlanWorld()
    world.enter("execute")
    plan = world.look()
    git = replace(GitFacts(available=True, hub="haiku/thing/main"), **facts)
    said = entry.git_unrest(replace(plan, git=git, intent=replace(plan.intent, status=status)))
    assert said.endswith(words)
    assert bool(said) == bool(words)
