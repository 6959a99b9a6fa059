from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from leeboard.model.studio import GateCommand, Reviewer
from leeboard.plan.machine.authored import approved, changed, plan_digest, work_digest
from tests.plan.plan_world import TEST_GATE, PlanWorld, work_unit

BODY = "Write it.\n\n- [ ] it works\n1. [ ] twice\n"
UNIT = work_unit(body=BODY, criteria=(("it works", False), ("twice", False)))


def held(**changes: Any) -> PlanWorld:
    """The plan passed with the unit, and then the unit changed."""
    world = PlanWorld()
    world.enter("execute")
    world.plan_units(UNIT)
    world.hold()
    world.plan_units(replace(UNIT, **changes))
    return world


def found(world: PlanWorld) -> tuple[str, ...]:
    return changed(world.look(), world.view("build"))


@pytest.mark.parametrize(
    "changes",
    [
        {"title": "Other"},
        {"type": "fix"},
        {"depends_on": ("unit-02-part",)},
        {"inputs": ("app.py",)},
        {"outputs": ("other.py",)},
        {"outputs": ()},
        {"touch": ("**",)},
        {"quality_gates": (TEST_GATE,)},
        {"closes": ("FB-01",)},
        {"criteria": (("it works", False),)},
        {"body": BODY.replace("twice", "once")},
        {"body": f"{BODY}\nOr do not."},
    ],
)
def test_what_its_author_wrote_counts(changes: dict[str, Any]) -> None:
    assert found(held(**changes)) == ("unit-01-part",)


@pytest.mark.parametrize(
    "changes",
    [
        {"status": "completed", "hat": "reviewer", "bolt": 3, "started_at": "t", "completed_at": "t"},
        {"model": "opus"},
        {"outputs": (*UNIT.outputs, "more.py")},
        {"body": BODY.replace("[ ]", "[x]"), "criteria": (("it works", True), ("twice", True))},
        {"body": BODY.replace("[ ] it", "[X] it") + "\n"},
    ],
)
def test_what_work_brings_along_does_not(changes: dict[str, Any]) -> None:
    assert found(held(**changes)) == ()


def test_units_that_came_or_went_and_the_stage_itself() -> None:
    world = held()
    world.plan_units(work_unit(2))
    del world.units["build"][UNIT.id]
    spec = world.specs["build"]
    world.specs["build"] = replace(spec, reviewers=(Reviewer(name="correctness", mandate="Be kind."),))
    assert found(world) == ("unit-01-part", "unit-02-part", "the definition of stage build")
    world.hold()
    assert found(world) == ()
    world.intent = replace(world.intent, quality_gates=(GateCommand(name="x", command="x"),))
    assert found(world) == ("the definition of stage build",)


def test_nothing_is_changed_where_nothing_was_kept() -> None:
    world = PlanWorld()
    world.enter("execute")
    world.plan_units(UNIT)
    assert found(world) == ()


def test_a_decision_is_about_the_plan_or_about_the_work_too() -> None:
    world = held()
    plan, view = world.look(), world.view("build")
    other = replace(view, tree="t2")
    assert plan_digest(plan, view) == plan_digest(plan, other)
    assert work_digest(plan, view) != work_digest(plan, other)
    assert plan_digest(plan, view) != plan_digest(plan, replace(view, units=(replace(UNIT, outputs=()),)))


@given(st.text(), st.text())
def test_other_texts_have_other_digests(one: str, other: str) -> None:
    view = PlanWorld().view("build")
    plan = PlanWorld().look()
    first, second = (approved(plan, replace(view, units=(work_unit(title=text),))) for text in (one, other))
    assert (first == second) == (one == other)
