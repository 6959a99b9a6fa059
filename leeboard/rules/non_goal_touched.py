"""A change of what the contract names as a non-goal.

## What it catches
A changed, created, deleted or renamed file that a non-goal rules out: one under a path, glob or folder it names, or of
a kind that is told by its path, such as the schema, tests, docs or the pipeline; and a manifest that gained packages
where a non-goal rules out new dependencies.

## Why it matters
A non-goal is what somebody thought of beforehand and decided against. Work on it is work to be thrown away.

## Example
`non_goals = ["no changes to the database schema"]`, and the change adds `migrations/0007_add_index.sql`.

## Known limits
Only what paths and manifests can show is checked: "no API changes" or "no new features" is not. A non-goal with a
condition ("unless acceptance needs it") is left to people, and one against fallbacks, retries and guardrails to
`hardening_in_core`. What a person asked for by word, and files that another task in progress may touch, are not
blamed. Not in the mode `explore`.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.contracts.non_goal import NonGoal, read_non_goal
from leeboard.model.event import TreeChecked
from leeboard.model.lookup import BaseFiles, Files
from leeboard.model.text import digest, matches
from leeboard.model.touch import FileChange
from leeboard.model.verdict import WARNED, Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Countersteer, Rule, Sample

RULE = Rule(
    code="LB-S012",
    summary="a change to what the contract names as a non-goal",
    detail="non_goals",
    order=9,
    countersteer=Countersteer(
        action="revert what a non-goal rules out, or have the non-goal lifted",
        rationale="somebody decided against this work before it began",
        priority="high",
    ),
)

FIRES = (
    Sample(
        name="the schema",
        lines=(
            'contract non_goals = ["no changes to the database schema"]',
            "write db/migrations/0007.sql | ALTER TABLE x;",
            "check",
        ),
    ),
    Sample(
        name="a folder",
        lines=(
            'contract non_goals = ["Do not touch src/billing"]',
            "repo src/billing/tax.py | old",
            "write src/billing/tax.py | new",
            "check",
        ),
    ),
    Sample(
        name="new packages",
        lines=(
            'contract non_goals = ["No new dependencies"]',
            'repo package.json | {"dependencies": {"a": "1.0.0"}}',
            'write package.json | {"dependencies": {"a": "1.0.0", "b": "2.0.0"}}',
            "check",
        ),
    ),
)
SILENT = (
    Sample(
        name="elsewhere",
        lines=('contract non_goals = ["no changes to the database schema"]', "write src/a.py | x = 1", "check"),
    ),
    Sample(
        name="not to be checked",
        lines=('contract non_goals = ["No API changes", "No new features"]', "write src/api/a.py | x = 1", "check"),
    ),
    Sample(
        name="exploring",
        lines=(
            'contract mode = "explore"',
            'contract non_goals = ["Do not touch src/billing"]',
            "write src/billing/tax.py | new",
            "check",
        ),
    ),
    Sample(
        name="no new package",
        lines=(
            'contract non_goals = ["No new dependencies"]',
            'repo package.json | {"version": "1.0.0"}',
            'write package.json | {"version": "1.0.1"}',
            "check",
        ),
    ),
)


def detect(event: TreeChecked, world: World, files: Files, base: BaseFiles) -> Iterator[Finding]:
    """One finding for each path and each non-goal it breaks."""
    contract = world.held.contract if world.held else None
    if contract is None or contract.mode == "explore" or not contract.non_goals:
        return
    goals = [goal for goal in map(read_non_goal, contract.non_goals) if goal is not None]
    for change in event.change.files if goals else ():
        for goal in goals:
            if goal.rules_out_packages:
                yield from _packages(goal, change, files, base) if _is_blamed(change.path, event) else ()
            elif not (goal.is_about_existing and change.kind == "added"):
                blamed = [path for path in change.paths if goal.rules_out(path) and _is_blamed(path, event)]
                yield from (_finding(goal, path, f"{path} was {_how(change, path)}") for path in blamed[-1:])


def _is_blamed(path: str, event: TreeChecked) -> bool:
    return path not in event.shared and not matches(path, event.directed)


def _how(change: FileChange, path: str) -> str:
    if change.kind == "renamed":
        return "moved away" if path == change.old_path else "moved here"
    return change.kind if change.kind in {"added", "deleted"} else "changed"


def _packages(goal: NonGoal, change: FileChange, files: Files, base: BaseFiles) -> Iterator[Finding]:
    from leeboard.contracts.manifest.gain import gain_of  # noqa: PLC0415 - only where a non-goal speaks of packages
    from leeboard.contracts.manifest.kind import is_lock, kind_of  # noqa: PLC0415 - as above

    kind = kind_of(change.path)
    if not kind or is_lock(kind):
        return
    names = list(dict.fromkeys(entry.name for entry in gain_of(change, files, base).added))
    if names:
        shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
        yield _finding(goal, change.path, f"{change.path} gained {shown}")


def _finding(goal: NonGoal, path: str, what: str) -> Finding:
    text = f"{what}, which a non-goal rules out: {goal.text}"
    return Finding(
        rule="non_goal_touched",
        subject=f"{path}:{digest(goal.text.lower(), 4)}",
        evidence=(Evidence(text, WARNED),),
        path=path,
        message=f"{text}.",
        remedy=f"undo the change to {path}, or have the non-goal removed from the contract",
    )
