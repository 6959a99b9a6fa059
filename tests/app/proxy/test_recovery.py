from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.app.proxy.recovery import plan_of, told
from leeboard.model.contract import Contract
from leeboard.model.outcome import Step
from leeboard.model.session import AgentState, Mode, Session
from leeboard.model.verdict import Action, Verdict


def session(mode: Mode, *, forced: str = "", escalation: int = 1) -> Session:
    agent = AgentState(last_good="src/auth/token.py")
    contract = Contract(scope=("src/auth/",))
    return Session(id="s", mode=mode, forced=forced, escalation=escalation, agents=(agent,), contract=contract)


def verdict(score: int) -> Verdict:
    return Verdict(id="v", session="s", agent="", turn=1, action=Action.QUEUE, event="ToolProposed", score=score)


def test_the_plan_leads_to_where_the_work_was_on_course() -> None:
    assert plan_of(session("DRIFTED"), "") == ("src/auth/token.py", "src/auth/")
    assert plan_of(session("FORCED", forced="src/auth/token.py"), "") == ("src/auth/token.py",)
    assert plan_of(session("FORCED"), "") == ()


@pytest.mark.parametrize(
    ("before", "after", "score", "path", "words"),
    [
        ("NORMAL", "NORMAL", 10, "src/auth/a.py", ""),
        ("NORMAL", "DRIFTED", 3, "b.css", "drifted (score 3)"),
        ("DRIFTED", "DRIFTED", 2, "b.css", "still off course (score 2), escalation 1 of 3"),
        ("DRIFTED", "DRIFTED", 10, "", ""),
        ("DRIFTED", "NORMAL", 9, "src/auth/a.py", "recovered: src/auth/a.py is on the way back"),
        ("DRIFTED", "NORMAL", 9, "src/authors.py", "recovered: the action is on course"),
        ("DRIFTED", "FORCED", 1, "b.css", "forced: only a look at the changes leads on"),
        ("FORCED", "NORMAL", 10, "src/auth/a.py", "the forced action was carried out"),
    ],
)
def test_what_an_action_changes_is_told(before: Mode, after: Mode, score: int, path: str, words: str) -> None:
    said = told(session(before), session(after), verdict(score), (path,), tuple)
    assert said.startswith(words)
    assert bool(said) is bool(words)


def test_a_forced_action_that_nobody_does_is_told_of() -> None:
    after = replace(session("FORCED"), outlasted=1)
    assert "a person is to look" in told(session("FORCED"), after, verdict(1), ("b.css",), tuple)


def test_nothing_is_told_of_a_session_nobody_knows() -> None:
    assert told(None, session("NORMAL"), verdict(9), (), tuple) == ""


def test_steps_that_were_on_course_are_part_of_the_way_back() -> None:
    step = Step(id="s:t1", session_id="s", action_type="edit", files=("lib/clock.py",))
    assert plan_of(session("DRIFTED"), "", (step,))[-1] == "lib/clock.py"
    said = told(session("DRIFTED"), session("NORMAL"), verdict(9), ("lib/clock.py",), lambda: (step,))
    assert said == "recovered: lib/clock.py is on the way back"
