"""A call belongs to the hat that was handed out."""

from __future__ import annotations

from typing import Any

import pytest

from leeboard.model.unit import Feedback, Pass
from leeboard.plan.effect import Refusal
from leeboard.plan.machine.held import HeldHat, stale_fix, stale_unit
from tests.plan.plan_world import NOW, PlanWorld, stage_spec, work_unit

ONE = "unit-01-part"
DONE = (Pass(hat="planner", completed_at=NOW),)


def code(found: Refusal | None) -> str:
    return found.code if found else ""


@pytest.mark.parametrize(
    ("unit", "held", "wanted"),
    [
        ({"hat": "planner", "bolt": 1}, {}, ""),
        ({"hat": "planner", "bolt": 1}, {"hat": "planner", "bolt": 1}, ""),
        ({"hat": "builder", "bolt": 1, "passes": DONE}, {"hat": "planner", "bolt": 1}, "stale_call"),
        ({"hat": "planner", "bolt": 2, "passes": DONE}, {"hat": "planner", "bolt": 1}, "stale_call"),
        ({"hat": "builder", "bolt": 1, "passes": DONE}, {}, "hat_not_named"),
        ({"hat": "builder", "bolt": 1, "passes": DONE}, {"hat": "builder"}, ""),
        ({"hat": "builder", "bolt": 2, "passes": DONE}, {"hat": "builder"}, "hat_not_named"),
        ({"hat": "builder", "bolt": 2, "passes": DONE}, {"hat": "builder", "bolt": 2}, ""),
        ({"hat": "builder", "bolt": 2, "passes": DONE}, {"looks": True}, ""),
        ({"hat": "builder", "bolt": 2, "passes": DONE}, {"hat": "planner", "looks": True}, "stale_call"),
    ],
)
def test_which_pass_a_call_is_about(unit: dict[str, Any], held: dict[str, Any], wanted: str) -> None:
    world = PlanWorld(stage_spec(), git=False)
    world.enter("execute")
    world.plan_units(work_unit(status="active", **unit))
    found = stale_unit(world.look(), ONE, HeldHat(**held))
    assert code(found) == wanted
    if found:
        assert (found.details["hat"], found.details["bolt"]) == (unit["hat"], unit["bolt"])
        assert found.details["next_step"]


def test_the_same_of_a_fix() -> None:
    world = PlanWorld(stage_spec(), git=False)
    world.enter("review")
    filed = Feedback(id="FB-01", stage="build", status="fixing", hat="checker", bolt=2, passes=DONE)
    world.file(filed)
    plan = world.look()
    assert code(stale_fix(plan, "build", "FB-01", HeldHat(hat="fixer", bolt=2))) == "stale_call"
    assert code(stale_fix(plan, "build", "FB-01", HeldHat())) == "hat_not_named"
    assert code(stale_fix(plan, "build", "FB-01", HeldHat(hat="checker", bolt=2))) == ""
    assert code(stale_fix(plan, "build", "FB-09", HeldHat())) == "", "the move itself says that there is none"
