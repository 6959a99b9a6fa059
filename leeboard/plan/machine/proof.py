"""Quality gates as they stand over the tree as it is: which are owed, which failed, which could not run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import to_builtins

from leeboard.model.plan import Plan, StageView
from leeboard.model.studio import GateCommand
from leeboard.model.unit import Feedback, GateRun, Pass, Unit


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


# Work that was let through on a reason alone: that nothing had to change. People judge it at the gate.
#
# Each pass keeps whether something had changed by then. A reason stands while nothing has: neither when it was given,
# nor when a later hat was done.


_LET_THROUGH = frozenset({"addressed", "closed"})
GATES_FAIL = "quality gates fail: "
"""How the reason begins where no hat sent it back: the engine ran its quality gates."""
_NO_REASON = "no reason was given"
_MOVED = "moved to "
"""A finding that ended so goes on in another stage."""


def standing(passes: Sequence[Pass]) -> tuple[Pass, ...]:
    """Those whose reason still holds."""
    found: list[Pass] = []
    for done in passes:
        if done.changed:
            found.clear()
        elif done.result == "advance" and done.reason:
            found.append(done)
        elif done.result == "reject":  # what was said before it did not do
            found.clear()
    return tuple(found)


def has_changed(passes: Sequence[Pass], *, seen: bool | None) -> bool:
    """For a pass that is added: what was seen, else what was known before."""
    return seen if seen is not None else bool(passes) and passes[-1].changed


def as_kept(passes: Iterable[Pass]) -> list[dict[str, Any]]:
    """As the files keep them."""
    spared = {"changed", "work"}
    return [{key: value for key, value in to_builtins(each).items() if value or key not in spared} for each in passes]


def sent_back(passes: Sequence[Pass]) -> str:
    """Why the hat before has to go on, in one line; empty where nobody sent it back."""
    last = passes[-1] if passes else None
    return " ".join(last.reason.split()) or _NO_REASON if last is not None and last.result == "reject" else ""


def sender(back: Pass) -> str:
    """Who sent it back: a hat, or its quality gates, which are run when the hat says that it is done."""
    return "quality gates" if by_gates(back) else back.hat


def by_gates(back: Pass) -> bool:
    return back.result == "reject" and back.reason.startswith(GATES_FAIL)


def is_as_sent_back(passes: Sequence[Pass], work: str) -> bool:
    """Whether nothing has changed since a hat found it wanting."""
    last = passes[-1] if passes else None
    return last is not None and last.result == "reject" and bool(last.work) and last.work == work


def unchanged(plan: Plan, stage: StageView) -> list[dict[str, str]]:
    """Units and findings that were called done without a change at the gate of a stage, and why."""
    units = [
        {"unit": unit.id, "hat": done.hat, "reason": done.reason}
        for unit in stage.units
        for done in standing(unit.passes)
    ]
    return units + [
        {"feedback_id": item.id, "stage": item.stage, "title": item.title, "hat": done.hat, "reason": done.reason}
        for item in _let_through(plan, stage)
        for done in standing(item.passes)
        if item.stage == stage.spec.name or done.completed_at >= stage.state.started_at
    ]


def _let_through(plan: Plan, stage: StageView) -> Iterable[Feedback]:
    """Findings of the stage, of those before it and of the intent, which are fixed while the stage is reviewed."""
    names = [view.spec.name for view in plan.stages]
    reached = plan.stages[: names.index(stage.spec.name) + 1] if stage.spec.name in names else (stage,)
    filed = (*plan.feedback, *(item for view in reached for item in view.feedback))
    return (item for item in filed if item.status in _LET_THROUGH and not item.closed_by.startswith(_MOVED))
