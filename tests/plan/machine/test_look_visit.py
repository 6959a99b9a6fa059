from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from leeboard.model.plan import MOST_BOLTS, MOST_FIX_BOLTS, Iteration
from leeboard.model.unit import Feedback
from leeboard.plan.machine import moves
from leeboard.plan.machine.look import agent_revisits, begun, is_under_way, revisit_effects
from tests.plan.plan_world import NOW, PlanWorld, stage_spec, work_unit

ITEM = Feedback(id="FB-01", stage="design", title="Wrong", resolution="stage_revisit", triaged_at=NOW)


def world_at_the_end() -> PlanWorld:
    world = PlanWorld(stage_spec("design"), stage_spec("build"), stage_spec("ship"), stage_spec("rest"))
    world.enter("gate", "design", status="completed", iterations=(Iteration(index=1, started_at="then"),))
    world.enter("gate", "build", status="completed")
    world.enter("review", "ship")
    world.plan_units(work_unit(1, stage="design", status="completed"), work_unit(2, stage="ship", status="active"))
    world.file(ITEM)
    return world


def test_a_revisit_keeps_units_and_makes_later_stages_stale() -> None:
    world = world_at_the_end()
    units = {name: dict(each) for name, each in world.units.items()}
    world.perform(revisit_effects(world.look(), world.view("design"), (ITEM,), NOW))
    assert world.units == units
    design, build, ship, rest = world.states.values()
    assert (design.status, design.phase, design.visits) == ("active", "elaborate", 2)
    assert [visit.result for visit in design.iterations] == ["feedback", ""]
    assert design.iterations[1].reason == "design/FB-01: Wrong"
    for later in (build, ship):
        assert (later.status, later.phase) == ("pending", "elaborate")
        assert "design was revisited" in later.stale_reason
    assert (rest.status, rest.stale_reason) == ("pending", "")
    assert world.feedback["design"]["FB-01"].status == "fixing"


@pytest.mark.parametrize("dies", range(7))
def test_death_on_the_way_back_loses_nothing(dies: int) -> None:
    """SH-06: the finding stays pending until all is done, and a second try adds no second visit."""
    whole, killed = world_at_the_end(), world_at_the_end()
    whole.perform(revisit_effects(whole.look(), whole.view("design"), (ITEM,), NOW))
    killed.perform(revisit_effects(killed.look(), killed.view("design"), (ITEM,), NOW), dies)
    if killed.feedback["design"]["FB-01"].status == "pending":
        killed.perform(revisit_effects(killed.look(), killed.view("design"), (ITEM,), NOW))
    assert killed.states == whole.states
    assert killed.feedback == whole.feedback


def test_a_visit_begins_without_what_the_last_one_had() -> None:
    world = world_at_the_end()
    fields = begun(world.states["design"], Iteration(index=2, started_at=NOW, trigger="user-revisit"))
    cleared = ("completed_at", "gate_entered_at", "gate_outcome", "external_review_url", "gate_tries", "gate_tree")
    assert not any(fields[name] for name in cleared)
    assert fields["iterations"][0]["completed_at"] == NOW


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"phase": "elaborate", "iterations": (Iteration(index=1, reason="design/FB-01: Wrong"),)}, True),
        ({"phase": "review", "iterations": (Iteration(index=1, reason="design/FB-01: Wrong"),)}, False),
        ({"phase": "elaborate", "iterations": (Iteration(index=1, reason="design/FB-010: Wrong"),)}, False),
        ({"phase": "elaborate", "iterations": ()}, False),
    ],
)
def test_a_revisit_under_way_is_known(changes: dict[str, Any], expected: bool) -> None:  # noqa: FBT001 - a parameter
    world = world_at_the_end()
    world.enter("elaborate", "design", **{key: value for key, value in changes.items() if key != "phase"})
    world.enter(changes["phase"], "design")
    assert is_under_way(world.view("design"), ITEM) == expected


def test_only_findings_of_agents_are_counted_since_a_person_went_back() -> None:
    world = world_at_the_end()
    triggers: list[Any] = ["initial", "feedback", "user-revisit", "external-changes", "feedback", "feedback"]
    world.enter(
        "review", "ship", iterations=tuple(Iteration(index=at, trigger=each) for at, each in enumerate(triggers))
    )
    assert agent_revisits(world.view("ship")) == 2


def test_one_visit_is_for_all_who_ask_for_it() -> None:
    world = world_at_the_end()
    world.file(replace(ITEM, id="FB-02"))
    clue = world.tick()
    assert clue is not None
    assert [item["feedback_id"] for item in clue.payload["items"]] == ["FB-01", "FB-02"]
    assert {item.status for item in world.feedback["design"].values()} == {"fixing"}
    assert agent_revisits(world.view("design")) == 1


def test_a_person_who_goes_back_lifts_every_limit() -> None:
    world = world_at_the_end()
    visits = tuple(Iteration(index=at, trigger="feedback") for at in range(3))
    world.enter("review", "ship", iterations=visits, visits=3)
    world.plan_units(work_unit(2, stage="ship", status="active", bolt=MOST_BOLTS, hat="builder"))
    world.feedback["design"].clear()
    asks = replace(ITEM, stage="ship")
    world.file(asks)
    world.file(
        replace(asks, id="FB-02", resolution="inline_fix", status="fixing", bolt=MOST_FIX_BOLTS + 1, hat="fixer")
    )
    clue = world.tick()
    assert clue is not None
    assert (clue.action, clue.waits) == ("escalate", True)
    world.do(moves.revisit(world.look(), NOW, "ship", "Once more.", by_person=True))
    clue = world.tick()
    assert clue is not None
    assert (clue.action, clue.payload["target_stage"]) == ("revisited", "ship")
    assert world.units["ship"]["unit-02-ship"].bolt == 1
    assert world.feedback["ship"]["FB-01"].status == "fixing"
    assert (world.feedback["ship"]["FB-02"].status, world.feedback["ship"]["FB-02"].bolt) == ("pending", 0)
    clue = world.tick()
    assert clue is not None
    assert clue.action != "escalate"
