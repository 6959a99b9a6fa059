"""Quality gates as they stand over the tree as it is: which are owed, which failed, which could not run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from leeboard.model.gate import GateRun
from leeboard.model.plan import Plan, StageView
from leeboard.model.studio import GateCommand
from leeboard.model.unit import Unit


def stage_commands(plan: Plan, stage: StageView) -> tuple[GateCommand, ...]:
    """Those of the intent and of all its units: one command in one folder is run once."""
    return _once((*plan.intent.quality_gates, *(gate for unit in stage.units for gate in unit.quality_gates)))


def unit_commands(plan: Plan, unit: Unit) -> tuple[GateCommand, ...]:
    return _once((*plan.intent.quality_gates, *unit.quality_gates))


def owed(commands: Iterable[GateCommand], stage: StageView, unit: str = "") -> tuple[GateCommand, ...]:
    """Those that were not run over the tree as it is now."""
    done = {(run.command, run.dir) for run in runs(commands, stage, unit)}
    return tuple(gate for gate in commands if (gate.command, gate.dir) not in done)


def runs(commands: Iterable[GateCommand], stage: StageView, unit: str = "") -> tuple[GateRun, ...]:
    wanted = {(gate.command, gate.dir) for gate in commands}
    return tuple(run for run in stage.gate_runs if run.unit == unit and (run.command, run.dir) in wanted)


def failed(commands: Iterable[GateCommand], stage: StageView, unit: str = "") -> tuple[GateRun, ...]:
    """A gate whose program is missing has not failed: it was never asked, and a person lets the stage through."""
    return tuple(run for run in runs(commands, stage, unit) if not run.passed and not run.missing)


def unproven(commands: Iterable[GateCommand], stage: StageView) -> tuple[GateRun, ...]:
    """Gates that nobody could run."""
    return tuple(run for run in runs(commands, stage) if run.missing)


def warnings(commands: Iterable[GateCommand], stage: StageView) -> list[str]:
    """What has to be said beside the next clue."""
    return [
        f"Quality gate {run.name} was not run: {run.missing} is not installed." for run in unproven(commands, stage)
    ]


def failure_payload(found: Iterable[GateRun]) -> list[dict[str, Any]]:
    return [
        {"name": run.name, "command": run.command, "dir": run.dir, "exit_code": run.code, "output": run.tail}
        for run in found
    ]


def _once(gates: Iterable[GateCommand]) -> tuple[GateCommand, ...]:
    return tuple({(gate.command, gate.dir): gate for gate in reversed(tuple(gates)) if gate.command}.values())[::-1]
