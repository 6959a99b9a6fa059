"""Tools of the project around the intents: studios, knowledge, settings, and what is wrong with an intent's files."""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins

from leeboard.errors import WireError
from leeboard.model.plan import Plan
from leeboard.model.studio import Studio
from leeboard.plan.disk.folder import hold
from leeboard.plan.disk.layout import intent_folder
from leeboard.plan.disk.studios import list_studios, load_studio
from leeboard.plan.files.files import parse_settings, with_settings
from leeboard.plan.machine.drift_gate import obstacle
from leeboard.plan.machine.entry import git_unrest
from leeboard.surfaces.mcp.calls import Arguments, Desk, Handler, RefusedError, reached_stages, told

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
    """Of the intent, where one is meant, and of the project."""
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
