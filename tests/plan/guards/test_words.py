from __future__ import annotations

from leeboard.model.plan import Intent, Plan, StageState, StageView
from leeboard.model.studio import StageSpec
from leeboard.plan.guards.words import next_call, standing_of

STAGE = StageView(spec=StageSpec(name="build"), state=StageState(stage="build", status="active", phase="gate"))


def test_the_next_call_names_the_intent() -> None:
    assert next_call(Plan(intent=Intent(slug="login"))) == 'call `haiku_run_next` with intent "login"'
    assert next_call(None) == "call `haiku_run_next`"


def test_where_it_stands() -> None:
    assert standing_of(Plan(intent=Intent(slug="login"))) == "intent login"
    assert standing_of(Plan(intent=Intent(slug="login"), stages=(STAGE,))) == "intent login, stage build, phase gate"
