"""Something that a rule of the project's own people refuses.

## What it catches
Whatever `.leeboard/rules/*.yml` describes with `then: refuse`: code that an ast-grep rule fits, in lines the call
writes; files; commands, seen through wrappers. [Rules of your own](../own-rules.md) has the format and examples.

## Why it matters
Some things must not happen in a project, whoever asks: the rule says so once, and every agent is held to it.

## Example
`id: tests-first`, `when: {command: git commit, since-last-edit: {not-run: pytest}}`; the agent commits untested edits.

## Known limits
The rules count once a person trusted them (`leeboard trust`), and again after each change. Only lines that a call
writes are looked at, never what was there before. What ran in another session is not known to `since-last-edit`.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.event import ToolProposed
from leeboard.model.lookup import Registry
from leeboard.model.touch import Diffs
from leeboard.model.verdict import Finding
from leeboard.model.world import World
from leeboard.rule import Rule, Sample
from leeboard.settings.own_rules.found import findings

RULE = Rule(
    code="LB-S042",
    denies=True,
    needs_no_history=True,
    permit="allow",
    only_where="own",
    summary="what a rule of the project's own refuses",
)

_TESTS = (
    "own {id: tests-first, message: run the tests before you commit, then: refuse, "
    "when: {command: git commit, since-last-edit: {not-run: pytest}}}"
)
_LOCKED = "own {id: locked, message: generated, then: refuse, when: {path: gen/**}}"

FIRES = (
    Sample(name="untested edits", lines=(_TESTS, "@ fix src/a.py", "edit src/a.py", "$ git commit -am x")),
    Sample(name="a file", lines=(_LOCKED, "@ fix src/a.py", "edit gen/api.py")),
)
SILENT = (
    Sample(
        name="tested edits",
        lines=(_TESTS, "@ fix src/a.py", "edit src/a.py", "$ uv run pytest -q", "$ git commit -am x"),
    ),
    Sample(name="nothing was edited", lines=(_TESTS, "@ fix src/a.py", "$ git commit -am x")),
    Sample(name="a file beside it", lines=(_LOCKED, "@ fix src/a.py", "edit src/gen.py")),
)

_COST = -8


def detect(event: ToolProposed, world: World, diffs: Diffs, registry: Registry) -> Iterator[Finding]:
    """One for each rule and each place it fits."""
    yield from findings("own_refusal", ("refuse",), _COST, event, world, (diffs, registry))
