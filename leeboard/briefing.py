"""What an agent must know though nothing is wrong: the goal after a compaction, the limits at the start of a sub-agent."""

from __future__ import annotations

from leeboard.code.wording import cut
from leeboard.model.event import AgentStarted, Event, SessionStarted
from leeboard.model.session import AgentState, Session

_ROOM = 1_200


def brief(event: Event, session: Session, agent: AgentState) -> str:
    """The words, or nothing when the moment does not call for any."""
    if not session.goals:
        return ""
    match event:
        case SessionStarted(reason="compact" | "resume"):
            return _goal_again(session, agent)
        case AgentStarted() if session.contract.constraints:
            limits = "; ".join(constraint.text for constraint in session.contract.constraints)
            return cut(f"<leeboard>\nLimits the user set for this session: {limits}.\n</leeboard>", _ROOM)
        case _:
            return ""


def _goal_again(session: Session, agent: AgentState) -> str:
    contract = session.contract
    lines = ["The context was shortened; this is what the work is about.", f"Goal: {contract.objective}"]
    if session.goals[0].text != contract.objective:
        lines.append(f"First asked for: {cut(session.goals[0].text, 200)}")
    if contract.scope:
        lines.append(f"Scope so far: {', '.join(contract.scope[:8])}")
    if contract.constraints:
        lines.append(f"Limits the user set: {'; '.join(constraint.text for constraint in contract.constraints)}")
    if agent.corrected and agent.correction is not None:
        lines.append(f"Open correction: {', '.join(agent.correction.paths)} ({agent.correction.level}).")
    return f"<leeboard>\n{cut(chr(10).join(lines), _ROOM - 30)}\n</leeboard>"
