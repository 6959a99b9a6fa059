"""Units as people read them: in waves, with who works on each and what each waits for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from leeboard.model.plan import Plan, StageView
from leeboard.model.unit import Pass, Unit
from leeboard.plan.machine.hats import open_wave, ready, waves
from leeboard.plan.machine.proof import GATES_FAIL, by_gates, sender, sent_back
from leeboard.surfaces.cli.screen import fields, paragraphs, words

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

MARKS = {"completed": "[x]", "active": "[>]", "pending": "[ ]", "blocked": "[!]"}
STYLES = {"completed": "green", "active": "bold", "pending": "dim", "blocked": "red"}


def in_waves(stage: StageView) -> tuple[tuple[Unit, ...], ...]:
    """The waves in their order; units in a circle, which belong to none, come last."""
    found = waves(stage.units)
    placed = {unit.id for wave in found for unit in wave}
    stuck = tuple(unit for unit in stage.units if unit.id not in placed)
    return (*found, stuck) if stuck else found


def show_waves(plan: Plan, stage: StageView, console: Console, indent: int = 0) -> None:
    """A line for each unit, the number of its wave before the first of them."""
    width = max((len(unit.id) for unit in stage.units), default=0)
    for number, wave in enumerate(in_waves(stage)):
        for at, unit in enumerate(wave):
            head = f"wave {number}" if at == 0 else ""
            line = words(" " * indent, (f"{head:<8}", "dim"), (MARKS[unit.status], STYLES[unit.status]))
            console.print(line.append_text(words(f" {unit.id:<{width}}  ", unit_state(plan, stage, unit))))


def unit_state(plan: Plan, stage: StageView, unit: Unit) -> str:
    """In a few words: done, worked on by whom, or what it waits for."""
    if unit.problem:
        return f"can not be read: {unit.problem}"
    if unit.id in plan.git.conflicts:
        return f"merge stopped on {', '.join(plan.git.conflicts[unit.id])}"
    if unit.status == "completed":
        return "completed"
    if unit.status == "active":
        noun = "criterion" if len(unit.unmet) == 1 else "criteria"
        owed = f", {len(unit.unmet)} {noun} not met" if unit.unmet else ""
        return f"{unit.hat}, bolt {unit.bolt}{owed}"
    return _waiting(stage, unit)


def _waiting(stage: StageView, unit: Unit) -> str:
    done = {each.id for each in stage.units if each.status == "completed"}
    owed = [name for name in unit.depends_on if name not in done]
    if owed:
        return f"waits for {', '.join(owed)}"
    if stage.state.phase == "elaborate":
        return "planned"
    return "may begin" if unit in ready(stage.units) else f"waits for wave {open_wave(stage.units)}"


def unit_rows(plan: Plan, stage: StageView, unit: Unit) -> list[tuple[str, Text | str]]:
    rows: list[tuple[str, Text | str]] = [
        ("unit", words((unit.id, "bold"), f"  {unit.title}")),
        ("stage", unit.stage),
        ("state", unit_state(plan, stage, unit)),
    ]
    rows += [("depends on", name) for name in unit.depends_on]
    rows += [("reads", name) for name in unit.inputs] + [("makes", name) for name in unit.outputs]
    rows += [("may touch", name) for name in unit.touch] + [("closes", name) for name in unit.closes]
    rows += [("gate", f"{gate.name}: {gate.command}") for gate in unit.quality_gates]
    rows += [("must hold", f"{'[x]' if done else '[ ]'} {text}") for text, done in unit.criteria]
    if tree := plan.git.worktrees.get(unit.id):
        rows.append(("work tree", tree))
    return rows + pass_rows(unit.passes)


def pass_rows(passes: Iterable[Pass]) -> list[tuple[str, Text | str]]:
    """Which hats were done, and which sent it back, and why. Who is done before quality gates fail has not passed."""
    found = [*passes]
    return [(_passed(each, after), _pass(each)) for each, after in zip(found, [*found[1:], None], strict=False)]


def _passed(done: Pass, after: Pass | None) -> str:
    if done.result == "reject":
        return "sent back"
    return "said done" if after is not None and by_gates(after) else "passed"


def _pass(done: Pass) -> str:
    if done.result == "reject":
        said = f"by {sender(done)}: {done.reason.removeprefix(GATES_FAIL) or 'no reason was given'}"
    else:
        said = f"{done.hat}: {'' if done.changed else 'no change, '}{done.reason}" if done.reason else done.hat
    return f"{said}{f', {done.completed_at}' if done.completed_at else ''}"


def show_unit(plan: Plan, stage: StageView, unit: Unit, console: Console) -> None:
    fields(unit_rows(plan, stage, unit), console)
    if unit.body.strip():
        console.print()
        console.print(paragraphs(unit.body.strip()))


def unit_object(plan: Plan, stage: StageView, unit: Unit) -> dict[str, Any]:
    wave = next((number for number, found in enumerate(in_waves(stage)) if unit in found), 0)
    return {
        "unit": unit.id,
        "stage": unit.stage,
        "title": unit.title,
        "wave": wave,
        "status": unit.status,
        "hat": unit.hat,
        "bolt": unit.bolt,
        "depends_on": list(unit.depends_on),
        "inputs": list(unit.inputs),
        "outputs": list(unit.outputs),
        "touch": list(unit.touch),
        "closes": list(unit.closes),
        "quality_gates": [{"name": gate.name, "command": gate.command} for gate in unit.quality_gates],
        "state": unit_state(plan, stage, unit),
        "criteria_unmet": list(unit.unmet),
        "rejected_for": sent_back(unit.passes),
        "passes": [to_builtins(each) for each in unit.passes],
        "worktree": plan.git.worktrees.get(unit.id),
        "problem": unit.problem,
    }
