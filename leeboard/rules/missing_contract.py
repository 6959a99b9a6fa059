"""Work without a contract: nothing says what it may touch.

## What it catches
A work tree is checked, and neither its task, nor the settings, nor a command, nor the words of a recorded session say
what the work is to be.

## Why it matters
Without a promise there is nothing to drift from: every check would be green, and say nothing.

## Example
A task in progress whose description has no `wg-contract` block.

## Known limits
A contract that was inferred from a session's words counts, although it says less than a written one.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.event import TreeChecked
from leeboard.model.verdict import WARNED, Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Countersteer, Rule, Sample

RULE = Rule(
    code="LB-S009",
    summary="work without a contract: nothing says what it may touch",
    order=1,
    countersteer=Countersteer(
        action="write down what the work may touch",
        rationale="without a contract every check would be green and say nothing",
        priority="high",
        commands=("leeboard contract ensure --apply", "leeboard contract start --goal GOAL --touch GLOB"),
    ),
)

FIRES = (Sample(name="nothing is promised", lines=("write src/a.py | x = 1", "check")),)
SILENT = (Sample(name="a contract", lines=('contract objective = "x"', "write src/a.py | x = 1", "check")),)


def detect(event: TreeChecked, world: World) -> Iterator[Finding]:
    """One finding where there is no contract."""
    if world.held is None:
        text = "nothing says what this work may touch: there is no contract"
        yield Finding(
            rule="missing_contract", subject="contract", evidence=(Evidence(text, WARNED),), message=text + "."
        )
