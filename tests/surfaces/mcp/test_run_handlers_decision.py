from __future__ import annotations

from typing import Any

import pytest

from leeboard.model.plan import Intent, Plan, StageState, StageView
from leeboard.model.studio import StageSpec
from leeboard.plan.effect import PlanStep, Refusal, WriteStage
from leeboard.surfaces.mcp.run_handlers import decision_recorded

NOW = "2026-01-01T00:00:00Z"
SAID = {"decision": "Colour", "options": ["red", "blue "], "choice": "blue", "rationale": " calm "}


def plan(**extra: Any) -> Plan:
    state = StageState(stage="build", status="active", phase="elaborate", extra=extra)
    return Plan(intent=Intent(slug="x"), stages=(StageView(spec=StageSpec(name="build"), state=state),))


def written(step: PlanStep | Refusal) -> dict[str, Any]:
    assert isinstance(step, PlanStep)
    (effect,) = step.do
    assert isinstance(effect, WriteStage)
    return effect.fields


def test_a_decision_is_added_to_the_log() -> None:
    fields = written(decision_recorded(plan(decision_log=[{"decision": "old"}]), SAID, NOW))
    assert fields == {
        "decision_log": [
            {"decision": "old"},
            {
                "decision": "Colour",
                "options": ["red", "blue"],
                "choice": "blue",
                "source": "agent",
                "rationale": "calm",
                "recorded_at": NOW,
            },
        ]
    }


def test_a_choice_is_put_to_the_user_and_made_in_the_conversation() -> None:
    asked = written(decision_recorded(plan(), SAID | {"ask": True}, NOW))["decision_log"]
    assert (asked[0]["choice"], asked[0]["source"], asked[0]["asked"]) == ("", "user", 0)
    chosen = written(decision_recorded(plan(decision_log=asked), SAID | {"source": "user"}, NOW))["decision_log"]
    assert [(each["choice"], each["source"]) for each in chosen] == [("blue", "user")]


def test_nothing_to_decide_is_a_decision_too() -> None:
    fields = written(
        decision_recorded(plan(decision_log="broken"), {"no_decisions": True, "rationale": "All given."}, NOW)
    )
    assert fields["elaboration_no_decisions"] is True
    assert fields["decision_log"][0]["kind"] == "no_decisions"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"rationale": " "}, "rationale_required"),
        ({"decision": ""}, "decision_required"),
        ({"options": ["red"]}, "options_too_few"),
        ({"options": ["red", "red "]}, "options_too_few"),
        ({"choice": "green"}, "choice_not_in_options"),
        ({"stage": "ship"}, "wrong_stage"),
    ],
)
def test_what_is_no_decision(change: dict[str, Any], code: str) -> None:
    refused = decision_recorded(plan(), SAID | change, NOW)
    assert isinstance(refused, Refusal)
    assert refused.code == code


def test_without_a_stage_there_is_nothing_to_decide() -> None:
    refused = decision_recorded(Plan(intent=Intent(slug="x")), SAID, NOW)
    assert isinstance(refused, Refusal)
    assert refused.code == "no_active_stage"
