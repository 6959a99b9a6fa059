"""The end of FORCED where neither the agent nor a human ends it."""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.model.session import FORCED_TURNS, Session

FORCED_END = "nobody has done the forced action for many turns: what is on course passes again, and a person is to look"


def words_of_end(session: Session) -> str:
    """For the person who is to look at it."""
    return f"{FORCED_END}: `leeboard report {session.id[:8]}`"


def outlasted(session: Session) -> Session:
    """FORCED that nobody has ended for many turns: what is on course may go on, and a person is to look at the rest.

    An agent that can not or will not do the one action would otherwise be frozen for good where no human speaks.
    """
    if session.mode != "FORCED":
        return replace(session, forced_turns=0) if session.forced_turns else session
    turns = session.forced_turns + 1
    if turns <= FORCED_TURNS:
        return replace(session, forced_turns=turns)
    session = replace(session, escalation=max(0, session.escalation - 1), outlasted=session.outlasted + 1)
    return replace(session, mode="DRIFTED", forced="", forced_turns=0)
