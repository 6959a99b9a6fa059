"""An intent as people see it: its stages and phases, the waves of the one that is worked on, and what blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from leeboard.model.plan import PHASES, Clue, Plan, StageView
from leeboard.model.studio import Template
from leeboard.model.unit import Decision, Feedback
from leeboard.plan.effect import PlanStep
from leeboard.plan.machine.cautions import is_stale
from leeboard.plan.machine.drift_gate import obstacle
from leeboard.plan.machine.entry import git_unrest
from leeboard.plan.machine.look import looking
from leeboard.plan.machine.policy import ruled, unfollowed
from leeboard.plan.machine.proof import failed, stage_commands
from leeboard.surfaces.cli.flow.tools import for_people
from leeboard.surfaces.cli.flow.units import MARKS, STYLES, show_waves, unit_object
from leeboard.surfaces.cli.screen import fields, print_wrapped, words
from leeboard.text.words import counted

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

DECISIONS: dict[Decision, str] = {
    "approved": "approved",
    "changes_requested": "changes requested",
    "external_review": "to be reviewed elsewhere",
    "withdrawn": "withdrawn",
}
WITHOUT_GIT = "none here: the work is done in place, without branches, commits and diffs"
_SETTLED = "the engine goes on by itself with the next call"
_HELD = "nothing, until git is on a branch again"


def show_plan(plan: Plan, step: PlanStep, console: Console) -> None:
    intent = plan.intent
    status = "archived" if intent.archived else intent.status
    console.print(words((intent.slug, "bold"), f"  {intent.title}  ", (status, STYLES.get(status, ""))))
    fields(_head(plan), console, indent=2)
    width = max((len(view.spec.name) for view in plan.stages), default=0)
    for view in plan.stages:
        console.print(_stage_line(view, width, is_active=view is plan.active))
        if view is plan.active and view.units:
            show_waves(plan, view, console, indent=6)
    for item in open_findings(plan):
        first = words(("  finding  ", "dim"), f"{item.id} of {item.stage or 'the intent'}: ")
        print_wrapped(first, words(item.title), console)
    for text in blockers(plan):
        print_wrapped(words(("  blocks   ", "bold red")), words(for_people(text)), console)
    show_slips(plan.studio.complaints if plan.studio else (), console)
    if said := decided(plan):
        takes = f"{said}; it takes effect with the next `leeboard flow next`, or when the agent asks"
        print_wrapped(words(("  decided  ", "bold green")), words(takes), console)
    print_wrapped(words(("  next     ", "bold")), _next(plan, step), console)


def show_slips(slips: Iterable[str], console: Console) -> None:
    """What is wrong with the definition of a studio, though work can go on."""
    for text in slips:
        print_wrapped(words(("  note     ", "yellow")), words(text), console)


def decided(plan: Plan) -> str:
    """What a person decided and nothing has followed from yet; empty: there is no such decision."""
    found = decision_of(plan)
    return found.text if found and found.counts else ""


class Decided(msgspec.Struct, frozen=True, kw_only=True):
    """A decision that nothing has followed from yet."""

    decision: Decision
    text: str
    by: str
    at: str
    counts: bool
    """Not an approval of what has changed since."""


def decision_of(plan: Plan) -> Decided | None:
    look = looking(plan, "")
    found = unfollowed(look) if plan.sealed and plan.active is not None else None
    if found is None:
        return None
    counts = found.decision != "approved" or ruled(look, "approved")
    text = DECISIONS[found.decision]
    return Decided(decision=found.decision, text=text, by=found.by, at=found.decided_at, counts=counts)


def _head(plan: Plan) -> list[tuple[str, Text | str]]:
    rows: list[tuple[str, Text | str]] = [("studio", plan.intent.studio or "not chosen")]
    if not plan.git.available:
        rows.append(("git", WITHOUT_GIT))
    else:
        here = "" if plan.git.branch == plan.git.hub else f" ({plan.git.branch or 'no branch'} is checked out)"
        rows.append(("branch", f"{plan.git.hub}{here}"))
    return rows


def _stage_line(view: StageView, width: int, *, is_active: bool) -> Text:
    status = "active" if is_active and view.state.phase else view.state.status
    line = words("  ", (MARKS[status], STYLES[status]), f" {view.spec.name:<{width}}  ")
    line.append_text(_phases(view) if is_active and view.state.phase else words((view.state.status, STYLES[status])))
    if view.units:
        done = sum(unit.status == "completed" for unit in view.units)
        line.append_text(words(f"  {done} of {counted(len(view.units), 'unit')}"))
    if view.state.visits > 1:
        line.append_text(words(f", visit {view.state.visits}"))
    if is_stale(view):
        line.append_text(words((f"  stale: {view.state.stale_reason}", "yellow")))
    return line


def _phases(view: StageView) -> Text:
    """`elaborate > EXECUTE > review > gate`: readable without colour."""
    line = words()
    for number, phase in enumerate(PHASES):
        here = phase == view.state.phase
        line.append_text(words(" > " if number else "", (phase.upper() if here else phase, "bold" if here else "dim")))
    return line


def _next(plan: Plan, step: PlanStep) -> Text:
    if step.clue is None:
        return words(_HELD if plan.git.available and not plan.git.branch else _SETTLED)
    return words((step.clue.action, "bold"), f"  {for_people(step.clue.message, step.clue.payload)}")


def open_findings(plan: Plan) -> tuple[Feedback, ...]:
    filed = (*plan.feedback, *(item for view in plan.stages for item in view.feedback))
    return tuple(item for item in filed if item.is_open)


def blockers(plan: Plan) -> tuple[str, ...]:
    """Everything in the way, whichever of it the next action is about."""
    return tuple(dict.fromkeys((*_of_plan(plan), *(_of_stage(plan, plan.active) if plan.active else ()))))


def _of_plan(plan: Plan) -> Iterator[str]:
    yield from plan.problems
    if not plan.problems:  # else nothing was there to compare the others with
        yield from (f"{name} was changed by somebody else than the engine" for name in plan.tampered)
    if text := obstacle(plan):
        yield text
    if text := git_unrest(plan):
        yield text
    elif plan.git.available and plan.git.branch != plan.git.hub and plan.git.dirty:
        yield f"changes that are not committed keep git from switching to {plan.git.hub}: {', '.join(plan.git.dirty)}"


def _of_stage(plan: Plan, stage: StageView) -> Iterator[str]:
    yield from stage.problems
    yield from (f"{unit.id} can not be read: {unit.problem}" for unit in stage.units if unit.problem)
    for unit, files in plan.git.conflicts.items():
        yield f"the merge of {unit} stopped on {', '.join(files)}"
    if stage.state.phase == "elaborate":
        yield from _absent(plan, stage.missing_discovery)
        yield from (f"{unit} reads {path}, which is not there" for unit, path in stage.missing_inputs)
    if stage.state.phase in {"review", "gate"}:
        yield from _absent(plan, stage.missing_outputs)
        yield from (f"quality gate {run.name} fails" for run in failed(stage_commands(plan, stage), stage))


def _absent(plan: Plan, missing: tuple[Template, ...]) -> Iterator[str]:
    for each in missing:
        yield f"{each.name} is not there: {each.place(plan.intent.slug)}"


def plan_object(plan: Plan, step: PlanStep) -> dict[str, Any]:
    clue = step.clue
    active = plan.active
    return {
        **plan.summary(),
        "branch": plan.git.hub if plan.git.available else None,
        "stages": [_stage_object(plan, view, is_active=view is active) for view in plan.stages],
        "open_findings": [finding_object(item) for item in open_findings(plan)],
        "blocks": [for_people(text) for text in blockers(plan)],
        "warnings": list(plan.studio.complaints) if plan.studio else [],
        "decided": decided(plan),
        "next": _next_object(clue) if clue else None,
    }


def _next_object(clue: Clue) -> dict[str, Any]:
    return {"action": clue.action, "message": for_people(clue.message, clue.payload), "waits": clue.waits}


def _stage_object(plan: Plan, view: StageView, *, is_active: bool) -> dict[str, Any]:
    return {
        "name": view.spec.name,
        "status": view.state.status,
        "phase": view.state.phase,
        "active": is_active,
        "visits": view.state.visits,
        "stale_reason": view.state.stale_reason,
        "units": [unit_object(plan, view, unit) for unit in view.units],
    }


def finding_object(item: Feedback) -> dict[str, Any]:
    return {
        "id": item.id,
        "stage": item.stage or "intent",
        "title": item.title,
        "status": item.status,
        "origin": item.origin,
        "resolution": item.resolution,
        "of_a_person": item.is_human,
    }
