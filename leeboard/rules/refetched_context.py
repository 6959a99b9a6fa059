"""Something is fetched again that the agent has in its context.

## What it catches
A file that is read again in the same lines (or in some of them), a search that is made again in the same words and
places, an address that is fetched again, within ten turns, while nothing changed it in between and the very same text
came back. Beyond ten turns it is only noted. It is always logged and never spoken of.

## Why it matters
Every repeat fills the context with what is there already, and often is the first sign that an agent has lost the
thread.

## Example
Turn 5: `Read src/auth/token.ts`. Turn 8: `Read src/auth/token.ts`; nobody touched the file in between.

## Known limits
A repeat counts only where it can be proved: not after an edit, a formatter, a checkout, a test run or any other program
whose effects nobody knows, not after a compaction, not where the earlier answer was cut or failed, not for logs, and
not for what another agent fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from leeboard.analysis.registry import looks_of
from leeboard.analysis.timeline import WINDOW, failed_between, flagged, marked, names
from leeboard.model.event import ToolFinished
from leeboard.model.ledger import Entry
from leeboard.model.lookup import Registry
from leeboard.model.text import lazy
from leeboard.model.verdict import Evidence, Finding, Signal
from leeboard.model.world import World
from leeboard.rule import Rule, Sample

RULE = Rule(
    code="LB-C101",
    channel="signal",
    subclass="C1",
    summary="something is fetched again that the agent has in its context",
)

FIRES = (
    Sample(
        name="the same search",
        lines=(
            "@ fix the login",
            "~ first a look around",
            "grep token -> src/auth.py:3: token",
            "grep session -> src/auth.py:9: session",
            "grep cookie -> src/auth.py:12: cookie",
            "grep token -> src/auth.py:3: token",
        ),
    ),
    Sample(
        name="a file through the shell",
        lines=(
            "@ fix the login",
            "$ cat src/auth.py -> token = 1",
            "$ cat src/user.py -> name = 1",
            "$ cat src/mail.py -> to = 1",
            "$ cat src/auth.py -> token = 1",
        ),
    ),
)
SILENT = (
    Sample(
        name="changed in between",
        lines=(
            "@ fix the login",
            "$ cat src/auth.py -> token = 1",
            "edit src/auth.py | token = 1 => token = 2",
            "grep x -> nothing",
            "$ cat src/auth.py -> token = 1",
        ),
    ),
    Sample(
        name="another search",
        lines=("@ fix the login", "grep token -> a.py:3: token", "grep cookie -> a.py:4: cookie", "grep session -> a"),
    ),
)

LOOKBACK = 10
_OFTEN = 3
_MOVING = lazy(
    r"\.(?:log|out|pid|tmp)\b|(?:^|\s)/(?:tmp|var|proc|sys|dev)/|(?:^|[\s/])(?:logs?|tmp)/|"
    r"^\$ (?!(?:cat|nl|sed|head|e?grep|rg|find|fd|ls|tree|wc)\b)|^\$ .*\b(?:tail|date|ps)\b",
    re.IGNORECASE,
)
"""What other programs write all the time, or what tells the present state, is polled and not read again."""


def detect(event: ToolFinished, world: World, registry: Registry) -> Iterator[Finding]:
    """One finding for each thing that came back unchanged; a second one when it has come back three times."""
    for own in _looks(event, world, registry):
        if own.data == "truncated" or not event.output.strip() or _MOVING.search(own.path or own.key):
            continue
        earlier = [entry for entry in registry.find(own.kind, (own.key,)) if _repeats(own, entry)]
        if earlier and not _had_reason(own, earlier[0], registry):
            yield _finding(own, earlier, registry)


def _looks(event: ToolFinished, world: World, registry: Registry) -> tuple[Entry, ...]:
    """What this call read or fetched: on record already, and to be read off the call again only where it has no id."""
    call, turn = event.call.id, world.agent.turn
    if not call:
        return looks_of(world.analysis, turn)
    if event.outcome != "done":
        return ()
    newest = (*registry.newest("read", len(world.analysis.touches) + 1), *registry.newest("fetched", 1))
    return tuple(entry for entry in newest if entry.call == call and entry.turn == turn)


def _repeats(own: Entry, entry: Entry) -> bool:
    """Whether an earlier look of the same agent showed this very text."""
    if entry.agent != own.agent or entry.call == own.call or entry.turn >= own.turn or entry.data:
        return False
    if (entry.line, entry.amount) == (own.line, own.amount):
        return entry.digest == own.digest or own.data == "unchanged"
    return own.kind == "read" and _contains(entry, own)


def _contains(entry: Entry, own: Entry) -> bool:
    """Whether the lines of an earlier read hold those of this one. The end of a file is nobody's to know."""
    first, last = max(entry.line, 1), entry.amount or 1 << 60
    return first <= max(own.line, 1) and (own.amount or 1 << 60) <= last


def _had_reason(own: Entry, last: Entry, registry: Registry) -> bool:
    """Whether anything since the last look could have changed what it showed, or taken it from the context."""
    agent, first, now = own.agent, last.turn, own.turn
    if marked(registry, agent, ("forgot",), first, now) or _changed(own, first, registry):
        return True
    ran = registry.find("research", ("ran",))
    if any(entry.data == "opaque" and (entry.agent != agent or entry.turn >= first) for entry in ran):
        return True
    failures = failed_between(registry, agent, first, now)
    return any(not own.path or names(failure, own.path) for failure in failures)


def _changed(own: Entry, first: int, registry: Registry) -> bool:
    """A search looks at all files, a read at one; an address does not change with the work tree."""
    if "://" in own.key:
        return False
    changes = registry.find("change", (own.path,)) if own.path else registry.newest("change", WINDOW)
    return any(entry.agent != own.agent or entry.turn >= first for entry in changes)


def _finding(own: Entry, earlier: list[Entry], registry: Registry) -> Finding:
    last, times = earlier[0], len(earlier)
    often = times >= _OFTEN
    far = own.turn - last.turn > LOOKBACK
    what = own.key if len(own.key) <= 80 else f"{own.key[:77]}..."
    verb = "read" if own.kind == "read" else "fetched"
    spoken = flagged(registry, own.agent, ("RF-C1", "RF-C2"), own.turn, own.turn)
    trace = (
        f"C1: {verb} in turn {last.turn} and {times} times before, now in turn {own.turn}",
        "the same text came back; no change, no unknown program and no compaction in between",
        *(f"{flag.key}: {flag.text}" for flag in spoken[:1]),
    )
    return Finding(
        rule="refetched_context",
        subject=f"{own.key}#{_OFTEN}" if often else own.key,
        evidence=(Evidence(f"{what} was {verb} in turn {last.turn} and has not changed since."), *map(Evidence, trace)),
        confidence=0.9,
        path=own.path,
        message=f"{what} was {verb} in turn {last.turn} and has not changed since: use what you have.",
        signal=Signal(
            subclass="C1",
            rework_cost=1,
            self_correct_prob=0.7 if often else 0.5,
            stage="PLAN",
            log_only=f"fetched more than {LOOKBACK} turns ago" if far else "",
        ),
        remedy="use what was fetched",
    )
