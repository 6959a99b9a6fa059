from __future__ import annotations

from leeboard.app.views.next_step import next_step
from leeboard.plan.effect import RunGates
from tests.plan.plan_world import NOW, TEST_GATE, PlanWorld, stage_spec, work_unit


def test_what_is_only_noted_hides_no_action() -> None:
    """The user has spoken, which the next tick counts before anything else."""
    world = PlanWorld(stage_spec(elaboration="collaborative"))
    world.enter("elaborate")
    world.say()
    step = next_step(world.look(), NOW)
    assert step.clue is not None
    assert step.clue.action == "elaborate"
    assert world.states["build"].elaboration_turns == 0, "nothing was written"


def test_what_the_engine_does_itself_is_no_action() -> None:
    world = PlanWorld()
    world.plan_units(work_unit(status="completed", quality_gates=(TEST_GATE,)))
    world.enter("review")
    world.hold()
    step = next_step(world.look(), NOW)
    assert step.clue is None
    assert isinstance(step.do[0], RunGates)
