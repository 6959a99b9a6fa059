from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from leeboard.model.plan import Iteration
from leeboard.model.unit import Feedback
from leeboard.plan.machine import findings
from leeboard.plan.machine.look import looking
from tests.plan.plan_world import NOW, PlanWorld, stage_spec, work_unit


def item(**changes: Any) -> Feedback:
    return Feedback(**{"id": "FB-01", "stage": "build", "title": "Wrong", "triaged_at": NOW, **changes})


def world_with(*items: Feedback, phase: str = "execute") -> PlanWorld:
    world = PlanWorld(stage_spec("design", fix_hats=()), stage_spec())
    world.enter("gate", "design", status="completed")
    world.enter(phase)
    world.plan_units(work_unit(status="active", hat="planner", bolt=1))
    world.worktrees["unit-01-part"] = "/trees/1"
    for each in items:
        world.file(each)
    return world


def test_a_persons_item_waits_for_triage() -> None:
    """Wherever it was filed, up to the active stage."""
    world = world_with(item(stage="", origin="user-chat", triaged_at=""), item(stage="design", triaged_at=""))
    clue = world.tick()
    assert clue is not None
    assert clue.action == "feedback_triage"
    assert [each["stage"] for each in clue.payload["items"]] == ["", "design"]
    assert clue.payload["valid_stages"] == ["design", "build"]


@pytest.mark.parametrize("stage", ["design", "build"])
def test_a_revisit_goes_to_the_stage_of_the_finding(stage: str) -> None:
    world = world_with(item(stage=stage, resolution="stage_revisit"))
    clue = world.tick()
    assert clue is not None
    assert (clue.action, clue.payload["target_stage"]) == ("revisited", stage)
    assert (world.active(), world.states[stage].phase, world.states[stage].visits) == (stage, "elaborate", 2)
    assert world.feedback[stage]["FB-01"].status == "fixing"
    assert world.units["build"]["unit-01-part"].status == "active"


@pytest.mark.parametrize(("origin", "action"), [("agent", "escalate"), ("user-revisit", "revisited")])
def test_agents_may_not_send_a_stage_back_for_ever(origin: str, action: str) -> None:
    """SH-43: a cap is one of the few other places where a person is asked."""
    world = world_with(item(resolution="stage_revisit", origin=origin))
    visits = tuple(Iteration(index=at, trigger="feedback") for at in (1, 2))
    world.states["build"] = replace(world.states["build"], iterations=visits)
    clue = world.tick()
    assert clue is not None
    assert clue.action == action
    assert clue.waits == (action == "escalate")


@pytest.mark.parametrize(
    ("changes", "inline", "revisit"),
    [
        ({}, True, False),
        ({"resolution": "inline_fix"}, True, False),
        ({"resolution": "stage_revisit"}, False, True),
        ({"resolution": "question"}, False, False),
        ({"status": "addressed"}, False, False),
        ({"status": "closed", "resolution": "stage_revisit"}, False, False),
    ],
)
def test_the_way_an_item_goes(changes: dict[str, Any], *, inline: bool, revisit: bool) -> None:
    assert findings.is_inline(item(**changes)) == inline
    assert findings.is_revisit(item(**changes)) == revisit


def test_hats_of_a_fix() -> None:
    """Those of its own stage; where it has none, of the active one."""
    world = world_with()
    look = looking(world.look(), NOW)
    assert [hat.name for hat in findings.fix_hats(look, item(stage="design"))] == ["fixer", "feedback-assessor"]
    assert findings.claim(item()) == "FB-01"
    assert findings.claim(item(stage="")) == "intent/FB-01"


def test_a_question_is_to_be_answered_in_any_phase() -> None:
    clue = world_with(item(resolution="question"), phase="elaborate").tick()
    assert clue is not None
    assert (clue.action, clue.payload["counts"]["questions"]) == ("feedback_dispatch", 1)


def test_a_finding_after_the_last_stage_reopens_it() -> None:
    """An open item is never left behind by completion."""
    world = world_with(item())
    world.plan_units(work_unit(status="completed"))
    world.worktrees.clear()
    world.enter("gate", status="completed")
    clue = world.tick()
    assert clue is not None
    assert clue.action == "review"
    assert (world.states["build"].status, world.states["build"].visits) == ("active", 2)
