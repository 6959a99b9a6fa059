"""Where the truth of files is kept, below an intent's folder, and whether it is kept at all."""

from __future__ import annotations

from leeboard.model.plan import Plan
from leeboard.model.truth import INTENT_SCOPE
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.trusted import settings_text
from leeboard.plan.files.files import PlanSettings, parse_settings

MOST_BYTES = 1 << 30
"""Of a baseline or an assessment: of 100,000 files it has some forty million."""
MARKERS, DISPATCH, LOG, AUDIT = "drift-markers.json", "drift-dispatch.json", "action-log.jsonl", "write-audit.jsonl"
IGNORE = "drift_ignore"
SECONDS = 30.0
"""That looking at the tracked files may take, where `drift_seconds` of the project's settings does not say."""


def scope_folder(scope: str) -> str:
    """Below the intent's folder, with its slash; empty for the intent itself."""
    return f"stages/{scope}/" if scope else ""


def baseline_file(scope: str) -> str:
    return f"{scope_folder(scope)}baseline.json"


def ack_file(scope: str) -> str:
    return f"{scope_folder(scope)}.baseline-ack"


def thrash_file(scope: str) -> str:
    return f"{scope_folder(scope)}baseline-thrash.json"


def content_folder(scope: str) -> str:
    return f"{scope_folder(scope)}baseline-content"


def assessments_folder(stage: str) -> str:
    return f"{scope_folder(stage)}drift-assessments"


def below(slug: str, path: str) -> str:
    """A path below the intent's folder, as `PlanFolder` takes it."""
    return f"{layout.intent_folder(slug)}/{path}"


def scope_of(path: str) -> str:
    """The scope whose baseline a canonical path belongs to."""
    parts = path.split("/", 2)
    return parts[1] if parts[0] == "stages" and len(parts) > 1 else INTENT_SCOPE


def all_scopes(plan: Plan) -> tuple[str, ...]:
    return (INTENT_SCOPE, *(view.spec.name for view in plan.stages))


def reached_scopes(plan: Plan) -> tuple[str, ...]:
    """The intent's and those of every stage up to the active one."""
    names = all_scopes(plan)
    active = plan.active.spec.name if plan.active else ""
    return names[: names.index(active) + 1] if active else names


def settings(folder: PlanFolder) -> PlanSettings:
    """Of the project. What can not be read switches nothing off."""
    text = settings_text(folder)
    return parse_settings(text) if text else PlanSettings()


def ignored(found: PlanSettings) -> tuple[str, ...]:
    """Globs of files that the project does not want to hear of."""
    globs = found.values.get(IGNORE)
    return tuple(each for each in globs if isinstance(each, str)) if isinstance(globs, list) else ()
