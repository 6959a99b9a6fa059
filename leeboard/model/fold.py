"""Session and analysed event to the next Session: pure, total and bounded.

Order is the order of the calls. What a tool call, a human message and a message of the agent change stands in the
modules beside this one; here is which of them an event concerns.
"""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.model._bound import fitting, slim
from leeboard.model._calls import closed, opened
from leeboard.model._goal import prompted
from leeboard.model._turns import advance_turn
from leeboard.model.analysis import Analysis
from leeboard.model.event import (
    AgentEnded,
    ContextCompacted,
    Event,
    MessageSaid,
    PromptGiven,
    SessionEnded,
    SessionStarted,
    ToolFinished,
    ToolProposed,
    TurnEnded,
)
from leeboard.model.ledger import Mention
from leeboard.model.session import AGENT_WINDOW, PENDING_WINDOW, WAITING_WINDOW, AgentState, Session

LAST_TEXT = 600

_RANK = {"": 0, "transcript": 1, "hook": 2}


def counts(session: Session, event: Event) -> bool:
    """Whether the event is to be folded: one without an id counts from the session's best source alone."""
    if event.key or _RANK[event.source] >= _RANK[session.live]:
        return not _heard_before(session, event)
    return False


def _heard_before(session: Session, event: Event) -> bool:
    """A prompt whose id only one source knows is recognised by its words."""
    return (
        isinstance(event, PromptGiven)
        and event.source != session.live
        and session.live == "hook"
        and event.digest in session.prompts
    )


def fold(session: Session, analysis: Analysis) -> tuple[Session, tuple[Mention, ...]]:
    """The session after the event, and the ledger rows it adds."""
    event = analysis.event
    session = _counted(session, event)
    before = session.agent(event.agent)
    agent = advance_turn(session, before, event)
    if agent.turn != before.turn:
        session = replace(session, turns=session.turns + agent.turn - before.turn)
    mentions = analysis.mentions
    match event:
        case PromptGiven():
            session, agent = prompted(session, agent, event, analysis.intent)
        case ToolProposed():
            agent = opened(agent, analysis, event.call, session.exchange)
        case ToolFinished():
            session, agent, mentions = closed(session, agent, analysis, event)
        case AgentEnded() if event.agent:
            return _hand_over(session, agent), mentions
        case _:
            session, agent = _lived_on(session, agent, analysis)
    return put_agent(session, agent), mentions


def _counted(session: Session, event: Event) -> Session:
    return replace(
        session,
        live=event.source if _RANK[event.source] > _RANK[session.live] else session.live,
        events=session.events + 1,
        started=session.started or event.time,
        updated=max(session.updated, event.time),
    )


def _lived_on(session: Session, agent: AgentState, analysis: Analysis) -> tuple[Session, AgentState]:
    """What is neither a call nor a human message."""
    match analysis.event:
        case TurnEnded(source="hook"):
            session = replace(session, batches=True)
        case MessageSaid():
            agent = replace(agent, last_text=analysis.text[:LAST_TEXT])
        case ContextCompacted():
            agent = _forgetful(session, agent)
        case SessionStarted(reason=reason):
            session = replace(session, status="active")
            agent = _forgetful(session, agent) if reason in {"resume", "fork"} else agent
        case SessionEnded():
            session = replace(session, status="completed")
        case _:
            pass
    return session, agent


def put_agent(session: Session, agent: AgentState) -> Session:
    """The session with this agent's state, the least recently active ones forgotten beyond the window."""
    kept = [*(state for state in session.agents if state.id != agent.id), slim(agent)]
    if len(kept) > AGENT_WINDOW:
        kept.remove(next(state for state in kept if state.id))
    return replace(session, agents=fitting(tuple(kept)))


def _forgetful(session: Session, agent: AgentState) -> AgentState:
    """A run that begins in the middle: what led to its files lies before our time."""
    return agent if session.scored or agent.turn else replace(agent, remembers=False)


def _hand_over(session: Session, agent: AgentState) -> Session:
    """What an ended agent was still to hear goes to its parent."""
    others = tuple(state for state in session.agents if state.id != agent.id)
    main = next((state for state in others if not state.id), AgentState())
    heirs = tuple(replace(correction, agent="") for correction in agent.waiting)
    main = replace(
        main,
        waiting=(*main.waiting, *heirs)[-WAITING_WINDOW:],
        pending=(*main.pending, *(replace(p, turn=main.turn) for p in agent.pending))[:PENDING_WINDOW],
    )
    return put_agent(replace(session, agents=others), main)
