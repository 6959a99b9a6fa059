"""When a turn begins: one assistant message with its calls.

Only the best source of a session advances its turns, so a run seen through hooks counts the same turns as its
transcript; what a weaker source adds joins the turn it belongs to.
"""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.model.event import (
    AgentEnded,
    AgentStarted,
    Event,
    MessageSaid,
    PromptGiven,
    Stopped,
    ThoughtShown,
    ToolProposed,
    TurnEnded,
)
from leeboard.model.session import AgentState, Session


def advance_turn(session: Session, agent: AgentState, event: Event) -> AgentState:
    """The agent in the turn the event belongs to."""
    if event.source != session.live:
        return agent
    match event:
        case ToolProposed() | MessageSaid() | ThoughtShown():
            return _turn_of_message(session, agent, event)
        case Stopped() | AgentEnded() if event.source == "hook":  # no hook tells of a message that only says something
            return replace(agent, turn=agent.turn + 1, turn_open=False)
        case TurnEnded() if event.source == "hook":
            missed = event.calls and not agent.turn_open
            return replace(agent, turn=agent.turn + 1 if missed else agent.turn, turn_open=False)
        case PromptGiven() | AgentStarted():
            return replace(agent, turn_open=False)
        case _:
            return agent


def _turn_of_message(session: Session, agent: AgentState, event: Event) -> AgentState:
    if event.message:
        same = event.message == agent.message
        return agent if same else replace(agent, turn=agent.turn + 1, turn_open=True, message=event.message)
    goes_on = agent.turn_open and (session.batches or bool(agent.open_calls))
    return agent if goes_on else replace(agent, turn=agent.turn + 1, turn_open=True)
