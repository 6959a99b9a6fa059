"""Escalation and the session's mode."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.judge.score import escalated, level_now, looked_around
from leeboard.model.policy import Policy
from leeboard.model.session import HISTORY_WINDOW, Mode, Session
from leeboard.model.verdict import Assessment, Level, type_of

POLICY = Policy()


def judged(score: int, session: Session) -> Assessment:
    return Assessment(score=score, type=type_of(score), level=level_now(score, session), confidence="high")


def after(*scores: int, session: Session | None = None) -> tuple[Session, list[Level]]:
    session, levels = session or Session(id="s"), []
    for score in scores:
        assessment = judged(score, session)
        levels.append(assessment.level)
        session = escalated(session, assessment, POLICY, "src/good.py")
    return session, levels


@pytest.mark.parametrize(
    ("scores", "levels"),
    [
        ((6,), ["correct"]),
        ((6, 5), ["correct", "intervene"]),
        ((6, 5, 4), ["correct", "intervene", "halt"]),
        ((6, 5, 4, 4), ["correct", "intervene", "halt", "halt"]),
        ((6, 5, 4, 6), ["correct", "intervene", "halt", "halt"]),
        ((6, 6), ["correct", "intervene"]),
        ((6, 6, 6, 6), ["correct", "intervene", "halt", "halt"]),
        ((7, 7, 7), ["nudge", "nudge", "nudge"]),
        ((6, 9, 6), ["correct", "none", "correct"]),
    ],
)
def test_levels_of_a_sequence(scores: tuple[int, ...], levels: list[Level]) -> None:
    """AD-44, AD-45, AD-46, and the second equal score that is to be louder than the first."""
    assert after(*scores)[1] == levels


def test_the_count_rises_with_each_drift_and_stops_at_3() -> None:
    """AD-19."""
    counts = [after(*([5] * number))[0].escalation for number in range(6)]
    assert counts == [0, 1, 2, 3, 3, 3]


def test_a_nudge_leaves_the_count() -> None:
    assert after(7, 7)[0].escalation == 0
    assert after(6, 8, 7)[0].escalation == after(6, 8)[0].escalation


def test_a_score_of_8_lowers_the_count_by_one() -> None:
    """AD-47: and never below zero."""
    assert after(6, 5)[0].escalation == 2
    assert after(6, 5, 8)[0].escalation == 1
    assert after(6, 5, 8, 9, 10)[0].escalation == 0


@given(st.integers(8, 10), st.integers(0, 3), st.integers(0, 9))
def test_8_and_more_is_never_corrected(score: int, count: int, uncorrected: int) -> None:
    """AD-39: whatever came before."""
    assert level_now(score, Session(id="s", escalation=count, uncorrected=uncorrected)) == "none"


@pytest.mark.parametrize(
    ("mode", "count", "score", "then"),
    [
        ("NORMAL", 0, 5, "NORMAL"),
        ("NORMAL", 0, 4, "DRIFTED"),
        ("NORMAL", 2, 1, "DRIFTED"),
        ("NORMAL", 3, 1, "DRIFTED"),
        ("DRIFTED", 0, 5, "NORMAL"),
        ("DRIFTED", 3, 5, "NORMAL"),
        ("DRIFTED", 0, 4, "DRIFTED"),
        ("DRIFTED", 1, 4, "DRIFTED"),
        ("DRIFTED", 2, 4, "FORCED"),
        ("DRIFTED", 3, 1, "FORCED"),
        ("FORCED", 3, 10, "FORCED"),
        ("FORCED", 3, 1, "FORCED"),
        ("FORCED", 0, 8, "FORCED"),
    ],
)
def test_every_transition(mode: Mode, count: int, score: int, then: Mode) -> None:
    """AD-99, AD-100, AD-101: by the raw score; FORCED is left by no score at all."""
    session = Session(id="s", mode=mode, escalation=count)
    assert escalated(session, judged(score, session), POLICY, "").mode == then


@given(st.lists(st.integers(1, 10), max_size=30))
def test_normal_never_jumps_to_forced(scores: list[int]) -> None:
    """AD-101."""
    session = Session(id="s")
    for score in scores:
        before, session = session.mode, escalated(session, judged(score, session), POLICY, "x")
        assert (before, session.mode) != ("NORMAL", "FORCED")
        assert 0 <= session.escalation <= 3


def test_forced_names_the_way_out_and_keeps_it() -> None:
    session, _ = after(4, 4, 4)
    assert (session.mode, session.forced) == ("FORCED", "src/good.py")
    later = escalated(session, judged(3, session), POLICY, "src/other.py")
    assert later.forced == "src/good.py"
    assert after(4)[0].forced == ""


def test_each_check_is_on_record_clean_ones_too() -> None:
    """AD-18."""
    session = Session(id="s", updated=12.5)
    session, _ = after(10, 6, session=session)
    assert [(drift.score, drift.level, drift.timestamp) for drift in session.history] == [
        (10, "none", 12.5),
        (6, "correct", 12.5),
    ]
    assert (session.scored, session.drifted, session.checked, session.last_score) == (2, 1, 12.5, 6)


def test_counters_of_the_report() -> None:
    session, levels = after(7, 6, 5, 4)
    assert (session.drifted, session.above_nudge, session.halts) == (4, 3, levels.count("halt"))


def test_the_same_score_after_another_history_gets_another_level() -> None:
    """AD-30."""
    assert level_now(6, Session(id="s")) == "correct"
    assert level_now(6, Session(id="s", escalation=2)) == "intervene"


def test_looking_around_is_recorded_and_changes_nothing_else() -> None:
    session, _ = after(6, 4)
    looked = looked_around(session, judged(10, session))
    assert len(looked.history) == 3
    assert (looked.escalation, looked.uncorrected, looked.mode, looked.last_score) == (2, 2, "DRIFTED", 4)


def test_history_is_bounded() -> None:
    assert len(after(*([9] * (HISTORY_WINDOW + 10)))[0].history) == HISTORY_WINDOW


def test_a_drift_that_was_not_spoken_of_yet_raises_nothing() -> None:
    """Two strays of one message are one lapse: the agent has heard nothing between them."""
    session = escalated(Session(id="s"), judged(6, Session(id="s")), POLICY, "")
    assert level_now(6, session, unheard=True) == "correct"
    again = escalated(session, judged(6, session), POLICY, "", unheard=True)
    assert (again.escalation, again.uncorrected) == (1, 1)
    assert level_now(6, session) == "intervene", "once it was heard, the next one is louder"
