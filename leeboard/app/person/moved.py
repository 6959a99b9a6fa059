"""A person who goes on in another session, or in another client, with the work they had begun in this work tree.

Each client has sessions of its own, so what was asked for and ruled out would be lost on the way. Where the first words
of a session say that it goes on, it takes over goals and limits of the newest one here. Allowances are the project's.
"""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.clients.call import HookCall
from leeboard.model.outcome import Outcome
from leeboard.model.session import Session
from leeboard.model.text import digest
from leeboard.model.verdict import Action, Verdict
from leeboard.speech.prompt import goes_on
from leeboard.store.sqlite import SqliteStore

RECENT_SECONDS = 86_400.0
"""How long ago the other one may have been heard."""
_LOOKED_AT = 8
"""Sessions of the project that are looked at for one with a goal."""


def take_over(call: HookCall, root: str, store: SqliteStore, now: float) -> str:
    """What the agent is told of the work it is to go on with; empty where nothing is taken over."""
    session_id = call.session
    own = store.session(session_id)
    if not goes_on(call.prompt) or (own is not None and (own.goals or own.exchange)):
        return ""
    earlier = _earlier(session_id, root, store, now)
    if earlier is None:
        return ""
    with store.transaction(session_id) as transaction:
        current = transaction.session(session_id) or Session(id=session_id, root=root, started=now, updated=now)
        if current.goals:
            return ""
        moved = replace(current, goals=earlier.goals, contract=earlier.contract)
        transaction.commit(Outcome(session=moved, verdict=_verdict(session_id)))
    return _words(earlier)


def _earlier(session_id: str, root: str, store: SqliteStore, now: float) -> Session | None:
    for session in store.sessions(root, _LOOKED_AT):
        if session.id != session_id and session.goals and now - session.updated <= RECENT_SECONDS:
            return session
    return None


def _verdict(session_id: str) -> Verdict:
    name = f"v{digest(f'moved {session_id}', 6)}"
    return Verdict(id=name, session=session_id, agent="", turn=0, action=Action.ALLOW, event="PromptGiven")


def _words(earlier: Session) -> str:
    lines = [f"The user goes on with work of an earlier session here. Goal: {earlier.goals[-1].text}"]
    limits = "; ".join(limit.text for limit in earlier.contract.constraints)
    return "\n".join([*lines, f"Limits the user set: {limits}"] if limits else lines)
