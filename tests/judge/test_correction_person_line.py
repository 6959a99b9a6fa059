"""The one line for the person beside the agent."""

from __future__ import annotations

import pytest

from leeboard.judge.correction import person_line
from leeboard.model.verdict import Action, Level, Moment, MomentKind, Verdict
from leeboard.text.words import element

STEP, CALL = (Action.ALLOW, Action.INJECT), (Action.ALLOW, Action.ASK, Action.DENY)


def line(action: Action, kind: MomentKind, message: str, *, level: Level = "none", rule: str = "scope_drift") -> str:
    verdict = Verdict(
        id="v1", session="s", agent="", turn=1, action=action, event="E", level=level, rules=(rule,), message=message
    )
    return person_line(verdict, Moment(kind=kind, actions=CALL if kind == "before_call" else STEP))


def test_it_has_the_reason_without_the_words_that_are_the_agents_alone() -> None:
    words = element("scope_drift: a.py lies elsewhere\nGoal: b\nNext steps:\n1. undo it", {"level": "correct"})
    assert line(Action.DENY, "before_call", words) == (
        "Leeboard refused a call (LB-S001): scope_drift: a.py lies elsewhere. "
        "`leeboard why v1` says more; `leeboard allow v1 --reason ...` lets it pass."
    )


def test_what_has_happened_already_is_let_stand() -> None:
    told = line(Action.INJECT, "after_call", element("x"), level="correct")
    assert told.endswith("`leeboard allow v1 --reason ...` lets it stand.")


@pytest.mark.parametrize(("level", "told"), [("nudge", False), ("correct", True), ("halt", True), ("none", True)])
def test_a_nudge_stays_between_us_and_the_agent(level: Level, *, told: bool) -> None:
    assert bool(line(Action.INJECT, "after_call", element("x"), level=level)) is told


def test_a_stop_that_is_held_up_is_told_however_mild_the_words() -> None:
    assert line(Action.INJECT, "stop", element("x"), level="nudge").startswith("Leeboard kept the agent going")


def test_what_the_moment_can_not_carry_was_not_said() -> None:
    assert line(Action.DENY, "after_call", element("x")) == ""
    assert line(Action.INJECT, "before_call", element("x")) == ""
    assert line(Action.DENY, "before_call", "") == ""


def test_no_command_lets_pass_what_is_for_the_persons_own_terminal() -> None:
    assert "leeboard allow" not in line(Action.DENY, "before_call", element("x"), rule="self_allowance")


def test_a_long_reason_is_cut_and_stays_one_line() -> None:
    told = line(Action.DENY, "before_call", element("word " * 500))
    assert len(told) < 400
    assert "\n" not in told
