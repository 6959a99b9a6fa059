"""Tools that read: an intent, its stages, units and feedback as far as the work has come."""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins

import leeboard
from leeboard.model.plan import Plan, StageView
from leeboard.model.unit import Feedback, Unit
from leeboard.plan.machine.hats import waves
from leeboard.surfaces.mcp.calls import WHOLE, Arguments, Desk, Handler, RefusedError, reached_stages, stage_of, told
from leeboard.surfaces.mcp.protocol import VERSIONS


def intent_get(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    plan = desk.plan(arguments)
    active = plan.active
    stand = {
        "stage": active.spec.name if active else "",
        "phase": active.state.phase if active else "",
        "stages": [{"name": view.spec.name, "status": view.state.status} for view in plan.stages],
    }
    return told({**to_builtins(plan.intent), **stand, "problems": list(plan.problems)})


def intent_list(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    slugs = desk.engine.slugs(archived=arguments.get("include_archived", False))
    return told({"intents": [_listed(desk, slug) for slug in slugs]})


def dashboard(desk: Desk, _arguments: Arguments) -> dict[str, Any]:
    plans = [desk.engine.look(slug) for slug in desk.engine.slugs() if not desk.engine.is_asleep(slug)]
    return told({"lines": [_line(plan) for plan in plans], "intents": [plan.summary() for plan in plans]})


def stage_get(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    stage = stage_of(desk.plan(arguments), arguments)
    return told(
        {
            **to_builtins(stage.state),
            "description": stage.spec.description,
            "hats": [hat.name for hat in stage.spec.hats],
            "review": list(stage.spec.review),
            "elaboration": stage.spec.elaboration,
            "units": {unit.id: unit.status for unit in stage.units},
            "missing_discovery": [template.location for template in stage.missing_discovery],
            "missing_outputs": [template.location for template in stage.missing_outputs],
            "open_feedback": [item.id for item in stage.feedback if item.is_open],
            "gate_runs": [to_builtins(run) for run in stage.gate_runs],
            "reports": [to_builtins(report) for report in stage.reports],
            "problems": list(stage.problems),
        }
    )


def unit_list(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    stage = stage_of(desk.plan(arguments), arguments)
    found = waves(stage.units)
    return told(
        {
            "stage": stage.spec.name,
            "waves": [[unit.id for unit in wave] for wave in found],
            "units": [_unit_line(unit) for unit in stage.units],
        }
    )


def unit_get(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    unit = unit_of(stage_of(desk.plan(arguments), arguments), arguments["unit"])
    fields = {**to_builtins(unit), "criteria": [{"text": text, "done": done} for text, done in unit.criteria]}
    field = arguments.get("field", "")
    if field and field not in fields:
        raise RefusedError(
            "unknown_field", f"A unit has no field {field}; it has {', '.join(fields)}.", "haiku_unit_get"
        )
    return told({"unit": unit.id, field: fields[field]} if field else fields)


def feedback_list(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    items = sorted(_filed(desk.plan(arguments), arguments), key=lambda item: not item.is_open)
    status = arguments.get("status", "")
    return told({"feedback": [_feedback_line(item) for item in items if not status or item.status == status]})


def feedback_read(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    return told(to_builtins(feedback_of(desk.plan(arguments), arguments)))


def version_info(_desk: Desk, _arguments: Arguments) -> dict[str, Any]:
    return told({"name": "leeboard", "version": leeboard.__version__, "protocol_versions": list(VERSIONS)})


def unit_of(stage: StageView, name: str) -> Unit:
    unit = stage.unit(name)
    if unit is None:
        names = ", ".join(unit.id for unit in stage.units) or "none"
        raise RefusedError("unit_not_found", f"Stage {stage.spec.name} has no unit {name}; it has {names}.")
    return unit


def feedback_of(plan: Plan, arguments: Arguments) -> Feedback:
    """Ids count by stage, so that one without a stage is first looked for in the active one."""
    wanted = arguments["feedback_id"].upper()
    stage = arguments.get("stage", "")
    if stage:
        items = _filed(plan, arguments)
    else:
        begun = reversed(reached_stages(plan))
        items = (*(item for view in begun for item in view.feedback), *plan.feedback)
    found = next((item for item in items if item.id.upper() == wanted), None)
    if found is None:
        raise RefusedError("feedback_not_found", f"There is no feedback {wanted[:32]} here.", "haiku_feedback_list")
    return found


def _filed(plan: Plan, arguments: Arguments) -> tuple[Feedback, ...]:
    stage = arguments.get("stage", "")
    if stage == WHOLE:
        return plan.feedback
    if stage:
        return stage_of(plan, arguments).feedback
    return (*(item for view in reached_stages(plan) for item in view.feedback), *plan.feedback)


def _unit_line(unit: Unit) -> dict[str, Any]:
    line = {
        "unit": unit.id,
        "title": unit.title,
        "status": unit.status,
        "hat": unit.hat,
        "bolt": unit.bolt,
        "depends_on": list(unit.depends_on),
        "criteria_unmet": len(unit.unmet),
    }
    return line | ({"problem": unit.problem} if unit.problem else {})


def _feedback_line(item: Feedback) -> dict[str, Any]:
    return {
        "id": item.id,
        "stage": item.stage or WHOLE,
        "title": item.title,
        "status": item.status,
        "origin": item.origin,
        "resolution": item.resolution,
        "of_a_person": item.is_human,
    }


def _listed(desk: Desk, slug: str) -> dict[str, Any]:
    """Of a plan that came from elsewhere, and that nobody trusted here, no more than its name."""
    if desk.engine.is_asleep(slug):
        return {"intent": slug, "asleep": "not trusted here: the user lets it act with `leeboard trust`"}
    return desk.engine.look(slug).summary()


def _line(plan: Plan) -> str:
    active = plan.active
    if active is None:
        return f"{plan.intent.slug}: {plan.intent.status}"
    done = sum(unit.status == "completed" for unit in active.units)
    waiting = sum(item.is_open for item in active.feedback)
    where = f"{active.spec.name}, {active.state.phase or 'not begun'}"
    return f"{plan.intent.slug}: {where}; {done} of {len(active.units)} units done, {waiting} findings open"


READ_HANDLERS: dict[str, Handler] = {
    "haiku_intent_get": intent_get,
    "haiku_intent_list": intent_list,
    "haiku_dashboard": dashboard,
    "haiku_stage_get": stage_get,
    "haiku_unit_list": unit_list,
    "haiku_unit_get": unit_get,
    "haiku_feedback_list": feedback_list,
    "haiku_feedback_read": feedback_read,
    "haiku_version_info": version_info,
}
