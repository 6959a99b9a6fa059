"""The way back after a drift: what the plan names, and whether the next action follows it.

Below 5 a session is DRIFTED: what the agent does is not taken for good until an action is back on course. FORCED leaves
one action. The modes themselves are the judge's; here is what is told of how they change.
"""

from __future__ import annotations

from collections.abc import Callable

from leeboard.model.outcome import Step
from leeboard.model.session import FORCED_END, Mode, Session
from leeboard.model.verdict import Verdict

Past = Callable[[], tuple[Step, ...]]

DRIFTED_BELOW = 5
_CHANGES: dict[tuple[Mode, Mode], str] = {
    ("NORMAL", "DRIFTED"): "drifted (score {score}): the next action is held against the way back",
    ("DRIFTED", "DRIFTED"): "still off course (score {score}), escalation {escalation} of 3",
    ("DRIFTED", "NORMAL"): "recovered: {step}",
    ("DRIFTED", "FORCED"): "forced: only {forced} leads on",
    ("FORCED", "FORCED"): "still forced: only {forced} leads on",
    ("FORCED", "NORMAL"): "the forced action was carried out",
}


def plan_of(session: Session, agent: str, past: tuple[Step, ...] = ()) -> tuple[str, ...]:
    """The places that lead back, the one that is demanded first: nothing beside it counts in FORCED.

    `past` are steps that were on course.
    """
    if session.mode == "FORCED":
        return (session.forced,) if session.forced else ()
    files = (path for step in past for path in step.files)
    return tuple(dict.fromkeys(filter(None, (session.agent(agent).last_good, *session.contract.scope[:8], *files))))


def told(
    before: Session | None, after: Session | None, verdict: Verdict | None, paths: tuple[str, ...], past: Past
) -> str:
    """How an action on these paths has changed the course of a session, for its record; empty where it has not.

    `past` gives the steps that were on course, and is asked only where the way back was found.
    """
    if before is None or after is None or verdict is None:
        return ""
    if after.outlasted > before.outlasted:
        return FORCED_END
    words = _CHANGES.get((before.mode, after.mode), "")
    if before.mode == after.mode and not 0 < verdict.score < DRIFTED_BELOW:
        return ""
    steps = past() if "{step}" in words else ()
    return words.format(
        score=verdict.score,
        escalation=after.escalation,
        forced=after.forced or "a look at the changes",
        step=_followed(plan_of(before, verdict.agent, steps), paths),
    )


def _followed(plan: tuple[str, ...], paths: tuple[str, ...]) -> str:
    step = next((path for path in paths if any(path == place or path.startswith(_folder(place)) for place in plan)), "")
    return f"{step} is on the way back" if step else "the action is on course"


def _folder(place: str) -> str:
    return f"{place.rstrip('/')}/"
