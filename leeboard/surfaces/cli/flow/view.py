"""An intent as people see it: its stages and phases, the waves of the one that is worked on, and what blocks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from leeboard.app.views.plan import ShownPlan, ShownStage
from leeboard.app.views.tool_words import for_people
from leeboard.model.plan import PHASES
from leeboard.surfaces.cli.flow.units import MARKS, STYLES, show_waves, unit_object
from leeboard.surfaces.cli.screen import fields, print_wrapped, words
from leeboard.text.words import counted

if TYPE_CHECKING:
    from leeboard.surfaces.cli.terminal import Console, Text

WITHOUT_GIT = "none here: the work is done in place, without branches, commits and diffs"
_SETTLED = "the engine goes on by itself with the next call"
_HELD = "nothing, until git is on a branch again"


def show_plan(plan: ShownPlan, console: Console) -> None:
    told = plan.summary
    status = "archived" if told["archived"] else told["status"]
    console.print(words((told["intent"], "bold"), f"  {told['title']}  ", (status, STYLES.get(status, ""))))
    fields(_head(plan), console, indent=2)
    width = max((len(stage.name) for stage in plan.stages), default=0)
    for stage in plan.stages:
        console.print(_stage_line(stage, width))
        if stage.active and stage.units:
            show_waves(stage.waves, console, indent=6)
    for item in plan.open_findings:
        where = "the intent" if item.stage == "intent" else item.stage
        first = words(("  finding  ", "dim"), f"{item.id} of {where}: ")
        print_wrapped(first, words(item.title), console)
    for text in plan.blocks:
        print_wrapped(words(("  blocks   ", "bold red")), words(for_people(text)), console)
    show_slips(plan.slips, console)
    if said := _decided(plan):
        takes = f"{said}; it takes effect with the next `leeboard flow next`, or when the agent asks"
        print_wrapped(words(("  decided  ", "bold green")), words(takes), console)
    print_wrapped(words(("  next     ", "bold")), _next(plan), console)


def show_slips(slips: Iterable[str], console: Console) -> None:
    """What is wrong with the definition of a studio, though work can go on."""
    for text in slips:
        print_wrapped(words(("  note     ", "yellow")), words(text), console)


def _decided(plan: ShownPlan) -> str:
    """What a person decided and nothing has followed from yet; empty: there is no such decision."""
    return plan.decision.text if plan.decision and plan.decision.counts else ""


def _head(plan: ShownPlan) -> list[tuple[str, Text | str]]:
    rows: list[tuple[str, Text | str]] = [("studio", plan.summary["studio"] or "not chosen")]
    if not plan.has_git:
        rows.append(("git", WITHOUT_GIT))
    else:
        here = "" if plan.branch == plan.hub else f" ({plan.branch or 'no branch'} is checked out)"
        rows.append(("branch", f"{plan.hub}{here}"))
    return rows


def _stage_line(stage: ShownStage, width: int) -> Text:
    is_going = stage.active and bool(stage.phase)
    status = "active" if is_going else stage.status
    line = words("  ", (MARKS[status], STYLES[status]), f" {stage.name:<{width}}  ")
    line.append_text(_phases(stage) if is_going else words((stage.status, STYLES[status])))
    if stage.units:
        done = sum(unit.status == "completed" for unit in stage.units)
        line.append_text(words(f"  {done} of {counted(len(stage.units), 'unit')}"))
    if stage.visits > 1:
        line.append_text(words(f", visit {stage.visits}"))
    if stage.is_stale:
        line.append_text(words((f"  stale: {stage.stale_reason}", "yellow")))
    return line


def _phases(stage: ShownStage) -> Text:
    """`elaborate > EXECUTE > review > gate`: readable without colour."""
    line = words()
    for number, phase in enumerate(PHASES):
        here = phase == stage.phase
        line.append_text(words(" > " if number else "", (phase.upper() if here else phase, "bold" if here else "dim")))
    return line


def _next(plan: ShownPlan) -> Text:
    if plan.clue is None:
        return words(_HELD if plan.has_git and not plan.branch else _SETTLED)
    return words((plan.clue.action, "bold"), f"  {for_people(plan.clue.message, plan.clue.payload)}")


def plan_object(plan: ShownPlan) -> dict[str, Any]:
    clue = plan.clue
    message = for_people(clue.message, clue.payload) if clue else ""
    return {
        **plan.summary,
        "branch": plan.hub if plan.has_git else None,
        "stages": [_stage_object(stage) for stage in plan.stages],
        "open_findings": [to_builtins(item) for item in plan.open_findings],
        "blocks": [for_people(text) for text in plan.blocks],
        "warnings": list(plan.slips),
        "decided": _decided(plan),
        "next": {"action": clue.action, "message": message, "waits": clue.waits} if clue else None,
    }


def _stage_object(stage: ShownStage) -> dict[str, Any]:
    return {
        "name": stage.name,
        "status": stage.status,
        "phase": stage.phase,
        "active": stage.active,
        "visits": stage.visits,
        "stale_reason": stage.stale_reason,
        "units": [unit_object(unit) for unit in stage.units],
    }
