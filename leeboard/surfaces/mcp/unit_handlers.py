"""Tools of a unit: its hats are moved by the engine, its text by its author as long as nobody has begun it."""

from __future__ import annotations

from typing import Any

from leeboard.io.plan import layout
from leeboard.io.plan.lock import hold
from leeboard.io.plan.read import look_at
from leeboard.model.effect import Refusal, Step
from leeboard.model.plan import Plan, StageView
from leeboard.model.unit import Unit
from leeboard.surfaces.mcp.answers import told
from leeboard.surfaces.mcp.desk import Arguments, Desk, Handler, RefusedError, stage_of
from leeboard.surfaces.mcp.read_handlers import unit_of
from leeboard.surfaces.mcp.unit_text import check_change, check_name, ticked, with_field
from leeboard.wire.plan_files import unit_number
from leeboard.workflow import moves
from leeboard.workflow.look import looking
from leeboard.workflow.policy import ruled
from leeboard.workflow.refusal import closed

CRITERIA = "criteria"
"""Not a field but boxes in the body: those of a unit under way are ticked off by whoever works on it."""


def start(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    return desk.change(arguments, lambda plan, now: moves.unit_start(plan, arguments["unit"], now))


def advance_hat(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    reason = arguments.get("reason", "")
    return desk.change(arguments, lambda plan, now: moves.advance_hat(plan, arguments["unit"], now, reason))


def reject_hat(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    reason = arguments.get("reason", "")
    return desk.change(arguments, lambda plan, now: moves.reject_hat(plan, arguments["unit"], now, reason))


def increment_bolt(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    return desk.change(arguments, lambda plan, now: moves.increment_bolt(plan, arguments["unit"], now))


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
        stage = _worked_on(plan, arguments)
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
        stage = _worked_on(plan, arguments)
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
        stage = _worked_on(plan, arguments)
        unit = unit_of(stage, name)
        _pass(moves.may_write_unit(plan, name, stage.spec.name))
        if unit_number(name) is not None:
            _require_planning(stage)
        desk.folder.remove(layout.unit_file(slug, stage.spec.name, unit.id))
    return told({"deleted": unit.id, "stage": stage.spec.name, "next": "haiku_run_next"})


def _worked_on(plan: Plan, arguments: Arguments) -> StageView:
    """Units are changed in the active stage only, of files that nobody else has changed."""
    _pass(closed(plan))
    stage = stage_of(plan, arguments)
    if plan.active is None or stage.spec.name != plan.active.spec.name:
        words = f"Stage {stage.spec.name} is behind: haiku_revisit goes back to it."
        raise RefusedError("lifecycle_violation", words, "haiku_revisit")
    if stage.state.phase == "elaborate" and ruled(looking(plan, ""), "approved"):
        words = f"A person has approved the plan of stage {stage.spec.name} as it stands: call haiku_run_next."
        raise RefusedError("plan_approved", words)
    return stage


def _pass(outcome: Step | Refusal | None) -> None:
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
