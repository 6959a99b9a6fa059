"""An agent that ends while a quality gate of its unit fails.

## What it catches
When an agent stops under a hat that has to meet the quality gates, those of the intent and of its unit are run over
the tree as the agent leaves it. It is kept going, once, with the name of each that failed and the end of its output.

## Why it matters
Whatever fails now fails again in review, with a reviewer's time in between.

## Example
The unit has the gate `pytest -q`; the builder ends while two tests fail.

## Known limits
Run only for hats with `run_quality_gates`, else for `builder`, `implementer` and `refactorer`, within the time a hook
has; what was run over the very same tree is not run again. A gate whose program is not installed did not fail: it was
not run. An agent that was kept going already is let go, and the workflow runs the gates anyway before it goes on.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.unit import GateRun, StopProposed
from leeboard.model.verdict import Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Rule, Sample

RULE = Rule(
    code="LB-G006",
    channel="guard",
    summary="an agent that ends while a quality gate of its unit fails",
)

FIRES = (
    Sample(
        name="tests fail",
        lines=('plan phase = "execute"', "plan worked = true", "plan gate_exit = 1", "leave Done."),
    ),
)
SILENT = (
    Sample(
        name="they pass",
        lines=('plan phase = "execute"', "plan worked = true", "plan gate_exit = 0", "leave Done."),
    ),
    Sample(
        name="kept going already",
        lines=('plan phase = "execute"', "plan worked = true", "plan gate_exit = 1", "leave again Done."),
    ),
    Sample(
        name="the program is not there",
        lines=('plan phase = "execute"', "plan worked = true", 'plan gate_missing = "pytest"', "leave Done."),
    ),
)

_TAIL = 500


def detect(event: StopProposed, world: World) -> Iterator[Finding]:
    """One finding for each gate that failed."""
    if world.plan is None or event.already_blocked:
        return
    for run in event.gate_runs:
        if not run.passed and not run.missing:
            yield _finding(run)


def _finding(run: GateRun) -> Finding:
    how = "was killed at its time limit" if run.code is None else f"ended with {run.code}"
    where = f" in {run.dir}" if run.dir else ""
    text = f"the quality gate {run.name} (`{run.command}`{where}) {how}"
    tail = run.tail.strip()[-_TAIL:]
    return Finding(
        rule="failing_gates",
        subject=run.name or run.command,
        evidence=(Evidence(text, -8),),
        message=f"T{text[1:]}." + (f" The end of its output:\n{tail}" if tail else ""),
        remedy="fix what fails in the unit's work tree, run the command again, and only then end",
    )
