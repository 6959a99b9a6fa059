"""A quality gate that can not run, and a unit ahead of what it depends on.

## What it catches
When an agent stops: a gate of its unit whose program is not installed, and a unit that was worked on although one it
depends on is not completed, or does not exist. Said once, before the gates are counted for anything.

## Why it matters
A gate that did not run looks like one that failed, and sends the agent after an error there is none. A unit built ahead
of its foundation is built twice.

## Example
The gate is `ruff check .`, and `ruff` is neither in the work tree's environment nor on the path.

## Known limits
The program is the first word of a gate's command, behind assignments and the usual wrappers; what that program itself
needs is seen only when it runs. Packages are not looked into.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.plan import Plan
from leeboard.model.text import as_sentence
from leeboard.model.unit import GateRun, StopProposed, Unit
from leeboard.model.verdict import Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Rule, Sample

RULE = Rule(
    code="LB-G007",
    channel="guard",
    summary="a quality gate that can not run, or a unit ahead of what it depends on",
)

FIRES = (
    Sample(
        name="the program is not there",
        lines=('plan phase = "execute"', "plan worked = true", 'plan gate_missing = "pytest"', "leave Done."),
    ),
    Sample(
        name="ahead of another unit",
        lines=('plan phase = "execute"', "plan worked = true", 'plan depends_on = ["unit-09-later"]', "leave Done."),
    ),
)
SILENT = (
    Sample(
        name="it is there",
        lines=('plan phase = "execute"', "plan worked = true", "plan gate_exit = 0", "leave Done."),
    ),
    Sample(
        name="said already",
        lines=('plan phase = "execute"', "plan worked = true", 'plan gate_missing = "pytest"', "leave again Done."),
    ),
)


def detect(event: StopProposed, world: World) -> Iterator[Finding]:
    """One finding for each program and each unit that is missing."""
    if world.plan is None or event.already_blocked:
        return
    for run in event.gate_runs:
        if run.missing:
            yield _not_run(run)
    for worked in event.worked_on:
        for needed in _unmet(worked.unit, world.plan):
            yield _ahead(worked.unit, needed)


def _unmet(unit: Unit, plan: Plan) -> Iterator[str]:
    stage = plan.stage(unit.stage)
    for needed in unit.depends_on:
        found = stage.unit(needed) if stage else None
        if found is None or found.status != "completed":
            yield needed


def _not_run(run: GateRun) -> Finding:
    text = f"the quality gate {run.name} (`{run.command}`) was not run: {run.missing} is not installed"
    return Finding(
        rule="missing_deps",
        subject=run.missing,
        evidence=(Evidence(text, -4),),
        message=f"T{text[1:]}. It counts neither as passed nor as failed.",
        remedy=f"install {run.missing} the way this project installs its tools, or tell the user that it is missing",
    )


def _ahead(unit: Unit, needed: str) -> Finding:
    text = f"{unit.id} depends on {needed}, which is not completed"
    return Finding(
        rule="missing_deps",
        subject=f"{unit.id} {needed}",
        evidence=(Evidence(text, -4),),
        message=f"{as_sentence(text)}.",
        remedy=f"call `haiku_run_next`: it says which unit comes first, or which `depends_on` of {unit.id} to correct",
    )
