"""A contract with something in it that can not be meant.

## What it catches
A `wg-contract` block that is no TOML or never closed, a mode there is not, a value of the wrong type, a schema of
another version, a glob that leads out of the repository, a key that looks like a known one misspelled. Each is named
with its line and the nearest valid value. While somebody works on the task it is an error.

## Why it matters
A typo in `mode` would switch off every check and look like success.

## Example
`mode = "CORE"`: did you mean "core"?

## Known limits
What is valid in the contract holds all the same; an unreadable mode is judged as `core`. Keys that look like nothing
known belong to somebody else and are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.contract import ContractProblem
from leeboard.model.event import TreeChecked
from leeboard.model.verdict import FAILED, WARNED, Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Countersteer, Rule, Sample

RULE = Rule(
    code="LB-S010",
    summary="a contract with an entry that makes no sense",
    detail="problems",
    order=2,
    countersteer=Countersteer(
        action="correct the contract",
        rationale="what can not be read can not be kept",
        priority="high",
        commands=("leeboard contract show --task {task}",),
    ),
)

FIRES = (
    Sample(name="a mode there is not", lines=('contract mode = "CORE"', "check")),
    Sample(name="a wrong type", lines=('contract max_files = "x"', "check")),
    Sample(name="a key misspelled", lines=('contract touchs = ["src/**"]', "check")),
)
SILENT = (
    Sample(name="in order", lines=('contract mode = "core"', "check")),
    Sample(name="a key of somebody else", lines=('contract owner = "ann"', "check")),
)


def detect(event: TreeChecked, world: World) -> Iterator[Finding]:
    """One finding for each slip."""
    held = world.held
    for problem in held.problems if held else ():
        yield _finding(problem, FAILED if held and held.active else WARNED)


def _finding(problem: ContractProblem, delta: int) -> Finding:
    where = f"line {problem.line} of the contract: " if problem.line else "the contract: "
    return Finding(
        rule="invalid_contract",
        subject=problem.key or "contract",
        evidence=(Evidence(f"{where}{problem.text}", delta),),
        message=f"{where}{problem.text}.".replace("?.", "?"),
        remedy="correct the contract",
    )
