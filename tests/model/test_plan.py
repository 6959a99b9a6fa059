"""A workflow as one look shows it: what it says of itself."""

from __future__ import annotations

from leeboard.model.plan import Intent, Plan, StageState, StageStatus, StageView
from leeboard.model.studio import StageSpec
from leeboard.model.unit import Unit


def stage(name: str, status: StageStatus, *units: Unit) -> StageView:
    return StageView(spec=StageSpec(name=name), state=StageState(stage=name, status=status), units=units)


def test_the_active_stage_is_the_first_that_is_not_completed() -> None:
    """Derived, so that half a transition can not confuse it: whatever `active_stage` says."""
    stages = (stage("a", "completed"), stage("b", "active"), stage("c", "pending"))
    plan = Plan(intent=Intent(slug="x", active_stage="c"), stages=stages)
    assert plan.active is stages[1]
    assert plan.stage("c") is stages[2]
    assert plan.stage("d") is None
    assert Plan(intent=Intent(slug="x"), stages=(stage("a", "completed"),)).active is None


def test_a_stage_knows_its_units_by_their_ids() -> None:
    unit = Unit(id="unit-01-a", stage="a")
    assert stage("a", "active", unit).unit("unit-01-a") is unit
    assert stage("a", "active").unit("unit-01-a") is None
