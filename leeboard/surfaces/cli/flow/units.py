"""Units as people read them: in waves, with who works on each and what each waits for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from leeboard.app.views.plan import ShownUnit
from leeboard.model.unit import Pass
from leeboard.plan.machine.proof import GATES_FAIL, by_gates, sender
from leeboard.surfaces.cli.screen import fields, paragraphs, words

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

MARKS = {"completed": "[x]", "active": "[>]", "pending": "[ ]", "blocked": "[!]"}
STYLES = {"completed": "green", "active": "bold", "pending": "dim", "blocked": "red"}


def show_waves(waves: tuple[tuple[ShownUnit, ...], ...], console: Console, indent: int = 0) -> None:
    """A line for each unit, the number of its wave before the first of them."""
    width = max((len(unit.unit) for wave in waves for unit in wave), default=0)
    for number, wave in enumerate(waves):
        for at, unit in enumerate(wave):
            head = f"wave {number}" if at == 0 else ""
            line = words(" " * indent, (f"{head:<8}", "dim"), (MARKS[unit.status], STYLES[unit.status]))
            console.print(line.append_text(words(f" {unit.unit:<{width}}  ", unit.state)))


def unit_rows(unit: ShownUnit) -> list[tuple[str, Text | str]]:
    rows: list[tuple[str, Text | str]] = [
        ("unit", words((unit.unit, "bold"), f"  {unit.title}")),
        ("stage", unit.stage),
        ("state", unit.state),
    ]
    rows += [("depends on", name) for name in unit.depends_on]
    rows += [("reads", name) for name in unit.inputs] + [("makes", name) for name in unit.outputs]
    rows += [("may touch", name) for name in unit.touch] + [("closes", name) for name in unit.closes]
    rows += [("gate", f"{gate.name}: {gate.command}") for gate in unit.quality_gates]
    rows += [("must hold", f"{'[x]' if done else '[ ]'} {text}") for text, done in unit.criteria]
    if unit.worktree:
        rows.append(("work tree", unit.worktree))
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


def show_unit(unit: ShownUnit, console: Console) -> None:
    fields(unit_rows(unit), console)
    if unit.body.strip():
        console.print()
        console.print(paragraphs(unit.body.strip()))


def unit_object(unit: ShownUnit) -> dict[str, Any]:
    """What programs are told of it: its text and what must hold are read from its file."""
    told = {name: value for name, value in to_builtins(unit).items() if name not in {"criteria", "body"}}
    gates = [{"name": gate.name, "command": gate.command} for gate in unit.quality_gates]
    return {name: list(value) if isinstance(value, tuple) else value for name, value in told.items()} | {
        "quality_gates": gates
    }
