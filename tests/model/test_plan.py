"""The nouns of a workflow: what they say of themselves."""

from __future__ import annotations

import pytest

from leeboard.model.plan import Feedback, FeedbackStatus, Intent, Plan, StageState, StageStatus, StageView, Unit
from leeboard.model.studio import StageSpec


def stage(name: str, status: StageStatus) -> StageView:
    return StageView(spec=StageSpec(name=name), state=StageState(stage=name, status=status))


def test_the_active_stage_is_the_first_that_is_not_completed() -> None:
    """Derived, so that half a transition can not confuse it: whatever `active_stage` says."""
    stages = (stage("a", "completed"), stage("b", "active"), stage("c", "pending"))
    plan = Plan(intent=Intent(slug="x", active_stage="c"), stages=stages)
    assert plan.active is stages[1]
    assert plan.stage("c") is stages[2]
    assert plan.stage("d") is None
    assert Plan(intent=Intent(slug="x"), stages=(stage("a", "completed"),)).active is None


def test_unmet_criteria() -> None:
    unit = Unit(id="unit-01-a", stage="a", criteria=(("one", True), ("two", False)))
    assert unit.unmet == ("two",)
    assert stage("a", "active").unit("unit-01-a") is None


@pytest.mark.parametrize(
    ("status", "is_open"),
    [
        ("pending", True),
        ("fixing", True),
        ("addressed", False),
        ("answered", False),
        ("closed", False),
        ("rejected", False),
    ],
)
def test_which_feedback_keeps_a_gate_shut(status: FeedbackStatus, *, is_open: bool) -> None:
    assert Feedback(id="FB-01", status=status).is_open == is_open


def test_whose_feedback_it_is() -> None:
    assert Feedback(id="FB-01", origin="user-chat").is_human
    assert not Feedback(id="FB-01", origin="adversarial-review").is_human
