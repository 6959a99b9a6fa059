"""FORCED lasts for so many turns, and leads to DRIFTED: only its action, or a human, leads to NORMAL."""

from __future__ import annotations

from leeboard.model.session import FORCED_TURNS, Session, outlasted


def test_it_ends_after_many_turns() -> None:
    session = Session(id="s", mode="FORCED", forced="a.py", escalation=3)
    for turn in range(1, FORCED_TURNS + 1):
        session = outlasted(session)
        assert (session.mode, session.forced, session.forced_turns) == ("FORCED", "a.py", turn)
    session = outlasted(session)
    assert (session.mode, session.forced, session.forced_turns) == ("DRIFTED", "", 0)
    assert (session.escalation, session.outlasted) == (2, 1), "one more drift leads back"


def test_turns_are_counted_anew_each_time() -> None:
    session = Session(id="s", mode="NORMAL", forced_turns=4)
    assert outlasted(session).forced_turns == 0
    assert outlasted(Session(id="s")) == Session(id="s")
