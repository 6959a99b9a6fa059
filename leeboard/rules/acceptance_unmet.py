"""An acceptance command that failed, or was not run on the tree as it is now.

## What it catches
A command of the contract's `acceptance` that ended with an error or ran out of time over exactly this tree: an error. A
command that was not run, or only over an older tree, is named and changes nothing: verification is a person's choice.
Where somebody asked for it (`--run-acceptance`) and it was not run because nobody trusted it here: a warning.

## Why it matters
Acceptance is what the work promised to show. A pass on yesterday's tree shows nothing about today's.

## Example
`acceptance = ["make test"]`, and `make test` exits with 2.

## Known limits
Commands run only when somebody asks for it (`leeboard check --run-acceptance`). A result belongs to the content of the
tree, commits and all; ignored files and the world around it (services, clocks) are not part of that. A command that
itself changes the tree passes for neither tree.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.event import TreeChecked
from leeboard.model.touch import AcceptanceRun
from leeboard.model.verdict import FAILED, TOLD, WARNED, Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Countersteer, Rule, Sample
from leeboard.secrets.redaction import redact

RULE = Rule(
    code="LB-S017",
    summary="an acceptance command that failed, or has not been run on the tree as it is now",
    detail="commands",
    order=10,
    countersteer=Countersteer(
        action="make the acceptance commands pass",
        rationale="they are what the work promised to show",
        priority="high",
        commands=("leeboard check --task {task} --run-acceptance",),
    ),
)

FIRES = (
    Sample(
        name="it failed over this tree",
        lines=('contract acceptance = ["make test"]', "write src/a.py | x = 1", "check make test -> exit 2"),
    ),
)
SILENT = (
    Sample(
        name="it passed",
        lines=('contract acceptance = ["make test"]', "write src/a.py | x = 1", "check make test -> exit 0"),
    ),
    Sample(name="nobody asked", lines=('contract acceptance = ["make test"]', "write src/a.py | x = 1", "check")),
    Sample(name="nothing promised", lines=('contract objective = "x"', "check make test -> exit 2")),
)
_TAIL = 300


def detect(event: TreeChecked, world: World) -> Iterator[Finding]:
    """One finding for each command that did not pass over this tree."""
    runs = {run.command: run for run in event.acceptance if run.tree == event.change.digest}
    for command in world.held.contract.acceptance if world.held else ():
        run = runs.get(command)
        if command in event.untrusted:
            yield _untrusted(command)
        elif run is None:
            yield _finding(command, "has not been run on the tree as it is now", TOLD)
        elif not run.passed:
            yield _finding(command, _how(run), FAILED, run.tail)


def _untrusted(command: str) -> Finding:
    """What was asked for and not done is not green."""
    command = redact(command)
    text = f"not run: acceptance `{command}` is not trusted here yet"
    way = "`leeboard trust` shows it and asks; a build server says `leeboard check --run-acceptance --trust`"
    return Finding(
        rule="acceptance_unmet",
        subject=command,
        evidence=(Evidence(text, WARNED),),
        message=f"{text}; {way}.",
        remedy=way,
    )


def _how(run: AcceptanceRun) -> str:
    return f"ran out of time after {run.seconds:g} s" if run.code is None else f"ended with exit code {run.code}"


def _finding(command: str, how: str, delta: int, tail: str = "") -> Finding:
    command = redact(command)
    text = f"acceptance `{command}` {how}"
    last = " | ".join(tail.strip().splitlines()[-3:])[-_TAIL:]
    return Finding(
        rule="acceptance_unmet",
        subject=command,
        evidence=(Evidence(text, delta), *((Evidence(last),) if last else ())),
        message=f"{text}{f': {last}' if last else ''}.",
        remedy=f"make `{command}` pass",
    )
