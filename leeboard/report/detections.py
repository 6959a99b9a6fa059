"""The end-of-session report of the signals. Its counts are the ledger's, its judgement is made of counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from leeboard.model.outcome import Judged
from leeboard.model.session import Session
from leeboard.model.touch import Health
from leeboard.model.verdict import letter_of, subclass_of
from leeboard.rule import code_of, with_code

HEADING = "## SCAFFOLD-WATCH SESSION REPORT"

_OPEN = {"waiting", "fired", "delivered"}


class FilesNow(msgspec.Struct, frozen=True, kw_only=True):
    """What the files of the work tree say when the report is made."""

    fixed: frozenset[str] = frozenset()
    """Ids of signals that no longer stand."""
    not_analysed: tuple[tuple[str, str], ...] = ()
    """Files the session wrote that the rules could not, or not wholly, judge; with the reason."""
    wrote_code: bool = False
    """It may have, and the counts of the code came out as they were."""


UNKNOWN = FilesNow()


class Detections(msgspec.Struct, frozen=True, kw_only=True):
    turns: int
    budget: int
    """Interrupts a session has."""
    fired: tuple[Judged, ...]
    queued: tuple[Judged, ...]
    """Not sent."""
    logged: tuple[Judged, ...]
    observations: tuple[str, ...]
    recommendations: tuple[str, ...]
    health: str
    now: FilesNow = UNKNOWN

    @property
    def limit(self) -> str:
        """How many may be said at once; what is certain is said all the same, and may be more than that."""
        if len(self.fired) <= self.budget:
            return f"of at most {self.budget}"
        return f"beyond the limit of {self.budget}, which holds nothing back that is certain"


def detections_of(session: Session, judged: Iterable[Judged], budget: int, now: FilesNow = UNKNOWN) -> Detections:
    every = tuple(judged)
    return Detections(
        turns=session.turns,
        budget=budget,
        fired=tuple(one for one in every if one.state == "fired"),
        queued=tuple(sorted((one for one in every if one.state == "waiting"), key=_by_urgency)),
        logged=tuple(one for one in every if one.state == "logged"),
        observations=_observations(every, now),
        recommendations=_recommendations(every, now),
        health=health_paragraph(session.health, every, now),
        now=now,
    )


def markdown_of(found: Detections) -> str:
    """The seed's headings, in the seed's order."""
    fired = [
        f"  [Turn {_spoken(one)}] CLASS-{letter_of(one.subclass)} | URGENCY: {one.urgency} — "
        f"{told(one, found.now)} ({_names(one)})"
        for one in found.fired
    ]
    queued = [f"  URGENCY {one.urgency} — {told(one, found.now)} ({_names(one)})" for one in found.queued]
    lines = [
        HEADING,
        "",
        f"**Session turns observed:** {found.turns}",
        f"**Interrupts fired:** {len(found.fired)}/{found.budget}",
        f"**Interrupts queued (not sent):** {len(found.queued)}",
        f"**Signals logged (below threshold):** {len(found.logged)}",
        "",
        "**Interrupts fired this session:**",
        *(fired or ["  none"]),
        "",
        "**Queued signals (not fired):**",
        *(queued or ["  none"]),
        "",
        "**Pattern observations:**",
        *_listed(found.observations),
        "",
        "**Recommendations for next session:**",
        *_listed(found.recommendations),
        "",
        "**Codebase health delta:**",
        f"  {found.health}",
        *_gaps(found.now.not_analysed),
    ]
    return "\n".join(lines) + "\n"


def lines_of(found: Detections) -> tuple[str, ...]:
    """The same for people: what was said is not told twice, and everything has the name it has elsewhere."""
    waiting = [f"  {told(one, found.now)} ({_names(one)})" for one in found.queued]
    return (
        "FINDINGS",
        "",
        f"Said at once: {len(found.fired)}, {found.limit}",
        f"Waiting for a pause: {len(found.queued)}",
        *waiting,
        f"Noted and not said: {len(found.logged)}",
        "",
        "Patterns:",
        *_listed(found.observations),
        "",
        "For the next session:",
        *_listed(found.recommendations),
        "",
        "What it did to the code:",
        f"  {found.health}",
        *_gaps(found.now.not_analysed),
    )


def _names(one: Judged) -> str:
    """The names of the signal and of its rule."""
    return " ".join(filter(None, (one.id, code_of(one.rule))))


def told(one: Judged, now: FilesNow) -> str:
    return f"{one.message} [fixed since]" if one.id in now.fixed else one.message


def _gaps(not_analysed: tuple[tuple[str, str], ...]) -> list[str]:
    if not not_analysed:
        return []
    return ["", "**Written but not analysed:**", *(f"  - {path}: {reason}" for path, reason in not_analysed)]


def _listed(items: tuple[str, ...]) -> list[str]:
    return [f"  - {item}" for item in items] or ["  - none"]


def _spoken(one: Judged) -> int:
    return one.spoken_turn if one.spoken_turn >= 0 else one.turn


def _by_urgency(one: Judged) -> tuple[float, int]:
    try:
        return -float(one.urgency), one.turn
    except ValueError:
        return -9.0, one.turn


def _observations(every: tuple[Judged, ...], now: FilesNow) -> tuple[str, ...]:
    """What was noticed and not sent as an interrupt: each kind of thing once, with how often and where first."""
    lines = [f"[Turn {one.turn}] refused before it was written: {one.reason}" for one in every if was_prevented(one)]
    lines += [f"[Turn {_spoken(one)}] said at a pause: {told(one, now)}" for one in every if one.state == "delivered"]
    lines += [f"{one.note}: {one.reason}" for one in every if one.state in {"self-corrected", "dropped"}]
    lines += sorted({one.note for one in every if one.note.startswith("Budget exhausted")})
    logged = [one for one in every if one.state == "logged"]
    times = Counter((one.rule, one.note) for one in logged)
    for (rule, note), count in times.items():
        first = next(one for one in logged if (one.rule, one.note) == (rule, note))
        how_often = f"{count} times, first " if count > 1 else ""
        lines.append(f"{first.subclass} {with_code(rule)}: {how_often}{first.reason}{f' ({note})' if note else ''}")
    return tuple(lines)


def _recommendations(every: tuple[Judged, ...], now: FilesNow) -> tuple[str, ...]:
    standing = [one for one in every if _stands(one, now) and subclass_of(one.subclass).advice]
    order = sorted(standing, key=lambda one: (one.subclass, one.turn))
    return tuple(dict.fromkeys(f"{subclass_of(one.subclass).advice}: {one.message}" for one in order))


def health_paragraph(health: Health, every: tuple[Judged, ...], now: FilesNow = UNKNOWN) -> str:
    """What the session did to the code, in counts, and which of them are improvements and which regressions."""
    harmful = any(one.state in _OPEN and subclass_of(one.subclass).harm for one in every)
    if health == Health() and not now.wrote_code and not harmful:
        return "Unchanged: the session wrote no code."
    better, worse = _improvements(health, every, now), _regressions(health, every, now)
    verdict = "Improved" if better and not worse else "Degraded" if worse and not better else "Mixed"
    if not better and not worse:
        verdict = "Unchanged"
    sums = (
        f"{health.lines:+d} lines, {health.functions:+d} functions, {health.decisions:+d} decision points, "
        f"{health.tests:+d} tests, {health.files} new files"
    )
    return (
        f"{verdict}: {sums}. Improvements: {', '.join(better) or 'none measured'}. "
        f"Regressions: {', '.join(worse) or 'none measured'}."
    )


def _improvements(health: Health, every: tuple[Judged, ...], now: FilesNow) -> list[str]:
    found = []
    if health.tests > 0:
        found.append(_count(health.tests, ("test added", "tests added")))
    if health.decisions < 0:
        found.append(_count(-health.decisions, ("decision point fewer", "decision points fewer")))
    mended = sum(one.state == "self-corrected" for one in every)
    if mended:
        found.append(_count(mended, ("finding corrected by the agent", "findings corrected by the agent")))
    if now.fixed:
        found.append(_count(len(now.fixed), ("finding fixed since", "findings fixed since")))
    return found


def _regressions(health: Health, every: tuple[Judged, ...], now: FilesNow) -> list[str]:
    found = []
    harm = Counter(one.subclass for one in every if _stands(one, now))
    told = ((subclass_of(subclass).harm, number) for subclass, number in sorted(harm.items()))
    found += [_count(number, words) for words, number in told if words]
    if health.tests < 0:
        found.append(_count(-health.tests, ("test removed", "tests removed")))
    if health.decisions > 0 and health.tests <= 0:
        found.append(_count(health.decisions, ("decision point without a test", "decision points without a test")))
    return found


def _stands(one: Judged, now: FilesNow) -> bool:
    return one.state in _OPEN and not was_prevented(one) and one.id not in now.fixed


def was_prevented(one: Judged) -> bool:
    """A call that was denied wrote nothing."""
    return one.state == "fired" and one.spoken_turn < 0


def _count(number: int, words: tuple[str, str]) -> str:
    return f"{number} {words[number != 1]}"
