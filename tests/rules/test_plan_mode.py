"""The client's own plan mode: the edges."""

from __future__ import annotations

import pytest

from leeboard.model.policy import Policy
from leeboard.model.verdict import Action
from leeboard.testing.scenario import play


@pytest.mark.parametrize("phase", ["elaborate", "execute", "review", "gate"])
def test_it_is_denied_with_the_call_in_its_place(phase: str) -> None:
    """SH-54."""
    verdict = play((f'plan phase = "{phase}"', "tool EnterPlanMode")).proposed()[-1]
    assert (verdict.action, verdict.rules) == (Action.DENY, ("plan_mode",))
    assert 'haiku_run_next` with intent "login"' in verdict.message


def test_it_is_no_drift() -> None:
    played = play(('plan phase = "execute"', *["tool EnterPlanMode"] * 6))
    session = played.session
    assert (session.mode, session.escalation, session.drifted, session.denied) == ("NORMAL", 0, 0, 6)


def test_under_observe_it_passes() -> None:
    verdict = play(('plan phase = "execute"', "tool EnterPlanMode"), Policy(profile="observe")).proposed()[-1]
    assert verdict.action is Action.LOG
