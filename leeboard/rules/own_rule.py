"""Something that a rule of the project's own people speaks of.

## What it catches
Whatever `.leeboard/rules/*.yml` describes with `then: say` or `then: log`: code that an ast-grep rule fits, in lines
the call writes; files; commands, seen through wrappers. [Rules of your own](../own-rules.md) has format and examples.

## Why it matters
Every project has habits that no built-in rule knows.

## Example
`id: use-the-logger`, `rule: {pattern: print($$$)}`, `when: {path: src/**}`; the agent writes `print(x)` there.

## Known limits
The rules count once a person trusted them (`leeboard trust`), and again after each change. Only lines that a call
writes are looked at, never what was there before. A file whose language ast-grep does not know is passed over.
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
    code="LB-S041",
    permit="allow",
    only_where="own",
    summary="what a rule of the project's own speaks of",
)

_PRINT = "own {id: use-the-logger, language: python, message: no print here, rule: {pattern: print($$$)}}"

FIRES = (
    Sample(name="code that fits", lines=(_PRINT, "@ fix src/a.py", "write src/a.py | print(1)")),
    Sample(
        name="a command",
        lines=("own {id: pnpm, message: use pnpm, when: {command: npm}}", "@ fix src/a.py", "$ cd web && npm ci"),
    ),
)
SILENT = (
    Sample(name="code that only looks alike", lines=(_PRINT, "@ fix src/a.py", "write src/a.py | printer(1)")),
    Sample(
        name="what was there before",
        lines=(
            _PRINT,
            "repo src/a.py | print(1)",
            "@ fix src/a.py",
            "edit src/a.py | print(1) => print(1)",
        ),
    ),
    Sample(name="another language", lines=(_PRINT, "@ fix src/a.ts", "write src/a.ts | print(1)")),
)

_COST = -3


def detect(event: ToolProposed, world: World, diffs: Diffs, registry: Registry) -> Iterator[Finding]:
    """One for each rule and each place it fits."""
    yield from findings("own_rule", ("say", "log"), _COST, event, world, (diffs, registry))
