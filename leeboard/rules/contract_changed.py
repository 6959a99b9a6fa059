"""What the work is judged by, changed by the work itself.

## What it catches
`[contract]` of `leeboard.toml` or `pyproject.toml` differs from what it was when the work began: a glob was added, a
limit raised, an acceptance command or a mode changed, the whole taken out. Rules that were switched off since count
too, as do rules of the project's own (`.leeboard/rules`) that were changed or taken out, findings that were added to
`leeboard-baseline.json`, allowances that were added to `leeboard-allowed.json`, new comments that let a finding stand,
and contracts of tasks in a committed workgraph, as long as the task is not done. A new contract, where there was none,
is none of this; nor is a comment that moved along with its code, nor what makes any of it stricter by taking an
acceptance, an allowance or a comment away.

Steps that run Leeboard in a build, a commit hook, a makefile or a `package.json` count as well, where they were changed
or taken out. So does what decides about such a step: the conditions of its job and file (`if`, `continue-on-error`,
`allow_failure`, `on`), every key of its job but a name, a timeout and the like, a key above it that changed or is there
twice, the conditions of the jobs that its job needs or extends, which commit is checked out, and lines of the same
script that may end it (`exit`, `if`, a function, a text that begins). Other steps, other jobs and other commands of a
hook are free to change. A build file that has another name or became a link has taken its steps out.

A `scan` of a change queues under this name a source file of the product that nobody can analyse since then: it became
binary or larger than 2 MB, too deeply nested for the parser, has lines that look minified without a name that says so,
names an encoding in which its text is another, or came with a new folder that tools make (`vendor/`, `dist/`).

## Why it matters
A contract that the work may rewrite judges nothing: the change that widens it would be green by itself.

## Example
On a branch `touch = ["src/**"]` becomes `touch = ["**"]` in the same commits that change `docs/`.

## Known limits
Contracts of tasks are compared where the graph is committed; elsewhere changing them leaves a trace on the task. Build
files are read by their lines, as far as that goes: what earlier steps of a job do to the machine (another checkout,
another program of its name), files that a build includes from elsewhere, anchors, and scripts that it calls are not
read: those files belong to people, by `CODEOWNERS` or the like. Who changed a file is not known; a person who meant it
lets it stand with `leeboard allow contract_changed --reason WHY`, and a build that a reviewer has told so with
`leeboard check --reviewed`. Rules that were switched off since the work began are asked all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING

from leeboard.model.event import TreeChecked
from leeboard.model.lookup import BaseFiles, Files
from leeboard.model.touch import FileChange
from leeboard.model.verdict import FAILED, Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Countersteer, Rule, Sample

if TYPE_CHECKING:
    from leeboard.settings.decisions.loosened import Loosened, MovedComments

RULE = Rule(
    code="LB-S011",
    summary="what the work is judged by, changed by the work itself",
    detail="keys",
    order=12,
    countersteer=Countersteer(
        action="have a person confirm what the change decides, or undo that part of it",
        rationale="what the work may rewrite does not judge it",
        priority="high",
    ),
)

_BASE = 'repo leeboard.toml | [contract]\ntouch = ["src/**"]'
FIRES = (
    Sample(
        name="widened",
        lines=("@ change leeboard.toml", _BASE, 'write leeboard.toml | [contract]\ntouch = ["**"]', "check"),
    ),
    Sample(
        name="taken out", lines=("@ change leeboard.toml", _BASE, "write leeboard.toml | profile = 'advise'", "check")
    ),
)
SILENT = (
    Sample(
        name="a comment that was there",
        lines=(
            "repo src/a.py | x = 1  # leeboard: allow LB-B301 an old protocol",
            "write src/a.py | y = 2\nx = 1  # leeboard: allow LB-B301 an old protocol",
            "check",
        ),
    ),
    Sample(
        name="a new one",
        lines=("@ change leeboard.toml", 'write leeboard.toml | [contract]\ntouch = ["src/**"]', "check"),
    ),
    Sample(
        name="something else in the file",
        lines=(
            "@ change leeboard.toml",
            _BASE,
            'write leeboard.toml | profile = "advise"\n[contract]\ntouch = ["src/**"]',
            "check",
        ),
    ),
)

_MARK = "leeboard:"
_GRAPHS = (".wg/graph.jsonl", ".workgraph/graph.jsonl")


def detect(event: TreeChecked, world: World, files: Files, base: BaseFiles) -> Iterator[Finding]:
    """One finding for each thing that was decided."""
    moved = _moved(event, files, base)
    for change in event.change.files:
        if change.path.startswith(".leeboard/rules/") or any(map(_is_named, change.paths)) or _may_comment(change):
            yield from (_finding(path, one) for path, one in _of_file(change, files, base) if not moved().has(one))
    for path in _GRAPHS:
        yield from _of_graph(path, files, base)


def _of_graph(path: str, files: Files, base: BaseFiles) -> Iterator[Finding]:
    """A folder of tasks is no part of the work, so its changes are not among those of the tree."""
    after = files.text(path)
    before = base.text(path) if after is not None else None
    if before is None or before == after:
        return
    from leeboard.settings.decisions.loosened import loosened  # noqa: PLC0415 - as below

    yield from (_finding(path, one) for one in loosened(path, before, after))


def _is_named(path: str) -> bool:
    from leeboard.settings.decisions.recipe import is_recipe  # noqa: PLC0415 - as below

    return path.startswith("leeboard") or path == "pyproject.toml" or is_recipe(path)


def _may_comment(change: FileChange) -> bool:
    return change.cut or any(_MARK in line for hunk in change.hunks for line in hunk.added)


def _moved(event: TreeChecked, files: Files, base: BaseFiles) -> Callable[[], MovedComments]:
    """Made where something was decided."""

    @cache
    def made() -> MovedComments:
        from leeboard.settings.decisions.loosened import MovedComments  # noqa: PLC0415 - as below

        return MovedComments(event.change.files, files, base)

    return made


def _of_file(change: FileChange, files: Files, base: BaseFiles) -> Iterator[tuple[str, Loosened]]:
    from leeboard.settings.decisions.loosened import (  # noqa: PLC0415 - only where something was decided
        decides,
        is_decision,
        loosened,
    )

    for path in change.paths:
        earlier = path if is_decision(path) or path != change.path else change.old_path or path
        after = None if path != change.path else files.text(path)
        if after is None and not decides(change, path):
            continue
        for one in loosened(path, base.text(earlier) or "", after):
            yield path, one


def _finding(path: str, made: Loosened) -> Finding:
    text, key = made.told(path), made.key
    return Finding(
        rule="contract_changed",
        subject=f"{path}:{key}",
        evidence=(Evidence(text, FAILED),),
        path=path,
        line=made.line,
        message=f"{text}.",
        remedy=f"undo the change to {key}, or have a person confirm it",
    )
