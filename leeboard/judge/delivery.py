"""What is done about an assessment now: deny it, say what waits, or keep it for a better moment.

Muting speech never lifts a denial: a repeat is silent, never permitted. One voice a turn: the worst is said, the rest
waits. A stop is held up only by what is louder than a nudge.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from leeboard.code.relation import in_scope
from leeboard.judge.correction import combine
from leeboard.model.policy import Policy
from leeboard.model.session import SAID_WINDOW, WAITING_WINDOW, AgentState
from leeboard.model.verdict import Action, Assessment, Correction, Moment


def denies(assessment: Assessment, policy: Policy, *, named_few: bool, forced_other: bool) -> bool:
    """Whether the policy refuses the action, were there a moment to refuse it."""
    if policy.profile == "observe":
        return False
    if named_few:
        return True
    if policy.profile != "enforce":
        return False
    return forced_other or (assessment.score < policy.deny_below and assessment.confidence == "high")


def action_for(assessment: Assessment | None, moment: Moment, *, refused: bool, made: bool) -> Action:
    """The answer before anything that waits is considered."""
    if refused and Action.DENY in moment.actions:
        return Action.DENY
    if made:
        return Action.QUEUE
    return Action.LOG if assessment is not None and assessment.findings else Action.ALLOW


def was_said(agent: AgentState, correction: Correction) -> bool:
    """Whether all of it was said already, this loud. What names nothing is never the same again."""
    marks = _marks(correction)
    return bool(marks) and marks <= set(agent.said)


def enqueue(agent: AgentState, correction: Correction) -> AgentState:
    """The agent with the correction waiting, unless the same waits already."""
    marks = _marks(correction)
    if any(marks <= _marks(waiting) for waiting in agent.waiting):
        return agent
    return replace(agent, waiting=(*agent.waiting, correction)[-WAITING_WINDOW:])


def due(agent: AgentState, moment: Moment, policy: Policy) -> Correction | None:
    """What is to be said now, if anything."""
    if policy.profile == "observe" or Action.INJECT not in moment.actions or not agent.waiting:
        return None
    waiting = agent.waiting
    if moment.kind == "stop":
        waiting = tuple(correction for correction in waiting if correction.level != "nudge")
    elif not moment.pause and agent.spoken_turn == agent.turn:
        return None
    return combine(waiting, policy) if waiting else None


def spoken(agent: AgentState, correction: Correction) -> AgentState:
    """The agent after hearing it: nothing that was named in it waits any longer."""
    named = _marks(correction)
    left = tuple(waiting for waiting in agent.waiting if not set(waiting.paths) <= set(correction.paths))
    heard = tuple(dict.fromkeys((*agent.said, *sorted(named))))[-SAID_WINDOW:]
    return replace(
        agent, waiting=left, said=heard, spoken_turn=agent.turn, corrected=True, unheard=False, correction=correction
    )


def _marks(correction: Correction) -> set[str]:
    return {f"{correction.level}:{path}" for path in correction.paths}


def still_wanted(agent: AgentState, wanted: Iterable[str]) -> AgentState:
    """Drop what waits about paths the human has asked for since."""
    named = tuple(wanted)
    left = tuple(waiting for waiting in agent.waiting if not all(in_scope(path, named) for path in waiting.paths))
    return replace(agent, waiting=left) if len(left) < len(agent.waiting) else agent
