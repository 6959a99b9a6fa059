"""Whether a yes of the user answers what the agent was refused or told last, and not something else.

A yes that was meant for the tests must not lift a limit. Where that is open, the refusal stands: the user can say it
plainly.
"""

from __future__ import annotations

from collections.abc import Iterable

from leeboard.model.contract import Constraint
from leeboard.model.session import AgentState
from leeboard.rule import permit_of
from leeboard.speech.leave import RefusedCall, asks_leave


def is_answer(agent: AgentState, limits: Iterable[Constraint]) -> bool:
    """The agent asked for it, or it is the last thing it tried and nobody knows what it said afterwards.

    What is the user's to do in their own terminal no yes lets pass.
    """
    told = agent.correction
    if told is None or not agent.heard or any(permit_of(rule) == "terminal" for rule in told.rules):
        return False
    if not agent.closing.strip():
        return agent.heard == "last"
    broken = tuple(limit.text for limit in limits if limit.text in told.text)
    return asks_leave(agent.closing, RefusedCall(told.paths, broken), is_last=agent.heard == "last")
