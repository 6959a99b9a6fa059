"""Tools of a unit: its hats are moved by the engine, its text by its author as long as nobody has begun it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from leeboard.errors import WireError
from leeboard.model.plan import Plan, StageView
from leeboard.model.unit import Unit
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import hold
from leeboard.plan.disk.read import look_at
from leeboard.plan.effect import PlanStep, Refusal
from leeboard.plan.files import written_spec
from leeboard.plan.files.files import parse_unit, unit_number, with_fields
from leeboard.plan.files.state import protected
from leeboard.plan.machine import moves
from leeboard.plan.machine.held import stale_unit
from leeboard.plan.machine.look import looking
from leeboard.plan.machine.policy import ruled
from leeboard.plan.machine.refusal import closed
from leeboard.shell.outcome import can_fail
from leeboard.surfaces.mcp.calls import Arguments, Change, Desk, Handler, RefusedError, held_hat, stage_of, told
from leeboard.surfaces.mcp.read_handlers import unit_of

CRITERIA = "criteria"
"""Not a field but boxes in the body: those of a unit under way are ticked off by whoever works on it."""


def start(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    return desk.work(arguments, lambda plan, now: moves.unit_start(plan, arguments["unit"], now))


def advance_hat(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    """With `criteria` those are ticked off first: who calls something done says in the same breath what holds."""
    if met := arguments.get(CRITERIA):
        set_field(desk, {**arguments, "field": CRITERIA, "value": met})
    reason = arguments.get("reason", "")
    return _move(desk, arguments, lambda plan, now: moves.advance_hat(plan, arguments["unit"], now, reason))


def reject_hat(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    reason = arguments.get("reason", "")
    return _move(desk, arguments, lambda plan, now: moves.reject_hat(plan, arguments["unit"], now, reason))


def increment_bolt(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    return _move(desk, arguments, lambda plan, now: moves.increment_bolt(plan, arguments["unit"], now))


def _move(desk: Desk, arguments: Arguments, change: Change) -> dict[str, Any]:
    """For the hat the caller was given, and for no other."""
    held = held_hat(arguments)
    return desk.work(arguments, lambda plan, now: stale_unit(plan, arguments["unit"], held) or change(plan, now))


def read(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    plan = desk.plan(arguments)
    unit = unit_of(stage_of(plan, arguments), arguments["unit"])
    path = layout.unit_file(plan.intent.slug, unit.stage, unit.id)
    return told(
        {"unit": unit.id, "stage": unit.stage, "path": desk.folder.spelled(path), "content": desk.folder.text(path)}
    )


def write(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    slug, name = desk.slug(arguments), arguments["unit"]
    with hold(desk.folder, slug):
        plan = look_at(desk.folder, slug).plan
        stage = _worked_on(desk, plan, arguments)
        _pass(moves.may_write_unit(plan, name, stage.spec.name))
        if stage.unit(name) is None:
            check_name(stage, name)
        before = desk.folder.text(layout.unit_file(slug, stage.spec.name, name)) or ""
        made = check_change(before, arguments["content"], name, stage)
        return _kept(desk, slug, made, arguments["content"])


def set_field(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    slug, name, field = desk.slug(arguments), arguments["unit"], arguments["field"]
    with hold(desk.folder, slug):
        plan = look_at(desk.folder, slug).plan
        stage = _worked_on(desk, plan, arguments)
        unit = unit_of(stage, name)
        before = desk.folder.text(layout.unit_file(slug, stage.spec.name, name)) or ""
        if field == CRITERIA:
            after = _with_criteria(before, unit, arguments["value"])
        else:
            _pass(moves.unit_set(plan, name, {field: arguments["value"]}, stage.spec.name))
            after = with_field(before, field, arguments["value"])
        return _kept(desk, slug, check_change(before, after, name, stage), after)


def delete(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    slug, name = desk.slug(arguments), arguments["unit"]
    with hold(desk.folder, slug):
        plan = look_at(desk.folder, slug).plan
        stage = _worked_on(desk, plan, arguments)
        unit = unit_of(stage, name)
        _pass(moves.may_write_unit(plan, name, stage.spec.name))
        if unit_number(name) is not None:
            _require_planning(stage)
        desk.folder.remove(layout.unit_file(slug, stage.spec.name, unit.id))
    return told({"deleted": unit.id, "stage": stage.spec.name, "next": "haiku_run_next"})


def _worked_on(desk: Desk, plan: Plan, arguments: Arguments) -> StageView:
    """Units are changed in the active stage only, of files that nobody else has changed."""
    _pass(closed(plan))
    if layout.DISPATCH in desk.folder.names(layout.intent_folder(plan.intent.slug)):
        words = "Somebody changed files, and nothing else happens before it is said what that means."
        raise RefusedError("assessment_open", words, "haiku_classify_drift")
    stage = stage_of(plan, arguments)
    if plan.active is None or stage.spec.name != plan.active.spec.name:
        words = f"Stage {stage.spec.name} is behind: haiku_revisit goes back to it."
        raise RefusedError("lifecycle_violation", words, "haiku_revisit")
    if stage.state.phase == "elaborate" and ruled(looking(plan, ""), "approved"):
        words = f"A person has approved the plan of stage {stage.spec.name} as it stands: call haiku_run_next."
        raise RefusedError("plan_approved", words)
    return stage


def _pass(outcome: PlanStep | Refusal | None) -> None:
    if isinstance(outcome, Refusal):
        raise RefusedError(outcome.code, outcome.message)


def _require_planning(stage: StageView) -> None:
    """What a person approved is not dropped behind their back."""
    if stage.state.phase not in {"", "elaborate"}:
        words = (
            f"Stage {stage.spec.name} is in {stage.state.phase}: its plan is settled. haiku_revisit goes back to it."
        )
        raise RefusedError("lifecycle_violation", words, "haiku_revisit")


def _with_criteria(before: str, unit: Unit, value: object) -> str:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise RefusedError("invalid_arguments", f"{CRITERIA} is a list of the criteria that are met.", "haiku_unit_set")
    if unit.status == "completed":
        raise RefusedError("unit_already_completed", f"{unit.id} is completed.")
    return ticked(before, unit, value)


def _kept(desk: Desk, slug: str, unit: Unit, text: str) -> dict[str, Any]:
    path = layout.unit_file(slug, unit.stage, unit.id)
    desk.folder.write(path, text.encode("utf-8", "surrogateescape"))
    return told(
        {"unit": unit.id, "stage": unit.stage, "path": desk.folder.spelled(path), "criteria_unmet": list(unit.unmet)}
    )


UNIT_HANDLERS: dict[str, Handler] = {
    "haiku_unit_start": start,
    "haiku_unit_advance_hat": advance_hat,
    "haiku_unit_reject_hat": reject_hat,
    "haiku_unit_increment_bolt": increment_bolt,
    "haiku_unit_read": read,
    "haiku_unit_write": write,
    "haiku_unit_set": set_field,
    "haiku_unit_delete": delete,
}


# A unit's file as its author may change it: what is refused, and boxes that are ticked off. Values in, values out.


_NO_PATH = re.compile(r"[\s:,]")
READ, WRITE = "haiku_unit_read", "haiku_unit_write"


def check_name(stage: StageView, unit: str) -> None:
    """A new unit has a name that says its number, and the number is free."""
    number = unit_number(unit)
    if number is None:
        raise RefusedError("unit_naming_invalid", f"{unit} is not named unit-NN-short-name.", WRITE)
    taken = next((known.id for known in stage.units if known.id != unit and unit_number(known.id) == number), "")
    if taken:
        raise RefusedError("unit_naming_invalid", f"{taken} has the number {number} already.", WRITE)


def check_change(before: str, after: str, unit: str, stage: StageView) -> Unit:
    """The unit as it would be. RefusedError where the change is not an author's to make, or makes no unit."""
    following = READ if before else WRITE
    changed = protected("unit", before, after)
    if changed:
        names = ", ".join(changed)
        words = f"{names}: set by the engine alone. Leave them as they are."
        raise RefusedError("fsm_field_forbidden", words, following)
    made = parse_unit(after, unit, stage.spec.name)
    wrong = next(_wrong(made, stage), None)
    if wrong is not None:
        raise RefusedError(*wrong, following)
    return made


def with_field(text: str, field: str, value: object) -> str:
    try:
        return with_fields(text, {field: value})
    except WireError as error:
        raise RefusedError("frontmatter_validation_failed", f"{field} can not be set: {error}", READ) from error


def ticked(text: str, unit: Unit, met: Iterable[str]) -> str:
    """The text with these criteria ticked off. RefusedError where one of them is no open criterion of the unit."""
    wanted = {criterion.strip() for criterion in met}
    known = {criterion for criterion, _ in unit.criteria}
    strange = sorted(wanted - known)
    if strange:
        open_ones = "; ".join(unit.unmet) or "none"
        raise RefusedError("criterion_not_found", f"No criterion {strange[0][:120]!r}. Open: {open_ones}", READ)
    return written_spec.ticked(text, wanted)


def _wrong(unit: Unit, stage: StageView) -> Iterator[tuple[str, str]]:
    """Code and words of each thing that keeps it from being a unit of the stage."""
    if unit.problem:
        yield "frontmatter_validation_failed", f"{unit.id}: {unit.problem}"
    if not unit.body.strip():
        yield "empty_body", f"{unit.id} says nothing of what is to be done."
    allowed = stage.spec.unit_types
    if allowed and unit.type not in allowed:
        said = f"{unit.type} is no type of unit" if unit.type else f"{unit.id} names no type: it needs one"
        words = f"{said} in stage {stage.spec.name}; it takes {', '.join(allowed)}."
        yield "spec_validation_failed", words
    for path in (*unit.inputs, *unit.outputs):
        if _NO_PATH.search(path):
            yield "frontmatter_validation_failed", f"{path[:120]!r} is no path of a file."
    for gate in unit.quality_gates:
        if not can_fail(gate.command):
            words = f"Quality gate {gate.name} can not fail ({gate.command[:120]!r}): let its exit status tell."
            yield "gate_trivially_passes", words
