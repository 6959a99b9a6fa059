"""What an agent must know though nothing is wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.judge.briefing import brief, wants_past
from leeboard.model.contract import Constraint, Contract
from leeboard.model.event import ActionType, AgentStarted, Event, PromptGiven, SessionStarted
from leeboard.model.outcome import Step
from leeboard.model.session import AgentState, Goal, Session
from leeboard.model.verdict import Action, Correction, Moment
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play, tell
from leeboard.testing.scenario_lines import SESSION

BAN = Constraint(text="DO NOT modify the schema", kind="forbid", patterns=("**/schema*",))
KNOWN = Session(
    id="s",
    goals=(Goal(text="fix auth bug", exchange=1), Goal(text="now the tests", exchange=2)),
    contract=Contract(objective="now the tests", scope=("src/auth/", "tests/"), constraints=(BAN,)),
)
OPEN = Correction(
    id="c",
    agent="",
    turn=1,
    level="correct",
    score=6,
    text="t",
    rules=("scope_drift",),
    paths=("src/styles/theme.css",),
)
START = Moment(kind="start", actions=(Action.ALLOW, Action.INJECT), pause=True)


@pytest.mark.parametrize("reason", ["compact", "resume"])
def test_goal_scope_and_limits_are_told_again(reason: str) -> None:
    words = brief(SessionStarted(session="s", reason=reason), KNOWN, AgentState())
    opening, heading, *lines = words.splitlines()
    assert opening == "<leeboard>"
    assert heading
    assert lines == [
        "Goal: now the tests",
        "First asked for: fix auth bug",
        "Scope so far: src/auth/, tests/",
        "Limits the user set: DO NOT modify the schema",
        "</leeboard>",
    ]


def test_an_open_correction_is_told_again_and_a_followed_one_is_not() -> None:
    start = SessionStarted(session="s", reason="compact")
    assert "Open correction (correct): src/styles/theme.css." in brief(
        start, KNOWN, AgentState(corrected=True, correction=OPEN)
    )
    assert "Open correction" not in brief(start, KNOWN, AgentState(corrected=False, correction=OPEN))


def test_what_was_changed_before_is_told_again() -> None:
    """AD-85: past steps are context. What was only read or run is not told."""
    kinds: list[tuple[ActionType, str]] = [("edit", "a.py"), ("read", "b.py"), ("write", "c.py"), ("edit", "a.py")]
    past = tuple(Step(id=path, session_id="s", action_type=kind, files=(path,)) for kind, path in kinds)
    words = brief(SessionStarted(session="s", reason="resume"), KNOWN, AgentState(), past)
    assert "\nChanged so far: a.py, c.py\n" in words


def test_the_past_is_wanted_where_it_may_be_lost() -> None:
    assert wants_past(SessionStarted(session="s", reason="compact"), KNOWN)
    assert not wants_past(SessionStarted(session="s", reason="startup"), KNOWN)
    assert not wants_past(SessionStarted(session="s", reason="compact"), Session(id="s"))
    assert not wants_past(PromptGiven(session="s", text="hm"), KNOWN)


def test_a_sub_agent_is_told_the_limits() -> None:
    words = brief(AgentStarted(session="s", agent="sub"), KNOWN, AgentState(id="sub"))
    assert words == "<leeboard>\nLimits the user set for this session: DO NOT modify the schema.\n</leeboard>"


@pytest.mark.parametrize(
    ("event", "session"),
    [
        (SessionStarted(session="s", reason="startup"), KNOWN),
        (SessionStarted(session="s", reason="clear"), KNOWN),
        (SessionStarted(session="s", reason="compact"), Session(id="s")),
        (AgentStarted(session="s", agent="sub"), Session(id="s", goals=KNOWN.goals)),
        (PromptGiven(session="s", text="hm"), KNOWN),
    ],
)
def test_otherwise_nothing_is_said(event: Event, session: Session) -> None:
    assert not brief(event, session, AgentState())


@given(
    st.text(max_size=900),
    st.lists(st.text("abc/ ", max_size=300), max_size=9),
    st.lists(st.text(max_size=500), max_size=16),
)
def test_it_fits_and_is_whole(goal: str, scope: list[str], limits: list[str]) -> None:
    constraints = tuple(Constraint(text=limit, kind="must") for limit in limits)
    contract = Contract(objective=goal, scope=tuple(scope), constraints=constraints)
    session = Session(id="s", goals=(Goal(text="first", exchange=1),), contract=contract)
    for event in (SessionStarted(session="s", reason="compact"), AgentStarted(session="s", agent="a")):
        words = brief(event, session, AgentState(corrected=True, correction=OPEN))
        assert len(words) <= 1_200
        assert not words or words.endswith("\n</leeboard>")


def test_after_a_compaction_the_whole_way() -> None:
    store = MemoryStore()
    play(("@ fix auth bug", "edit src/auth/token.ts", "edit src/styles/theme.css"), store=store)
    verdict = tell(SessionStarted(session=SESSION, reason="compact"), store, moment=START)
    assert verdict is not None
    assert "Goal: fix auth bug" in verdict.briefing
    assert "): src/styles/theme.css." in verdict.briefing, "the open correction"
    assert "Changed so far: src/auth/token.ts\n" in verdict.briefing, "only what is worth going on from"
    assert verdict.message == ""


def test_what_was_changed_is_told_again_from_the_kept_steps() -> None:
    store = MemoryStore()
    play(("@ fix the auth bug", "read src/auth/token.ts", "edit src/auth/token.ts | a => b"), store=store)
    verdict = tell(SessionStarted(session=SESSION, cwd="/repo", reason="compact"), store, moment=START)
    assert verdict is not None
    assert "Changed so far: src/auth/token.ts" in verdict.briefing


def test_what_other_sessions_changed_is_not_told_as_its_own() -> None:
    other = Step(id="o:1", session_id="other", action_type="edit", files=("src/b.py",))
    words = brief(SessionStarted(session="s", reason="compact"), KNOWN, AgentState(), (other,))
    assert "src/b.py" not in words
