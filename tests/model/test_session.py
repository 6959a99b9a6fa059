"""The hot state of a run."""

from __future__ import annotations

import msgspec

from leeboard.model.session import SHAPE, AgentState, Drift, Session


def test_an_agent_nobody_heard_of_is_new() -> None:
    assert Session(id="s").agent("sub") == AgentState(id="sub")


def test_each_agent_has_its_own_state() -> None:
    session = Session(id="s", agents=(AgentState(turn=3), AgentState(id="sub", turn=1)))
    assert session.agent("").turn == 3
    assert session.agent("sub").turn == 1


def test_a_session_starts_in_normal_with_nothing_on_record() -> None:
    """AD-98."""
    session = Session(id="s")
    assert (session.mode, session.status, session.escalation, session.history) == ("NORMAL", "active", 0, ())


def test_the_stored_form_comes_back_equal() -> None:
    """What the store keeps must be what the next process reads, drift history with its three fields."""
    session = Session(id="s", history=(Drift(4, "intervene", 7.5),), agents=(AgentState(last_text="é 中"),))
    stored = msgspec.json.encode(session)
    assert msgspec.json.decode(stored, type=Session) == session
    assert msgspec.json.decode(stored)["history"] == [{"score": 4, "level": "intervene", "timestamp": 7.5}]


def test_a_row_of_an_older_process_without_newer_fields_is_read() -> None:
    session = msgspec.json.decode(b'{"id": "s"}', type=Session)
    assert session == Session(id="s", shape=SHAPE)
