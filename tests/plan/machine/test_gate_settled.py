from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from leeboard.plan.machine import moves
from tests.plan.plan_world import NOW, TEST_GATE, PlanWorld, stage_spec, work_unit


def told(world: PlanWorld) -> tuple[str, dict[str, Any]]:
    clue = world.tick()
    assert clue is not None
    return clue.action, clue.payload


def building(*review: Any) -> PlanWorld:
    """As it comes out of elaborate."""
    world = PlanWorld(stage_spec(review=review or ("ask",)))
    world.enter("elaborate")
    world.plan_units(work_unit(1), work_unit(2, 1))
    if world.states["build"].phase == "elaborate" and review != ("auto",):
        told(world)
        world.do(moves.decide(world.look(), "approved", "ann", NOW))
    assert told(world)[0] == "intent_approved"
    assert told(world)[0] == "start_unit"
    return world


def gate(world: PlanWorld, number: int = 2) -> None:
    unit = world.units["build"][f"unit-{number:02}-part"]
    world.plan_units(replace(unit, quality_gates=(TEST_GATE,)))


def test_a_changed_plan_waits_for_the_person_and_goes_on_when_it_is_put_back() -> None:
    world = building()
    before = world.units["build"]["unit-02-part"]
    gate(world)
    for _ in range(6):
        action, payload = told(world)
        assert (action, payload["gate_context"], payload["changed"]) == (
            *("gate_review", "changed_plan"),
            ["unit-02-part"],
        )
    world.plan_units(before)
    assert told(world)[0] == "start_unit"


def test_what_was_approved_again_is_held_to_from_then_on() -> None:
    world = building()
    gate(world)
    world.do(moves.decide(world.look(), "approved", "ann", NOW))
    gate(world, 1)
    assert told(world)[1]["changed"] == ["unit-01-part", "unit-02-part"], "another plan than the one that was approved"
    world.do(moves.decide(world.look(), "approved", "ann", NOW))
    assert told(world)[0] == "start_unit"
    assert world.states["build"].visits == 1, "nothing begins anew"


def test_where_nobody_is_asked_it_is_told_once() -> None:
    world = building("auto")
    gate(world)
    action, payload = told(world)
    assert (action, payload["changed"], len(payload["warnings"])) == ("plan_changed", ["unit-02-part"], 1)
    assert told(world)[0] == "start_unit"


def test_a_stage_that_was_begun_before_is_taken_as_it_is() -> None:
    world = PlanWorld()
    world.enter("execute")
    world.intent = replace(world.intent, guards=())
    world.plan_units(work_unit(1))
    assert told(world)[0] == "start_unit"
    assert (world.intent.guards, bool(world.states["build"].approved.stage)) == (("build=ask",), True)
