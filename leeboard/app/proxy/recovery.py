"""The way back after a drift: what the plan names, and whether the next action follows it.

Below 5 a session is DRIFTED: what the agent does is not taken for good until an action is back on course. FORCED leaves
one action. The modes themselves are the judge's; here is what is told of how they change.
"""

from __future__ import annotations

from leeboard.model.session import Mode, Session
from leeboard.model.verdict import Verdict

DRIFTED_BELOW = 5
_CHANGES: dict[tuple[Mode, Mode], str] = {
    ("NORMAL", "DRIFTED"): "drifted (score {score}): the next action is held against the way back",
    ("DRIFTED", "DRIFTED"): "still off course (score {score}), escalation {escalation} of 3",
    ("DRIFTED", "NORMAL"): "recovered: {step}",
    ("DRIFTED", "FORCED"): "forced: only {forced} leads on",
    ("FORCED", "FORCED"): "still forced: only {forced} leads on",
    ("FORCED", "NORMAL"): "the forced action was carried out",
}


def plan_of(session: Session, agent: str) -> tuple[str, ...]:
    """The places that lead back, the one that is demanded first: nothing beside it counts in FORCED."""
    if session.mode == "FORCED":
        return (session.forced,) if session.forced else ()
    state = session.agent(agent)
    return tuple(dict.fromkeys(filter(None, (state.last_good, *session.contract.scope[:8]))))


def told(before: Session | None, after: Session | None, verdict: Verdict | None, paths: tuple[str, ...]) -> str:
    """How an action on these paths has changed the course of a session, for its record; empty where it has not."""
    if before is None or after is None or verdict is None:
        return ""
    words = _CHANGES.get((before.mode, after.mode), "")
    if before.mode == after.mode and not 0 < verdict.score < DRIFTED_BELOW:
        return ""
    return words.format(
        score=verdict.score,
        escalation=after.escalation,
        forced=after.forced or "a look at the changes",
        step=_followed(plan_of(before, verdict.agent), paths),
    )


def _followed(plan: tuple[str, ...], paths: tuple[str, ...]) -> str:
    step = next((path for path in paths if any(path == place or path.startswith(_folder(place)) for place in plan)), "")
    return f"{step} is on the way back" if step else "the action is on course"


def _folder(place: str) -> str:
    return f"{place.rstrip('/')}/"
