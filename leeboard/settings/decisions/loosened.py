"""What a change to a file of decisions lets pass that did not pass before: contract, rules, baseline, allowances,
comments.

Work that rewrites what it is judged by judges itself. So whoever judges a change asks this of each file it touched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from leeboard.contracts import GRAPH, NAMES
from leeboard.contracts.workgraph import parse, tasks
from leeboard.model.contract import Allowance
from leeboard.model.lookup import BaseFiles, Files
from leeboard.model.own_rule import RULES_FOLDER
from leeboard.model.touch import FileChange
from leeboard.rule import with_code
from leeboard.settings.decisions import allowed, baseline
from leeboard.settings.decisions.recipe import is_recipe, runs_in, stays_recipe
from leeboard.settings.decisions.suppression import MARK_WORD, Said, suppressions_in

SETTINGS = ("leeboard.toml", "pyproject.toml")
GRAPHS = tuple(f"{folder}/{GRAPH}" for folder in NAMES)
_NAMED = 3
FILES = (*SETTINGS, *GRAPHS, baseline.FILE, allowed.FILE)


class Loosened(msgspec.Struct, frozen=True):
    """One thing that the change decides for itself."""

    key: str
    """What it is, short."""
    text: str
    """What was done to it, after the key."""
    line: int = 0
    """Where a comment stands that is it."""
    for_scan: bool = True
    """Whether it bears on what a scan tells, and not on the contract alone."""
    said: Said | None = None
    """What the comment says."""

    def told(self, path: str) -> str:
        return f"{self.key} in {path} {self.text}"


def idle_comment(path: str, line: int) -> str:
    """What is said of one that came with the work and finds nothing to let stand."""
    return f"line {line} in {path} has a new comment that lets nothing stand"


def is_decision(path: str) -> bool:
    """Whether a file decides by its name; comments may stand in any other."""
    return path in FILES or path.startswith(f"{RULES_FOLDER}/")


def decides(change: FileChange, path: str) -> bool:
    """Whether it means something that nothing can be read at a path any more: the file is deleted, has another name, or
    is a link, which builds do not follow.
    """
    return is_decision(path) or (is_recipe(path) and not (path != change.path and stays_recipe(path, change.path)))


def loosened(path: str, before: str, after: str | None) -> Iterator[Loosened]:
    """`after` is None where the file is gone."""
    if path in SETTINGS:
        yield from _settings(path, before, after or "")
    elif path in GRAPHS:
        yield from _contracts(before, after or "")
    elif path == baseline.FILE:
        new = sorted(set(baseline.known_entries(after)) - set(baseline.known_entries(before)))
        yield from _accepted([f"{one.path}: {with_code(one.rule)}" for one in new])
    elif path == allowed.FILE:
        had = set(allowed.known_allowances(before))
        yield from (
            Loosened(one.rule or one.fingerprint, f"was allowed{_where(one)} since the work began")
            for one in allowed.known_allowances(after)
            if one not in had
        )
    elif path.startswith(f"{RULES_FOLDER}/"):
        if before and before != after:
            yield Loosened("a rule", "was changed since the work began" if after else "was taken out", for_scan=False)
    else:
        yield from _comments(path, before, after or "")
        yield from _recipe(path, before, after or "")


def _where(one: Allowance) -> str:
    """On which paths; a fingerprint names its place itself."""
    return "" if one.fingerprint else f" on {one.path or 'every path'}"


def _accepted(entries: list[str]) -> Iterator[Loosened]:
    """Together: a baseline is written and reviewed as a whole."""
    if len(entries) == 1:
        yield Loosened(entries[0], "was accepted since the work began")
    elif entries:
        named = list(dict.fromkeys(entries))[:_NAMED]
        more = ", ..." if len(set(entries)) > len(named) else ""
        yield Loosened(f"{len(entries)} entries", f"are new since the work began ({', '.join(named)}{more})")


def _settings(path: str, before: str, after: str) -> Iterator[Loosened]:
    from leeboard.settings.toml import parse_tolerantly  # noqa: PLC0415 - only where settings were changed

    old, new = parse_tolerantly(before, path)[0], parse_tolerantly(after, path)[0]
    had, has = (old.contract.table if old.contract else {}), (new.contract.table if new.contract else {})
    for key in sorted(key for key in {*had, *has} if had and had.get(key) != has.get(key)):
        yield Loosened(f"contract.{key}", "was changed since the work began", for_scan=False)
    for rule in sorted({*new.policy.disabled_rules} - {*old.policy.disabled_rules}):
        yield Loosened(f"rules.{rule}", "was switched off since the work began")


def _contracts(before: str, after: str) -> Iterator[Loosened]:
    """What was loosened in tasks that are still there; one that is done, or gone, is judged no more."""
    has = _tables(after)
    for task, had in sorted(_tables(before).items()):
        now = has.get(task, had)
        for key in sorted(key for key in {*had, *now} if had and had.get(key) != now.get(key)):
            told = f"of task {task} was changed since the work began"
            yield Loosened(f"contract.{key}", told, for_scan=False)


def _tables(graph: str) -> dict[str, dict[str, Any]]:
    """The contracts of a graph's tasks, by their ids; empty for a task without one."""
    from leeboard.contracts.table import read_task  # noqa: PLC0415 - only where a graph was changed

    left = [task for task in tasks(parse(graph.encode("utf-8", "replace"))) if task.status != "done"]
    return {task.id: read_task(task).table for task in left}


def _comments(path: str, before: str, after: str) -> Iterator[Loosened]:
    """One that moved with its line was there."""
    left = Counter(one.said for one in suppressions_in(before, path) if not one.problem)
    for one in suppressions_in(after, path):
        if one.problem:
            continue
        left[one.said] -= 1
        if left[one.said] < 0:
            rules = ", ".join(map(with_code, one.rules))
            told = f"lets {rules} stand by a comment that came since the work began"
            yield Loosened(f"line {one.line}", told, line=one.line, said=one.said)


def _recipe(path: str, before: str, after: str) -> Iterator[Loosened]:
    """How a build runs us: what is taken out of it, or changed in it, may let anything pass."""
    had = runs_in(path, before)
    gone = sorted((had - runs_in(path, after)).elements())
    if gone:
        told = "was changed since the work began" if runs_in(path, after) else "was taken out since the work began"
        yield Loosened("how leeboard runs", told)


class MovedComments:
    """Comments that stand in another file since a change: whoever splits a file decides nothing by that."""

    def __init__(self, changes: Iterable[FileChange], now: Files, then: BaseFiles) -> None:
        self._changes, self._now, self._then = tuple(changes), now, then
        self._left: Counter[Said] | None = None

    def has(self, made: Loosened) -> bool:
        """Each that is gone elsewhere, once."""
        if made.said is None:
            return False
        if self._left is None:
            self._left = sum(map(self._lost, self._changes), Counter[Said]())
        self._left[made.said] -= 1
        return self._left[made.said] >= 0

    def _lost(self, change: FileChange) -> Counter[Said]:
        before = self._then.text(change.old_path or change.path) or ""
        if MARK_WORD not in before or is_decision(change.path):
            return Counter()
        after = "" if change.kind == "deleted" else self._now.text(change.path) or ""
        had, has = (
            Counter(one.said for one in suppressions_in(text, change.path) if not one.problem)
            for text in (before, after)
        )
        return had - has
