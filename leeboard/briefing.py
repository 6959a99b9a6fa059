"""What an agent must know though nothing is wrong: the goal after a compaction, the limits when a sub-agent starts."""

from __future__ import annotations

from leeboard.code.wording import cut, element
from leeboard.model.event import AgentStarted, Event, SessionStarted
from leeboard.model.outcome import Step
from leeboard.model.session import AgentState, Session

_ROOM = 1_200


def wants_past(event: Event, session: Session) -> bool:
    """Whether what was done before belongs into the words: the agent may have lost it."""
    return bool(session.goals) and isinstance(event, SessionStarted) and event.reason in {"compact", "resume"}


def brief(event: Event, session: Session, agent: AgentState, past: tuple[Step, ...] = ()) -> str:
    """The words, or nothing when the moment does not call for any."""
    if not session.goals:
        return ""
    match event:
        case SessionStarted(reason="compact" | "resume"):
            opening = "The context was shortened" if event.reason == "compact" else "The session goes on"
            return _tagged([*_goal_again(opening, session, agent), *_done(past, session.id)])
        case AgentStarted() if session.contract.constraints:
            limits = "; ".join(constraint.text for constraint in session.contract.constraints)
            return _tagged([f"Limits the user set for this session: {limits}."])
        case _:
            return ""


def _done(past: tuple[Step, ...], session_id: str) -> list[str]:
    """The files that this session's key decisions and kept steps changed; other sessions' are not its own."""
    own = [step for step in past if step.session_id == session_id and step.action_type in {"edit", "write"}]
    changed = [path for step in own for path in step.files]
    return [cut(f"Changed so far: {', '.join(dict.fromkeys(changed))}", 240)] if changed else []


def _goal_again(opening: str, session: Session, agent: AgentState) -> list[str]:
    """The open correction stands before what may be long: it is what must not get lost."""
    contract = session.contract
    lines = [f"{opening}; this is what the work is about.", f"Goal: {contract.objective}"]
    if agent.corrected and agent.correction is not None:
        lines.append(cut(f"Open correction ({agent.correction.level}): {', '.join(agent.correction.paths)}.", 200))
    if session.goals[0].text != contract.objective:
        lines.append(f"First asked for: {cut(session.goals[0].text, 200)}")
    if contract.scope:
        lines.append(cut(f"Scope so far: {', '.join(contract.scope[:8])}", 240))
    if contract.constraints:
        lines.append(f"Limits the user set: {'; '.join(constraint.text for constraint in contract.constraints)}")
    return lines


def _tagged(lines: list[str]) -> str:
    return element(cut("\n".join(lines), _ROOM - 30))
