"""Tools that read an intent, its stages, units and feedback as far as the work has come, and the tools of the project
around the intents.
"""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins

import leeboard
from leeboard.errors import WireError
from leeboard.model.plan import Plan, StageView
from leeboard.model.studio import Studio
from leeboard.model.unit import Feedback, Unit
from leeboard.plan.disk.folder import hold
from leeboard.plan.disk.layout import intent_folder
from leeboard.plan.disk.studios import list_studios, load_studio
from leeboard.plan.files.files import parse_settings, with_settings
from leeboard.plan.machine.drift_gate import obstacle
from leeboard.plan.machine.entry import git_unrest
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
    """A row of the list: no more than its name where a plan came from elsewhere and nobody trusted it here."""
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


# Tools of the project around the intents: studios, knowledge, settings, and what is wrong with an intent's files.


SETTINGS = "settings.yml"
CHOICES = {"granularity": ("coarse", "standard", "fine"), "mockup_format": ("ascii", "html")}
SETTABLE = (
    *("git", "jj", "providers", "granularity", "studio", "mockup_format", "default_announcements", "stack"),
    *("visual_review", "default_archetype", "knowledge_refresh", "model_profiles"),
)
PERSONAL = (
    *("drift_detection", "drift_ignore", "drift_seconds", "human_write_require_rationale"),
    *("quality_gates", "gate_timeout", "review_agents", "default_passes"),
)
"""Whoever changes these changes what the work is held to: that is a person's to do, in the file."""


def studio_list(desk: Desk, _arguments: Arguments) -> dict[str, Any]:
    return told({"studios": [_studio(studio) for studio in list_studios(desk.home)]})


def studio_get(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    studio = _found(desk, arguments)
    stages = [{"name": stage.name, "description": stage.description} for stage in studio.stages]
    return told({**_studio(studio), "stages": stages})


def studio_stage_get(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    studio = _found(desk, arguments)
    stage = studio.stage(arguments["stage"])
    if stage is None:
        names = ", ".join(stage.name for stage in studio.stages)
        raise RefusedError("stage_not_found", f"{studio.slug} has the stages {names}.", "haiku_studio_get")
    return told({"studio": studio.slug, **to_builtins(stage)})


def knowledge_list(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    found = [{"name": name, "of": of} for of, folder in _knowledge(desk, arguments) for name in _pages(desk, folder)]
    return told({"knowledge": found})


def knowledge_read(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    wanted = arguments["name"]
    for of, folder in _knowledge(desk, arguments):
        if wanted in _pages(desk, folder):
            return told({"name": wanted, "of": of, "content": desk.folder.text(f"{folder}/{wanted}")})
    raise RefusedError("knowledge_not_found", f"There is no {wanted[:120]!r}.", "haiku_knowledge_list")


def settings_get(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    settings = parse_settings(desk.folder.text(SETTINGS) or "")
    if settings.problem:
        raise RefusedError("settings_unreadable", settings.problem)
    value: Any = settings.values
    path = arguments.get("path", "")
    for part in path.split(".") if path else ():
        if not isinstance(value, dict) or part not in value:
            raise RefusedError("setting_not_found", f"{path[:120]} is not set.", "haiku_settings_get")
        value = value[part]
    return told({"path": path, "value": value})


def settings_set(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    top, *inner = arguments["path"].split(".")
    _check_setting(top, arguments["path"], arguments["value"])
    with hold(desk.folder, "settings.yml"):
        text = desk.folder.text(SETTINGS) or ""
        settings = parse_settings(text)
        if settings.problem:
            raise RefusedError("settings_unreadable", settings.problem)
        value = _within(settings.values.get(top), inner, arguments["value"])
        try:
            changed = with_settings(text, {top: value})
        except WireError as error:
            raise RefusedError("settings_unreadable", f"settings.yml can not be changed: {error}") from error
        desk.folder.write(SETTINGS, changed.encode("utf-8", "surrogateescape"))
    return told({"path": arguments["path"], "value": arguments["value"]})


def repair(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    """What is safe is what every tick does by itself: finishing what was begun. The rest needs a person."""
    slug = desk.slug(arguments)
    before = _wrong(desk.engine.look(slug, truth=True))
    clue = None
    if arguments.get("apply", True):
        clue = desk.engine.tick(slug)
    left = _wrong(desk.engine.look(slug, truth=True))
    answer: dict[str, Any] = {"intent": slug, "found": before, "left": left}
    if left:
        answer["message"] = (
            "Put the named files right; what the engine owns a person repairs with `leeboard flow repair`."
        )
    return told(answer | ({"next_action": clue.action} if clue else {}))


def _wrong(plan: Plan) -> list[str]:
    reached = reached_stages(plan)
    return [
        *plan.problems,
        *plan.notes,
        # a plan that can not be read leaves nothing to compare the others with
        *(f"{name}: changed by somebody else than the engine" for name in plan.tampered if not plan.problems),
        *filter(None, [obstacle(plan), git_unrest(plan)]),
        *(f"{view.spec.name}: {problem}" for view in reached for problem in view.problems),
        *(f"{unit.id}: {unit.problem}" for view in reached for unit in view.units if unit.problem),
        *(slip for view in reached for slip in view.spec.complaints),
    ]


def _studio(studio: Studio) -> dict[str, Any]:
    return {
        "name": studio.name,
        "slug": studio.slug,
        "aliases": list(studio.aliases),
        "description": studio.description,
        "category": studio.category,
        "stages": [stage.name for stage in studio.stages],
        "warnings": list(studio.complaints),
    }


def _found(desk: Desk, arguments: Arguments) -> Studio:
    studio = load_studio(desk.home, arguments["studio"])
    if studio is None:
        raise RefusedError("studio_not_found", f"There is no studio {arguments['studio']}.", "haiku_studio_list")
    return studio


def _knowledge(desk: Desk, arguments: Arguments) -> tuple[tuple[str, str], ...]:
    """The scopes of knowledge to read: the intent's, where one is meant, and the project's."""
    project = ("project", "knowledge")
    if not arguments.get("intent") and len(desk.engine.slugs()) != 1:
        return (project,)
    slug = desk.slug(arguments)
    return ((slug, f"{intent_folder(slug)}/knowledge"), project)


def _pages(desk: Desk, folder: str) -> tuple[str, ...]:
    return tuple(name for name in desk.folder.names(folder) if not name.startswith("."))


def _check_setting(top: str, path: str, value: Any) -> None:
    if top in PERSONAL:
        words = f"{top} says what the work is held to: only a person changes it, in .haiku/settings.yml. Ask the user."
        raise RefusedError("persons_setting", words)
    if top not in SETTABLE or ".." in f".{path}.":
        words = f"{path[:120]!r} is no setting; there are {', '.join(SETTABLE)}."
        raise RefusedError("unknown_setting", words, "haiku_settings_get")
    if path in CHOICES and value not in CHOICES[path]:
        raise RefusedError("invalid_value", f"{path} is one of {', '.join(CHOICES[path])}.", "haiku_settings_set")


def _within(value: Any, inner: list[str], new: Any) -> Any:
    if not inner:
        return new
    table = value if isinstance(value, dict) else {}
    return {**table, inner[0]: _within(table.get(inner[0]), inner[1:], new)}


PROJECT_HANDLERS: dict[str, Handler] = {
    "haiku_studio_list": studio_list,
    "haiku_studio_get": studio_get,
    "haiku_studio_stage_get": studio_stage_get,
    "haiku_knowledge_list": knowledge_list,
    "haiku_knowledge_read": knowledge_read,
    "haiku_settings_get": settings_get,
    "haiku_settings_set": settings_set,
    "haiku_repair": repair,
}
