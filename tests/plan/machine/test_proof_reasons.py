from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.model.unit import Feedback, Pass
from leeboard.plan.machine.authored import work_digest
from leeboard.plan.machine.proof import (
    as_kept,
    by_gates,
    has_changed,
    is_as_sent_back,
    sender,
    sent_back,
    standing,
    unchanged,
)
from tests.plan.plan_world import NOW, PlanWorld, stage_spec, work_unit

WHY = Pass(hat="builder", reason="right as it is")
DONE, BACK = Pass(hat="reviewer"), Pass(hat="reviewer", result="reject", reason="it is\nnot")


@pytest.mark.parametrize(
    ("passes", "expected"),
    [
        ((), ()),
        ((DONE,), ()),
        ((WHY,), (WHY,)),
        ((WHY, DONE), (WHY,)),
        ((WHY, BACK), ()),
        ((WHY, BACK, DONE), ()),
        ((BACK, WHY), (WHY,)),
        ((replace(WHY, changed=True),), ()),
        ((WHY, replace(DONE, changed=True)), ()),
        ((replace(DONE, changed=True), WHY), (WHY,)),
        ((WHY, replace(WHY, hat="reviewer")), (WHY, replace(WHY, hat="reviewer"))),
    ],
)
def test_a_reason_stands_while_nothing_changes(passes: tuple[Pass, ...], expected: tuple[Pass, ...]) -> None:
    assert standing(passes) == expected


@pytest.mark.parametrize(
    ("passes", "seen", "expected"),
    [((), None, False), ((DONE,), True, True), ((replace(DONE, changed=True),), None, True), ((WHY,), False, False)],
)
def test_where_nobody_looked_it_is_as_before(passes: tuple[Pass, ...], *, seen: bool | None, expected: bool) -> None:
    assert has_changed(passes, seen=seen) is expected
    assert has_changed((replace(DONE, changed=True),), seen=False) is False, "it was put back"


def test_files_keep_only_that_something_changed() -> None:
    kept = as_kept((WHY, replace(DONE, changed=True)))
    assert [each.get("changed") for each in kept] == [None, True]
    assert [each.get("work") for each in as_kept((BACK, replace(BACK, work="a")))] == [None, "a"]


@pytest.mark.parametrize(
    ("passes", "expected"),
    [
        ((), ""),
        ((WHY,), ""),
        ((WHY, BACK), "it is not"),
        ((WHY, replace(BACK, reason=" \n")), "no reason was given"),
    ],
)
def test_why_it_was_sent_back(passes: tuple[Pass, ...], expected: str) -> None:
    assert sent_back(passes) == expected


@pytest.mark.parametrize(
    ("passes", "work", "expected"),
    [
        ((), "a", False),
        ((WHY,), "a", False),
        ((BACK,), "", False),
        ((replace(BACK, work="a"),), "a", True),
        ((replace(BACK, work="a"),), "b", False),
        ((replace(BACK, work="a"),), "", False),
        ((replace(BACK, work="a"), DONE), "a", False),
    ],
)
def test_what_is_as_it_was_sent_back(passes: tuple[Pass, ...], work: str, *, expected: bool) -> None:
    assert is_as_sent_back(passes, work) is expected


@pytest.mark.parametrize(("reason", "who"), [("too slow", "reviewer"), ("quality gates fail: tests", "quality gates")])
def test_who_sent_it_back(reason: str, who: str) -> None:
    assert sender(replace(BACK, reason=reason)) == who
    assert not by_gates(replace(WHY, reason=reason)), "a hat that went on"


def world_with(*items: Feedback) -> PlanWorld:
    world = PlanWorld(stage_spec("design"), stage_spec(), stage_spec("ship"))
    world.enter("gate", "design", status="completed")
    world.enter("gate", started_at=NOW)
    world.plan_units(work_unit(status="completed", passes=(WHY, DONE)))
    for item in items:
        world.file(item)
    return world


FIXED = Feedback(id="FB-01", stage="build", title="Slow", status="closed", passes=(WHY,), closed_by="assessor")
LATER = replace(FIXED, passes=(replace(WHY, completed_at=NOW),))


@pytest.mark.parametrize(
    ("item", "shown"),
    [
        (FIXED, True),
        (replace(FIXED, status="addressed"), True),
        (replace(FIXED, status="rejected"), False),
        (replace(FIXED, status="fixing"), False),
        (replace(FIXED, closed_by="moved to design"), False),
        (replace(FIXED, stage="design"), False),
        (replace(LATER, stage="design"), True),
        (replace(LATER, stage=""), True),
        (replace(LATER, stage="ship"), False),
    ],
)
def test_what_people_are_shown_at_the_gate(item: Feedback, *, shown: bool) -> None:
    """Of another stage what was let through since this one began: before, it was shown there."""
    world = world_with(item)
    found = unchanged(world.look(), world.view("build"))
    assert found[0] == {"unit": "unit-01-part", "hat": "builder", "reason": "right as it is"}
    assert [(each["feedback_id"], each["stage"], each["reason"]) for each in found[1:]] == (
        [("FB-01", item.stage, "right as it is")] if shown else []
    )


def test_an_approval_is_of_these_reasons() -> None:
    digests = {
        work_digest(world.look(), world.view("build"))
        for world in (
            world_with(),
            world_with(FIXED),
            world_with(replace(FIXED, passes=(replace(WHY, reason="because"),))),
        )
    }
    assert len(digests) == 3
