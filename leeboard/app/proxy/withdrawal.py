"""Taking back what was judged of calls that no client ever got: the answer broke off, or the request was sent again.

Such calls count for nothing: neither score nor escalation nor what was said of them. What others have added to the
session meanwhile stays.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from leeboard.model.fold import put_agent
from leeboard.model.lookup import Transaction
from leeboard.model.outcome import Offer, Outcome
from leeboard.model.session import AgentState, Session
from leeboard.model.text import digest
from leeboard.model.verdict import Action, Verdict

WITHDRAWN = "CallWithdrawn"
"""How the record calls it."""

_COUNTS = ("scored", "drifted", "halts", "above_nudge", "spoken", "denied", "interrupt_budget", "fired", "logged")
_STATES = ("mode", "escalation", "uncorrected", "forced", "forced_turns", "last_score", "checked", "seen")
_OF_AGENT = (
    "waiting",
    "said",
    "spoken_turn",
    "corrected",
    "unheard",
    "correction",
    "strays",
    "pending",
    "fired_turn",
    "heard",
    "closing",
    "refused",
)


class JudgedCall(msgspec.Struct, frozen=True, kw_only=True):
    """A call, and the session right before it was judged and right after."""

    id: str
    agent: str
    before: Session
    after: Session


def withdraw(calls: Sequence[JudgedCall], transaction: Transaction) -> None:
    """Keep the session as it would be without these, the newest last."""
    session = transaction.session(calls[-1].after.id) if calls else None
    if session is None:
        return
    offers: list[Offer] = []
    for call in reversed(calls):
        waiting = session.agent(call.agent).waiting
        session = without(session, call)
        left = session.agent(call.agent).waiting
        offers += [Offer(correction, "dropped") for correction in waiting if correction not in left]
    verdict = Verdict(
        id="v" + digest(f"{session.id}\x1f{WITHDRAWN}\x1f{calls[-1].id}", 5),
        session=session.id,
        agent=calls[-1].agent,
        turn=session.agent(calls[-1].agent).turn,
        action=Action.ALLOW,
        event=WITHDRAWN,
        tool_use_id=calls[-1].id,
        trace=(f"{len(calls)} judged and never seen by the client: counted for nothing",),
    )
    transaction.commit(Outcome(session=session, verdict=verdict, offers=tuple(offers)))


def without(session: Session, call: JudgedCall) -> Session:
    """The session without what this call has changed: counts go down by as much, and what nobody moved goes back."""
    before, after = call.before, call.after
    counts = {name: getattr(session, name) - getattr(after, name) + getattr(before, name) for name in _COUNTS}
    states = {name: getattr(before, name) for name in _STATES if getattr(session, name) == getattr(after, name)}
    added = [drift for drift in after.history if drift not in before.history]
    session = replace(
        session, history=tuple(drift for drift in session.history if drift not in added), **counts, **states
    )
    return put_agent(session, _agent_without(session.agent(call.agent), call))


def _agent_without(agent: AgentState, call: JudgedCall) -> AgentState:
    was, became = call.before.agent(call.agent), call.after.agent(call.agent)
    back = {name: getattr(was, name) for name in _OF_AGENT if getattr(agent, name) == getattr(became, name)}
    agent = replace(agent, **back)
    return replace(agent, waiting=tuple(one for one in agent.waiting if one.tool_use_id != call.id))
