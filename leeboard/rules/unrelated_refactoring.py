"""Code is cleaned up that has nothing to do with the task.

## What it catches
A change to a file that nothing in the session led to and that only alters how code looks (formatting, names, order), or
that the agent announces in passing: "while I'm here, I'll clean up", "I'll also refactor", "let me tidy this up". It is
logged. Where more than six tenths of the lines changed since the user last spoke lie in two or more such files, it is
queued.

## Why it matters
Side refactorings bring regressions nobody asked for, bury the change that was asked for and are often reverted.

## Example
The task is a bug in `src/auth/token.ts`. The agent renames variables in `src/billing/invoice.ts` and reorders the
imports of `src/mail/sender.ts`.

## Known limits
What ties a file to the work is what the rule `scope_drift` goes by. Not counted: what the user asked to clean up, files
that a failure named shortly before, generated and lock files, documents, and tests. Callers that a changed signature
forces are tied to the work by what they share with it.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from leeboard.analysis.timeline import WINDOW, asked_in, failed_between, flagged, names
from leeboard.model.event import MessageSaid, ThoughtShown, ToolFinished
from leeboard.model.ledger import Entry
from leeboard.model.lookup import Registry
from leeboard.model.touch import Diff, Diffs
from leeboard.model.verdict import Evidence, Finding, Signal
from leeboard.model.world import World
from leeboard.rule import Rule, Sample
from leeboard.source.new_code import sides
from leeboard.source.second_version import is_restyling
from leeboard.speech.order import ordered
from leeboard.text.language import is_generated, is_test_path
from leeboard.text.names import path_words

RULE = Rule(
    code="LB-D101",
    channel="signal",
    subclass="D1",
    only_where="flag",
    summary="a clean-up of code that has nothing to do with the task",
)

_TASK = (
    "@ fix the auth bug",
    "read src/auth/token.ts",
    "edit src/auth/token.ts | a(1) => a(2)",
    "read src/auth/key.ts",
)
FIRES = (
    Sample(
        name="a rename in another subsystem",
        lines=(*_TASK, "edit src/billing/invoice.ts | const sum = total() => const amount = total()"),
    ),
    Sample(name="announced", lines=(*_TASK, "~ While I'm here, I'll clean up the imports of the mailer.")),
)
SILENT = (
    Sample(
        name="the user asked for it",
        lines=(
            "@ fix the auth bug, and also clean up src/billing/invoice.ts",
            *_TASK[1:],
            "edit src/billing/invoice.ts | const sum = total() => const amount = total()",
        ),
    ),
    Sample(name="part of the work", lines=(*_TASK, "edit src/auth/token.ts | const a = b() => const c = b()")),
)

RATIO = 0.6
_FEWEST_FILES, _FEWEST_LINES = 2, 20
_CLEANING = (
    *("clean", "tidy", "refactor", "rename", "reorganize", "reorganise", "restructure", "format", "reformat", "lint"),
    *("simplify", "modernize", "modernise", "polish", "sort", "consistent"),
)
_PROSE = (".md", ".mdx", ".rst", ".txt", ".adoc")


def detect(
    event: ToolFinished | MessageSaid | ThoughtShown, world: World, diffs: Diffs, registry: Registry
) -> Iterator[Finding]:
    """One finding for each unrelated file that is merely cleaned up, and one when most of the work is that."""
    if world.contract.wide:
        return
    if not isinstance(event, ToolFinished):
        yield from _announced(world, registry)
        return
    if event.outcome != "done":
        return
    for diff in diffs:
        if _counts(diff.path):
            yield from _judged(diff, is_restyling(*sides(event.call, diff)), world, registry)


def _counts(path: str) -> bool:
    prose = path.lower().endswith(_PROSE)
    return bool(path) and not prose and not is_test_path(path) and not is_generated(path, "")


def _announced(world: World, registry: Registry) -> Iterator[Finding]:
    """The words alone, before anything is written."""
    turn, agent = world.agent.turn, world.analysis.event.agent
    for flag in flagged(registry, agent, ("RF-D1",), turn, turn)[:1]:
        if ordered(world, _CLEANING):
            return
        yield Finding(
            rule="unrelated_refactoring",
            subject=f"said: {flag.text[:80]}",
            evidence=(
                Evidence(f"The agent announces a clean-up in passing: {flag.text[:160]}"),
                Evidence("D1: RF-D1, no diff"),
            ),
            confidence=0.4,
            message="A clean-up in passing is not part of the task: leave it, or ask the user first.",
            signal=Signal(subclass="D1", rework_cost=2, self_correct_prob=0.4, stage="PLAN"),
            remedy="leave the clean-up for another day",
        )


def _judged(diff: Diff, restyled: bool, world: World, registry: Registry) -> Iterator[Finding]:  # noqa: FBT001 - a fact of the diff
    turn, agent = world.agent.turn, world.analysis.event.agent
    strays = diff.path in world.agent.strays
    said = flagged(registry, agent, ("RF-D1",), max(turn - 1, asked_in(registry, agent)), turn)
    if not (strays or (said and restyled)) or _was_needed(diff.path, world, registry):
        return
    lines, all_lines, files = _spread(world, registry)
    ratio = lines / all_lines if all_lines else 0.0
    large = len(files) >= _FEWEST_FILES and all_lines >= _FEWEST_LINES
    told = _Told(diff, said, restyled, ratio, strays)
    if strays and (restyled or said) and large and ratio > RATIO:
        yield told.finding(f"exchange {world.session.exchange}", files, floor=2.0)
    elif restyled or said:
        yield told.finding(diff.path, files)


def _was_needed(path: str, world: World, registry: Registry) -> bool:
    """The user asked for it, or a failure named the file just before."""
    turn, agent = world.agent.turn, world.analysis.event.agent
    if any(names(failure, path) for failure in failed_between(registry, agent, turn - 3, turn)):
        return True
    return ordered(world, _CLEANING, path_words(path)) or ordered(world, ("everywhere", "all files", "whole codebase"))


def _spread(world: World, registry: Registry) -> tuple[int, int, tuple[str, ...]]:
    """Lines changed since the user spoke in unrelated files and in all, and the unrelated files."""
    agent = world.analysis.event.agent
    first = asked_in(registry, agent)
    changes = [
        entry
        for entry in registry.newest("change", WINDOW)
        if entry.agent == agent and entry.turn >= first and entry.amount and _counts(entry.path)
    ]
    outside = [entry for entry in changes if entry.path in world.agent.strays]
    files = tuple(sorted({entry.path for entry in outside}))
    return sum(entry.amount for entry in outside), sum(entry.amount for entry in changes), files


class _Told(msgspec.Struct, frozen=True):
    """What is known of one change, to be put into words."""

    diff: Diff
    said: tuple[Entry, ...]
    restyled: bool
    ratio: float
    strays: bool

    def finding(self, subject: str, files: tuple[str, ...], floor: float = 0.0) -> Finding:
        path = self.diff.path
        what = "only alters how the code looks" if self.restyled else "is not what the task is about"
        others = f", as {len(files)} files by now" if floor else ""
        return Finding(
            rule="unrelated_refactoring",
            subject=subject,
            evidence=(
                Evidence(f"The change to {path} {what}, and nothing in the session led there{others}."),
                Evidence(f"D1: unrelated ratio {self.ratio:.2f} over {len(files)} unrelated files"),
                *(Evidence(f"RF-D1: {flag.text}") for flag in self.said[:1]),
            ),
            confidence=0.7 if self.restyled and self.strays else 0.5,
            path=path,
            line=self.diff.added[0][0] if self.diff.added else 0,
            message=self._message(files, floor),
            signal=Signal(
                subclass="D1",
                rework_cost=2,
                self_correct_prob=0.6 if self.restyled and self.strays else 0.4,
                floor=floor,
            ),
            remedy=f"take the clean-up of {path} out",
        )

    def _message(self, files: tuple[str, ...], floor: float) -> str:
        if floor:
            share = round(self.ratio * 100)
            where = f"({len(files)} files, now {self.diff.path})"
            return f"{share} % of the changed lines are a clean-up outside the task {where}: take it out."
        return f"Cleaning up {self.diff.path} is not part of the task: take it out or ask the user first."


def holds(finding: Finding, world: World, diffs: Diffs, registry: Registry) -> bool:
    """It stands while most of what was changed lies outside the task."""
    if not finding.subject.startswith("exchange "):
        return not ordered(world, _CLEANING, path_words(finding.path))
    lines, all_lines, files = _spread(world, registry)
    same = finding.subject == f"exchange {world.session.exchange}"
    return same and len(files) >= _FEWEST_FILES and lines > RATIO * all_lines
