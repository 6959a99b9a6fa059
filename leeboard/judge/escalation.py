"""Escalation and the session's mode.

    NORMAL  --score < 5------------------>  DRIFTED
    DRIFTED --score >= 5----------------->  NORMAL
    DRIFTED --escalation >= 3------------>  FORCED
    FORCED  --forced action executed----->  NORMAL   (the fold sees its result; a human message ends it too)

The level of a drift is the worse of what (score - escalation) and what the score's own level, raised once for every
drift since the last action on course, say. A drift whose correction was not heard yet raises nothing: two strays of
one message are one lapse. Scores 6, 5, 4 give correct, intervene, halt. A score of 8 or more lowers
the count by one and never yields a correction; a nudge leaves it.
"""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.judge.score import level_of, louder, raised
from leeboard.model.policy import Policy
from leeboard.model.session import HISTORY_WINDOW, Drift, Mode, Session
from leeboard.model.verdict import Assessment, Level


def level_now(score: int, session: Session, *, unheard: bool = False) -> Level:
    """The level a score gets in this session; `unheard`: the last rise of the count was not spoken of yet."""
    plain = level_of(score)
    if plain == "none":
        return plain
    count, drifts = max(0, session.escalation - unheard), max(0, session.uncorrected - unheard)
    return louder(level_of(max(1, score - count)), raised(plain, drifts))


def escalated(
    session: Session, assessment: Assessment, policy: Policy, forced: str, *, unheard: bool = False
) -> Session:
    """The session after a check: history, count and mode. `forced` is the way out, should it come to FORCED."""
    count, uncorrected = session.escalation, session.uncorrected
    if assessment.score >= policy.speak_below:
        count, uncorrected = max(0, count - 1), 0
    elif assessment.level != "nudge" and not unheard:
        count, uncorrected = min(policy.escalation_max, count + 1), uncorrected + 1
    mode = _next_mode(session.mode, assessment.score, count, policy)
    drift = Drift(assessment.score, assessment.level, session.updated)
    return replace(
        session,
        escalation=count,
        uncorrected=uncorrected,
        mode=mode,
        forced=forced if mode == "FORCED" and session.mode != "FORCED" else session.forced if mode == "FORCED" else "",
        history=(*session.history, drift)[-HISTORY_WINDOW:],
        checked=session.updated,
        scored=session.scored + 1,
        drifted=session.drifted + (assessment.score < policy.speak_below),
        halts=session.halts + (assessment.level == "halt"),
        above_nudge=session.above_nudge + (assessment.level not in {"none", "nudge"}),
        last_score=assessment.score,
    )


def looked_around(session: Session, assessment: Assessment) -> Session:
    """The session after an action that changed nothing: it is on record, and neither drifts nor recovers."""
    drift = Drift(assessment.score, assessment.level, session.updated)
    return replace(
        session,
        history=(*session.history, drift)[-HISTORY_WINDOW:],
        checked=session.updated,
        scored=session.scored + 1,
        last_score=session.last_score or assessment.score,
    )


def _next_mode(mode: Mode, score: int, count: int, policy: Policy) -> Mode:
    match mode:
        case "NORMAL":
            return "DRIFTED" if score < policy.drifted_below else "NORMAL"
        case "DRIFTED" if score >= policy.drifted_below:
            return "NORMAL"
        case "DRIFTED":
            return "FORCED" if count >= policy.escalation_max else "DRIFTED"
        case _:
            return "FORCED"
