"""What was said in a session, of every kind, in one list: a correction with a level, whoever found the reason for it.

Scores and urgency are evidence behind it. One counter counts them: `Session.spoken`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from leeboard.model.verdict import Action, Level, Verdict
from leeboard.rule import code_of
from leeboard.text.words import body_of, counted

How = Literal["refused", "asked", "kept going", "told"]
HOW_TOLD: dict[How, str] = {
    "refused": "refused the call",
    "asked": "asked the user",
    "kept going": "kept the agent from stopping",
    "told": "told the agent",
}
_STOPS = {"Stopped", "StopProposed", "AgentEnded"}


class SaidView(msgspec.Struct, frozen=True, kw_only=True):
    """A correction as lists and `--json` show it."""

    kind: str = "correction"
    id: str
    """The verdict's, which `leeboard why` and `leeboard allow` take."""
    session: str
    agent: str
    turn: int
    how: How
    level: Level
    score: int
    """0 where it has nothing to do with the score."""
    rules: tuple[str, ...]
    codes: tuple[str, ...]
    paths: tuple[str, ...]
    words: str
    """As the agent read them, without the element around them."""


def is_said(verdict: Verdict) -> bool:
    return verdict.action in {Action.INJECT, Action.ASK, Action.DENY}


def said_views(verdicts: Iterable[Verdict]) -> tuple[SaidView, ...]:
    return tuple(said_view(verdict) for verdict in verdicts if is_said(verdict))


def said_view(verdict: Verdict) -> SaidView:
    return SaidView(
        id=verdict.id,
        session=verdict.session,
        agent=verdict.agent,
        turn=verdict.turn,
        how=_how(verdict),
        level=_level(verdict),
        score=verdict.score if verdict.level != "none" else 0,
        rules=verdict.rules,
        codes=tuple(filter(None, map(code_of, verdict.rules))),
        paths=verdict.paths,
        words=body_of(verdict.message or verdict.briefing),
    )


def counted_said(said: tuple[SaidView, ...]) -> str:
    """`3 corrections: 1 refused, 2 told`."""
    hows = [one.how for one in said]
    kinds = ", ".join(f"{hows.count(how)} {how}" for how in HOW_TOLD if how in hows)
    return f"{counted(len(said), 'correction')}: {kinds}" if said else "nothing was said"


def _how(verdict: Verdict) -> How:
    if verdict.action is Action.DENY:
        return "refused"
    if verdict.action is Action.ASK:
        return "asked"
    return "kept going" if verdict.event in _STOPS else "told"


def _level(verdict: Verdict) -> Level:
    """What has no score has a level all the same: what is refused is the loudest of it, what only tells the mildest."""
    if verdict.level != "none":
        return verdict.level
    if verdict.action is Action.DENY:
        return "intervene"
    return "correct" if verdict.message else "nudge"
