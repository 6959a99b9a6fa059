"""New code goes against how the repository does this everywhere else.

## What it catches
A library imported past the module that wraps it, a second library for a role that has one (HTTP client, ORM, logger,
test framework and more), an import against the direction of the layers or past the one between them, a new file made
unlike all its siblings, and what AGENTS.md or a decision record rules out. Before anything is written: a plan to use a
wrapped library directly, or to create a service or layer that is there already.

## Why it matters
The second way of doing one thing has to be found, understood and taken out again; everything built on it moves with it.

## Example
Twelve files use `app/db/session.py`, and the new one says `import sqlite3`.

## Known limits
A habit is learned from five files at least, of which four in five agree; without an index of the repository nothing is
said. Only imports and the make of new files are compared, not what the code does with them. Plans are judged by names
alone. Scripts, tests, migrations, files outside the work tree, the wrapper's own folder, new packages and a bypass
whose comment speaks of performance are left alone. An import of which only errors, types or constants are used goes
past no wrapper; calls that a later change adds without another import are not noticed. What the task or the agent
announces as a change of pattern is only logged.

## References
Rules in text are read from AGENTS.md, CLAUDE.md and decision records: "use X, not Y", "do not use Y; use X".
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.model.event import MessageSaid, Stopped, ThoughtShown, ToolFinished
from leeboard.model.ledger import Kind
from leeboard.model.lookup import Files, Registry
from leeboard.model.symbol import Symbols
from leeboard.model.text import lazy
from leeboard.model.touch import Diffs
from leeboard.model.verdict import Evidence, Finding, Signal, Stage
from leeboard.model.world import World
from leeboard.rule import Rule, Sample
from leeboard.speech.order import ordered, subject_words

if TYPE_CHECKING:
    from leeboard.source.contradiction import Contradiction

RULE = Rule(
    code="LB-A201",
    channel="signal",
    subclass="A2",
    summary="new code goes against how the repository does this everywhere else",
)

_WRAPPED = (
    "repo app/db/session.py | import sqlite3",
    *(f"repo app/billing/part{number}.py | from app.db.session import Session" for number in range(6)),
)
_CHOSEN = tuple(f"repo src/api/part{number}.ts | import axios from 'axios'" for number in range(6))
_MODELS = tuple(f"repo shop/part{number}.py | from sqlalchemy.orm import Session" for number in range(6))

FIRES = (
    Sample(
        name="past the wrapper",
        lines=(*_WRAPPED, "@ add a monthly report", "write app/billing/report.py | import sqlite3"),
    ),
    Sample(
        name="a second HTTP client",
        lines=(*_CHOSEN, "@ load the invoices", "write src/api/invoices.ts | import got from 'got'"),
    ),
    Sample(
        name="a second ORM", lines=(*_MODELS, "@ store refunds", "write shop/refunds.py | from peewee import Model")
    ),
    Sample(name="a plan", lines=(*_WRAPPED, "@ add a monthly report", "~ I'll use sqlite3 directly for the report.")),
    Sample(
        name="ruled out",
        lines=(
            "repo AGENTS.md | Use httpx, not requests.",
            "@ fetch the rates",
            "write app/rates.py | import requests",
        ),
    ),
)
SILENT = (
    Sample(
        name="through the wrapper",
        lines=(*_WRAPPED, "@ add a monthly report", "write app/billing/report.py | from app.db.session import Session"),
    ),
    Sample(
        name="no choice dominates",
        lines=(
            *(f"repo a/part{number}.py | import {('requests', 'httpx')[number % 2]}" for number in range(8)),
            "@ fetch the rates",
            "write a/rates.py | import httpx",
        ),
    ),
    Sample(
        name="an error of the wrapped library",
        lines=(
            *_WRAPPED,
            "@ add a monthly report",
            "write app/billing/report.py | from sqlite3 import OperationalError",
        ),
    ),
    Sample(
        name="a script",
        lines=(*_WRAPPED, "@ add a dump of the database", "write scripts/dump.py | import sqlite3"),
    ),
)

WINDOW = 10
"""Turns in which what was read or said is still in mind."""
_READ_BACK = 60
_KINDS: tuple[Kind, ...] = ("plan", "decided", "read")

_CHANGES = (
    "refactor",
    "replace",
    "migrate",
    "switch",
    "convert",
    "port",
    "move",
    "rewrite",
    "adopt",
    "introduce",
    "upgrade",
)
_ASKS = (
    *_CHANGES,
    "use",
    "add",
    "try",
    "install",
    "write",
    "create",
    "implement",
    "build",
    "import",
    "integrate",
    "make",
)
_ANNOUNCED = lazy(
    r"\b(?:switch|migrat|mov(?:e|ing) (?:over )?to|replac|instead of|rather than|because|since|in favou?r of|so that)",
    re.IGNORECASE,
)
_MANIFESTS = frozenset(
    {"package.json", "pyproject.toml", "setup.py", "go.mod", "Cargo.toml", "pom.xml", "build.gradle.kts"}
)
_MANIFESTS_TOO = frozenset({"build.gradle", "composer.json", "Gemfile"})


def detect(
    event: ToolFinished | MessageSaid | ThoughtShown | Stopped,
    world: World,
    diffs: Diffs,
    registry: Registry,
    symbols: Symbols,
) -> Iterator[Finding]:
    """Nothing without an index: what is not known to be usual can not be gone against."""
    if not symbols:
        return
    if isinstance(event, MessageSaid | ThoughtShown):
        from leeboard.source.contradiction import planned  # noqa: PLC0415 - for words only

        for found in planned(world.analysis.text, symbols.habits(), symbols.named):
            yield _finding(found, "", "PLAN", _why_log_only(found, world, registry), _is_aware(found, world, registry))
        return
    if not diffs or (isinstance(event, ToolFinished) and event.outcome != "done"):
        return
    habits = symbols.habits()
    if not habits:
        return
    from leeboard.source.contradiction import contradictions  # noqa: PLC0415 - for changes only

    for diff in diffs:
        if _is_new_package(diff.path, registry):
            continue
        for found in contradictions(diff, habits):
            reason = _why_log_only(found, world, registry)
            yield _finding(found, diff.path, diff.stage, reason, _is_aware(found, world, registry))


def holds(finding: Finding, world: World, files: Files) -> bool:
    """What was brought in is still there. Habits are no question any more: each new file would wear them down."""
    name = finding.subject.rpartition(" ")[2]
    if _is_ordered(world, _CHANGES, name):
        return False
    text = files.text(finding.path) if finding.path else None
    if text is None:
        return not finding.path or files.exists(finding.path) is not False
    return _bare(name).lower() in text.lower()


def _finding(found: Contradiction, path: str, stage: Stage, log_only: str, aware: bool) -> Finding:  # noqa: FBT001 - a fact among facts
    where = f"{path}:{found.line}: " if path and found.line else ""
    return Finding(
        rule="pattern_contradiction",
        subject=f"{path or 'plan'} {found.kind} {found.subject}",
        evidence=(
            Evidence(found.reason),
            Evidence(f"signature: {found.kind} ({found.subject}; usual: {found.usual})"),
            Evidence("the usual way was in mind" if aware else "no sign that the usual way is known"),
            *((Evidence(f"validator: {log_only}"),) if log_only else ()),
        ),
        confidence=found.confidence,
        path=path,
        line=found.line if path else 0,
        message=_short(f"{where}{found.subject}: {found.remedy}. If the pattern is to change, tell the user first."),
        remedy=found.remedy,
        signal=Signal(
            subclass="A2",
            rework_cost=found.rework,
            self_correct_prob=0.5 if aware else 0.7,
            stage=stage,
            log_only=log_only,
        ),
    )


def _short(message: str) -> str:
    words = message.split()
    return message if len(words) < 40 else " ".join(words[:38]) + " …"


def _why_log_only(found: Contradiction, world: World, registry: Registry) -> str:
    """Somebody said that the pattern changes: the task, the user by name, or the agent with a reason."""
    if any(_is_ordered(world, verbs, name) for verbs, name in _orders(found)):
        return "user-directed: not signaled"
    word = _bare(found.subject).lower()
    for entry in (*registry.newest("plan", _READ_BACK), *registry.newest("decided", _READ_BACK)):
        said = f"{entry.text} {entry.key}".lower()
        if _is_recent(entry.turn, world) and word in said and _ANNOUNCED.search(entry.text):
            return "announced by the agent"
    return ""


def _orders(found: Contradiction) -> Iterator[tuple[tuple[str, ...], str]]:
    yield _ASKS, found.subject
    yield _CHANGES, _bare(found.usual)


def _is_ordered(world: World, verbs: tuple[str, ...], name: str) -> bool:
    """Also for a library whose name is an everyday word, which has to stand there as it is."""
    if subject_words((name,)):
        return ordered(world, verbs, (name,))
    named = re.compile(rf"(?<![\w-]){re.escape(name.lower())}(?![\w-])")
    return ordered(world, verbs) and any(named.search(goal.text.lower()) for goal in world.session.goals)


def _is_aware(found: Contradiction, world: World, registry: Registry) -> bool:
    """Whether the usual way was read or spoken of in the last turns."""
    word = _bare(found.usual).lower()
    seen = (entry for kind in _KINDS for entry in registry.newest(kind, _READ_BACK))
    return any(
        _is_recent(entry.turn, world) and (entry.path == found.usual or word in f"{entry.text} {entry.key}".lower())
        for entry in seen
    )


def _is_recent(turn: int, world: World) -> bool:
    return turn >= world.agent.turn - WINDOW


def _bare(name: str) -> str:
    """`src/lib/fetchClient.ts` to fetchClient, `ui -> db` to db."""
    return posixpath.basename(name.rpartition(" -> ")[2]).partition(".")[0] or name


def _is_new_package(path: str, registry: Registry) -> bool:
    """Whether the session itself began the package this file lies in: it may choose for itself."""
    return any(
        posixpath.dirname(entry.path) and path.startswith(f"{posixpath.dirname(entry.path)}/")
        for entry in registry.newest("change", 2 * _READ_BACK)
        if posixpath.basename(entry.path) in _MANIFESTS | _MANIFESTS_TOO
    )
