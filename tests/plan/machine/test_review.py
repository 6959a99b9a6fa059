from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from leeboard.model.plan import MOST_GATE_TRIES
from leeboard.model.studio import Reviewer
from leeboard.model.unit import Feedback, ReviewReport
from tests.plan.plan_world import NOW, TEST_GATE, PlanWorld, stage_spec, work_unit


def world_with(**spec: Any) -> PlanWorld:
    world = PlanWorld(stage_spec(**spec))
    world.intent = replace(world.intent, quality_gates=(TEST_GATE,))
    world.enter("review")
    world.plan_units(work_unit(status="completed"))
    return world


def told(world: PlanWorld) -> tuple[str, dict[str, Any]]:
    clue = world.tick()
    assert clue is not None
    return clue.action, clue.payload


def report(world: PlanWorld, agent: str = "correctness", visit: int = 1) -> None:
    world.reports["build"].append((visit, ReviewReport(agent=agent, verdict="pass")))


def test_no_review_while_a_gate_fails() -> None:
    """SH-33 SH-34: the gates run first, and really."""
    world = world_with()
    world.failing = {TEST_GATE.command}
    action, payload = told(world)
    assert (action, payload["failures"][0]["output"], payload["try"]) == ("fix_quality_gates", "1 failed", 1)
    world.failing = set()
    again = world.tick()
    assert again is not None
    assert again.action == "fix_quality_gates"
    assert "fix it in the primary work tree, on haiku/login/main, and commit it there" in again.message
    world.work()
    assert told(world)[0] == "review"


def test_a_try_is_a_state_of_the_tree() -> None:
    """Looking again adds none; after the last one a person is asked, and mending still helps."""
    world = world_with()
    world.failing = {TEST_GATE.command}
    seen = []
    for _ in range(MOST_GATE_TRIES):
        seen.append(told(world)[0])
        told(world)
        world.work()
    assert seen == ["fix_quality_gates"] * (MOST_GATE_TRIES - 1) + ["escalate"]
    assert told(world)[1]["reason"] == "quality_gate_limit"
    world.failing = set()
    world.work()
    assert told(world)[0] == "review"


def test_a_missing_program_is_said_and_stops_nothing() -> None:
    """SH-58"""
    world = world_with()
    world.absent = {TEST_GATE.command: "make"}
    action, payload = told(world)
    assert (action, payload["warnings"]) == ("review", ["Quality gate tests was not run: make is not installed."])
    report(world)
    assert told(world)[1]["warnings"]


def test_every_report_of_this_visit_comes_before_the_gate() -> None:
    """SH-35: calling again skips nothing."""
    world = world_with(reviewers=(Reviewer(name="correctness"), Reviewer(name="security", mandate="Break in.")))
    report(world, "security", visit=0)
    for _ in range(3):
        action, payload = told(world)
        assert action == "review"
        assert [agent["name"] for agent in payload["agents"]] == ["correctness", "security"]
    report(world)
    assert told(world)[1]["agents"] == [{"name": "security", "mandate": "Break in.", "model": ""}]
    assert world.states["build"].phase == "review"
    report(world, "security")
    assert told(world)[0] == "gate_review"
    assert (world.states["build"].phase, world.states["build"].gate_entered_at) == ("gate", NOW)


@pytest.mark.parametrize(("origin", "first"), [("adversarial-review", "review"), ("user-visual", "review_fix")])
def test_agents_review_before_their_findings_are_fixed(origin: str, first: str) -> None:
    """What a person asked for is mended before review agents look."""
    world = world_with()
    world.file(Feedback(id="FB-01", stage="build", title="Wrong", origin=origin, triaged_at=NOW))
    assert told(world)[0] == first


def test_a_fix_begins_with_its_first_hat() -> None:
    world = world_with()
    report(world)
    world.file(Feedback(id="FB-01", stage="build", title="Wrong", triaged_at=NOW))
    world.file(Feedback(id="FB-02", stage="build", title="Worse", triaged_at=NOW))
    action, payload = told(world)
    assert (action, payload["hat"], payload["total_pending"]) == ("review_fix", "fixer", 2)
    assert [item["feedback_id"] for item in payload["items"]] == ["FB-01"]
    kept = world.feedback["build"]["FB-01"]
    assert (kept.status, kept.bolt, kept.hat) == ("fixing", 1, "fixer")


def test_work_that_is_left_goes_back_to_execute() -> None:
    world = world_with()
    world.plan_units(work_unit(2))
    assert told(world)[0] == "start_unit"
    assert world.states["build"].phase == "execute"


def test_what_is_proven_is_committed() -> None:
    """A fix that is under way may lie open; before the gates run nothing may."""
    world = world_with(reviewers=())
    world.dirty = ("src/part1.py",)
    assert told(world)[0] == "commit_wip"
    world.file(Feedback(id="FB-01", stage="build", status="fixing", bolt=1, hat="fixer", triaged_at=NOW))
    assert told(world)[0] == "review_fix"
    world.feedback["build"].clear()
    assert told(world)[0] == "commit_wip"
    assert not world.gate_runs
    world.dirty = ()
    assert told(world)[0] == "gate_review"
    assert world.gate_runs
