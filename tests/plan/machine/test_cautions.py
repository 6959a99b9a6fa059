from __future__ import annotations

from typing import Any

import pytest

from leeboard.model.plan import Approved, StageState, StageView
from leeboard.plan.machine.cautions import cautions, is_stale, stale, without_criteria, without_outputs
from tests.plan.plan_world import stage_spec, work_unit

REASON = "design was revisited for design/FB-01: Another design."
MET = (("it works", True),)


def view(*units: Any, **state: Any) -> StageView:
    return StageView(spec=stage_spec(), state=StageState(stage="build", **state), units=units)


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ({}, ""),
        ({"stale_reason": REASON, "phase": "elaborate"}, "design."),
        (
            {
                "stale_reason": REASON,
                "phase": "elaborate",
                "approved": Approved(stage="x", units={"unit-01-part": "x"}),
            },
            "No unit was added since its plan passed.",
        ),
        (
            {"stale_reason": REASON, "phase": "elaborate", "approved": Approved(stage="x", units={"a": "x"})},
            "Added since: unit-01-part.",
        ),
    ],
)
def test_why_a_stage_is_stale_and_what_was_planned_since(state: dict[str, Any], said: str) -> None:
    text = stale(view(work_unit(criteria=MET), **state))
    assert text.endswith(said)
    assert text.startswith("Stage build is stale: design was revisited") is bool(said)
    assert cautions(view(work_unit(criteria=MET), **state)) == ([text] if said else [])


@pytest.mark.parametrize("phase", ["execute", "review", "gate"])
def test_a_stage_whose_plan_passed_again_is_no_longer_stale(phase: Any) -> None:
    found = view(work_unit(criteria=MET), stale_reason=REASON, phase=phase)
    told = "Stage build was planned again, since design was revisited for design/FB-01: Another design."
    assert (is_stale(found), cautions(found)) == (False, [told])
    assert is_stale(view(stale_reason=REASON, phase="elaborate"))


def test_units_that_name_no_outputs_are_told_of_before_they_begin() -> None:
    found = view(work_unit(outputs=()), work_unit(2), work_unit(3, outputs=(), status="active"))
    assert without_outputs(found).startswith("No outputs in unit-01-part: its last hat is done only when")
    assert without_outputs(view(work_unit())) == ""


def test_completed_units_and_those_with_a_criterion_are_not_named() -> None:
    found = view(
        work_unit(), work_unit(2, criteria=MET), work_unit(3, status="completed"), work_unit(4, problem="no YAML")
    )
    assert "in unit-01-part:" in without_criteria(found)
    assert without_criteria(view(work_unit(criteria=MET))) == ""
