"""The files of a workflow: markdown with frontmatter, `state.json`, studio definitions. Read, written, and changed in
part: what an edit does not name keeps every byte.

Reading never raises. What can not be read stands in `problem`, what earlier versions wrote is read as what it means
today: a phase `decompose` or `persist`, a unit that is `blocked`, `failed` or `skipped`, a result `advanced`, `refs`
for `inputs`. Changing a file that can not be read is refused with WireError: nothing is guessed into it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

from leeboard.errors import WireError
from leeboard.model.plan import Intent
from leeboard.model.studio import GateCommand
from leeboard.model.text import digest, lazy
from leeboard.model.unit import Feedback, FeedbackStatus, Pass, Resolution, Unit, UnitStatus
from leeboard.plan.files.splice import PlanPage, new_page, read_mapping, read_page, set_fields, set_values
from leeboard.plan.files.values import Fields, strange_keys

_UNIT_STATUSES: tuple[UnitStatus, ...] = ("pending", "active", "completed")
_EARLIER_UNITS: dict[str, UnitStatus] = {"blocked": "pending", "failed": "pending", "skipped": "completed"}
_FEEDBACK_STATUSES: tuple[FeedbackStatus, ...] = ("pending", "fixing", "addressed", "answered", "closed", "rejected")
_RESOLUTIONS: tuple[Resolution, ...] = ("", "question", "inline_fix", "stage_revisit")
_CRITERION = lazy(r"[ \t]{0,40}(?:[-*+]|\d{1,4}[.)])[ \t]{1,20}\[([ xX])\][ \t]+(\S.*)")
_FENCE = lazy(r"[ \t]{0,40}(`{3,}|~{3,})")
_HEADING = lazy(r"#{1,6}[ \t]+(\S.*)")


SETTINGS_FILE = ".haiku/settings.yml"
LONGEST_WAIT = 3600
"""Seconds."""


class PlanSettings(msgspec.Struct, frozen=True, kw_only=True):
    """`.haiku/settings.yml`, as far as the engine reads it; `values` holds all of it."""

    studio: str = ""
    granularity: str = ""
    quality_gates: tuple[GateCommand, ...] = ()
    gate_timeout: float = 0.0
    """Seconds that one quality gate may take; 0: nothing is said."""
    review_agents: dict[str, bool] = msgspec.field(default_factory=dict)
    model_profiles: dict[str, str] = msgspec.field(default_factory=dict)
    drift_detection: bool = True
    """Only a literal `false` switches it off."""
    drift_seconds: float = 0.0
    """Seconds that looking at the tracked files may take; 0: nothing is said."""
    human_write_require_rationale: bool = False
    values: dict[str, Any] = msgspec.field(default_factory=dict)
    problem: str = ""


_SWITCHES = ("drift_detection", "human_write_require_rationale")
_LISTS = ("drift_ignore",)
_SETTINGS = (
    *("studio", "granularity", "quality_gates", "gate_timeout", "review_agents", "model_profiles", "drift_seconds"),
    *("git", "jj", "providers", "mockup_format", "default_announcements", "stack", "visual_review"),
    *("default_archetype", "knowledge_refresh", "default_passes", *_SWITCHES, *_LISTS),
)


def parse_unit(text: str, unit_id: str, stage: str) -> Unit:
    page = read_page(text)
    fields = _fields(page)
    unit = Unit(
        id=unit_id,
        stage=stage,
        title=fields.text("title").strip() or _heading(page.body),
        type=fields.text("type").strip(),
        depends_on=tuple(name.removesuffix(".md") for name in fields.texts("depends_on")),
        inputs=fields.texts("inputs", "refs"),
        outputs=fields.texts("outputs"),
        touch=fields.texts("touch"),
        quality_gates=fields.gates(),
        closes=fields.texts("closes"),
        model=fields.text("model"),
        status=fields.choice("status", _UNIT_STATUSES, "pending", _EARLIER_UNITS),
        bolt=fields.count("bolt"),
        hat=fields.text("hat"),
        started_at=fields.text("started_at"),
        hat_started_at=fields.text("hat_started_at"),
        completed_at=fields.text("completed_at"),
        passes=fields.passes(),
        criteria=_criteria(page.body),
        body=page.body,
    )
    return msgspec.structs.replace(unit, problem=fields.problem)


def parse_intent(text: str, slug: str) -> Intent:
    page = read_page(text)
    fields = _fields(page)
    status = fields.text("status") or "active"
    intent = Intent(
        slug=slug,
        title=fields.text("title").strip() or _heading(page.body),
        studio=fields.text("studio").strip(),
        studio_chosen=fields.text("studio_chosen").strip(),
        mode=fields.text("mode") or "continuous",
        status="active" if status == "archived" else status,
        archived=fields.yes("archived") or status == "archived",
        active_stage=fields.text("active_stage"),
        phase=fields.text("phase"),
        stages=fields.texts("stages"),
        skip_stages=fields.texts("skip_stages"),
        follows=fields.text("follows"),
        base=fields.text("base"),
        quality_gates=fields.gates(),
        intent_reviewed=fields.yes("intent_reviewed"),
        guards=fields.texts("guards"),
        guarding=fields.texts("guarding"),
        created_at=fields.text("created_at"),
        started_at=fields.text("started_at"),
        completed_at=fields.text("completed_at"),
        body=page.body,
    )
    return msgspec.structs.replace(intent, problem=fields.problem)


def parse_feedback(text: str, file: str, stage: str) -> Feedback:
    page = read_page(text)
    fields = _fields(page)
    number = feedback_id(file)
    if not number:
        fields.complain("the file's name begins with no number")
    item = Feedback(
        id=number or file,
        stage=stage,
        file=file,
        title=fields.text("title").strip() or _heading(page.body),
        body=page.body,
        status=fields.choice("status", _FEEDBACK_STATUSES, "pending", {}),
        origin=fields.text("origin") or "agent",
        author=fields.text("author"),
        created_at=fields.text("created_at"),
        triaged_at=fields.text("triaged_at"),
        resolution=fields.choice("resolution", _RESOLUTIONS, "", {}),
        resolution_by=fields.text("resolution_by"),
        bolt=fields.count("bolt"),
        hat=fields.text("hat"),
        passes=fields.passes(),
        closed_by=fields.text("closed_by"),
        source_ref=fields.text("source_ref"),
        fix_from=fields.text("fix_from"),
        replies=tuple({key: str(value) for key, value in reply.items()} for reply in fields.records("replies")),
    )
    return msgspec.structs.replace(item, problem=fields.problem)


def parse_settings(text: str) -> PlanSettings:
    """An unreadable file switches nothing off."""
    try:
        values = read_mapping(text.removeprefix("\ufeff"))
    except WireError as error:
        return PlanSettings(problem=f"{SETTINGS_FILE}: {error}; none of it counts until it is put right")
    fields = Fields(values)
    settings = PlanSettings(
        studio=fields.text("studio"),
        granularity=fields.text("granularity"),
        quality_gates=fields.gates(),
        gate_timeout=_seconds(fields, "gate_timeout"),
        review_agents={key: value for key, value in _table(fields, "review_agents").items() if isinstance(value, bool)},
        model_profiles={key: str(value) for key, value in _table(fields, "model_profiles").items()},
        drift_detection=values.get("drift_detection") is not False,
        drift_seconds=_seconds(fields, "drift_seconds"),
        human_write_require_rationale=values.get("human_write_require_rationale") is True,
        values=values,
    )
    return msgspec.structs.replace(settings, problem=fields.problem and f"{SETTINGS_FILE}: {fields.problem}")


def settings_slips(settings: PlanSettings, text: str = "") -> tuple[str, ...]:
    """What is wrong with the file and would go unnoticed: each thing that is not read as its author meant it.

    By its text it is said in which line.
    """
    problem = settings.problem.removeprefix(f"{SETTINGS_FILE}: ")
    wrong = [(problem.partition(" ")[0], problem)] if problem else []
    for key in _SWITCHES:
        if key in settings.values and not isinstance(settings.values[key], bool):
            stays = "on" if getattr(settings, key) else "off"
            wrong.append((key, f"{key} must be true or false; it stays {stays}"))
    loose = (key for key in _LISTS if key in settings.values and not isinstance(settings.values[key], list))
    wrong += [(key, f"{key} must be a list; it counts for nothing") for key in loose]
    near = ((key, meant) for key, meant in strange_keys(settings.values, _SETTINGS) if meant)
    wrong += [(key, f"nobody reads {key[:60]!r}; is {meant!r} meant?") for key, meant in near]
    return tuple(f"{SETTINGS_FILE}{_line_of(key, text)}: {what}" for key, what in wrong)


def _line_of(key: str, text: str) -> str:
    """`:3`, or nothing where no line begins with the key."""
    lines = enumerate(text.splitlines(), 1)
    return next((f":{number}" for number, line in lines if line.partition(":")[0].strip(" \t'\"") == key), "")


def _seconds(fields: Fields, name: str) -> float:
    found = fields.raw(name)
    if isinstance(found, int | float) and not isinstance(found, bool) and 0 < found <= LONGEST_WAIT:
        return float(found)
    if found is not None:
        fields.complain(f"{name} must be a number of seconds above 0 and up to {LONGEST_WAIT}")
    return 0.0


def with_fields(text: str, fields: Mapping[str, Any]) -> str:
    """The text with these fields of its frontmatter set; a field that says so already keeps its spelling.

    A hat's record that says the same keeps its further keys. Raises WireError where the frontmatter can not
    be read, or can not be changed in part.
    """
    return set_fields(text, fields)


def with_settings(text: str, fields: Mapping[str, Any]) -> str:
    """As `with_fields`, for a file that is YAML alone."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    return mark + set_values(text.removeprefix("\ufeff"), fields)


def _fields(page: PlanPage) -> Fields:
    return Fields(page.fields, page.problem if page.has_frontmatter else "has no frontmatter")


def _table(fields: Fields, key: str) -> dict[str, Any]:
    found = fields.raw(key)
    return found if isinstance(found, dict) else {}


def _heading(body: str) -> str:
    found = (_HEADING.fullmatch(line.strip()) for line in body.split("\n", 50)[:50])
    return next((heading[1].strip(" #") for heading in found if heading), "")


def _criteria(body: str) -> tuple[tuple[str, bool], ...]:
    """Boxes to tick. One inside a code block is an example."""
    found, fence = [], ""
    for line in body.splitlines():
        marked = _FENCE.match(line)
        if marked and (not fence or marked[1].startswith(fence)):
            fence = "" if fence else marked[1]
        elif not fence and (box := _CRITERION.fullmatch(line)):
            found.append((box[2].strip(), box[1] != " "))
    return tuple(found)


# Names in a plan: which may become a folder and part of a branch, and what a unit's number is.


LONGEST_SLUG = 50
_ID = lazy(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")
_UNIT = lazy(r"unit-([0-9]{2,9})-[a-z0-9]+(?:-[a-z0-9]+)*")
_FEEDBACK = lazy(r"(?:FB-)?([0-9]{1,9})(?:-.*)?", 16)  # re.DOTALL
_OTHER = lazy(r"[^a-z0-9]+")


def safe_id(text: str, kind: Literal["slug", "stage", "unit"] = "slug") -> bool:
    """Whether a name may be a folder and part of a branch. `main` is the branch of the intent itself."""
    if not _ID.fullmatch(text) or ".." in text or text.endswith((".", ".lock")):
        return False
    return kind == "slug" or text != "main"


def slug_of(title: str) -> str:
    """Empty where a title holds no letter or digit of the alphabet."""
    import unicodedata  # noqa: PLC0415 - only where an intent is made

    folded = unicodedata.normalize("NFKD", title[:500]).encode("ascii", "ignore").decode().lower()
    return _OTHER.sub("-", folded).strip("-")[:LONGEST_SLUG].strip("-")


def unit_number(unit_id: str) -> int | None:
    """The number in a unit's name; None where the name is not `unit-NN-some-words`."""
    found = _UNIT.fullmatch(unit_id)
    return int(found[1]) if found else None


def feedback_id(file: str) -> str:
    """`FB-NN` of a file `NN-slug.md`; empty where its name begins with no number."""
    found = _FEEDBACK.fullmatch(file.rpartition("/")[2].removesuffix(".md"))
    return f"FB-{int(found[1]):02}" if found else ""


# New files of a plan, whole. What they say is read back as it was given.


def new_unit(unit: Unit) -> str:
    """The file of a unit. What its author left empty is not written, what the engine counts on is."""
    author = {
        "title": unit.title,
        "type": unit.type,
        "depends_on": list(unit.depends_on),
        "inputs": list(unit.inputs),
        "outputs": list(unit.outputs),
        "touch": list(unit.touch),
        "quality_gates": [_gate(gate) for gate in unit.quality_gates],
        "closes": list(unit.closes),
        "model": unit.model,
    }
    always = {"title", "depends_on", "inputs", "outputs"}
    written = {key: value for key, value in author.items() if value or key in always}
    return new_page(written | _progress(unit) | {"completed_at": unit.completed_at or None}, unit.body)


def new_intent(intent: Intent) -> str:
    further = {
        "studio_chosen": intent.studio_chosen,
        "guards": list(intent.guards),
        "archived": intent.archived,
        "stages": list(intent.stages),
        "skip_stages": list(intent.skip_stages),
        "follows": intent.follows,
        "base": intent.base,
        "quality_gates": [_gate(gate) for gate in intent.quality_gates],
        "intent_reviewed": intent.intent_reviewed,
    }
    fields = {
        "title": intent.title,
        "studio": intent.studio,
        "mode": intent.mode,
        "status": intent.status,
        "active_stage": intent.active_stage,
        "phase": intent.phase,
        **{key: value for key, value in further.items() if value},
        "created_at": intent.created_at or None,
        "started_at": intent.started_at or None,
        "completed_at": intent.completed_at or None,
    }
    return new_page(fields, intent.body)


def new_feedback(item: Feedback) -> str:
    fields = {
        "title": item.title,
        "status": item.status,
        "origin": item.origin,
        "author": item.author,
        "author_type": "human" if item.is_human else "agent",
        "created_at": item.created_at or None,
        "triaged_at": item.triaged_at or None,
        "resolution": item.resolution or None,
        "source_ref": item.source_ref or None,
        "closed_by": item.closed_by or None,
        "bolt": item.bolt,
        "hat": item.hat,
        "iterations": [_worn(worn) for worn in item.passes],
    }
    return new_page(fields, item.body)


def _progress(unit: Unit) -> dict[str, Any]:
    return {
        "status": unit.status,
        "bolt": unit.bolt,
        "hat": unit.hat,
        "started_at": unit.started_at or None,
        "hat_started_at": unit.hat_started_at or None,
        "iterations": [_worn(worn) for worn in unit.passes],
    }


def _worn(worn: Pass) -> dict[str, Any]:
    spared = {"reason", "changed", "work"}
    return {key: value for key, value in msgspec.to_builtins(worn).items() if value or key not in spared}


def _gate(gate: GateCommand) -> dict[str, Any]:
    return {key: value for key, value in msgspec.to_builtins(gate).items() if value}


# The settings of a project that guard the work: noted when it begins, so that nobody loosens them unnoticed.
#
# They are the person's to change at any time. What changed is told until a person took note of it.


_SWITCH = "drift_detection"
_OTHERS = (
    *("drift_ignore", "drift_seconds", "quality_gates", "gate_timeout", "review_agents"),
    *("human_write_require_rationale",),
)
_SINCE = (
    "in .haiku/settings.yml since a person last took note of it; they do so by approving a gate, or with "
    "`leeboard flow repair --apply`"
)


def guarding(settings: PlanSettings) -> tuple[str, ...]:
    """As `intent.md` notes them: whether changed files are looked for, and digests of all else that is set."""
    switch = f"{_SWITCH}={'on' if settings.drift_detection else 'off'}"
    said = {key: settings.values[key] for key in _OTHERS if settings.values.get(key) not in (None, False, [], {}, "")}
    return (switch, *(f"{key}={digest(repr(_ordered(value)))}" for key, value in said.items()))


def guarding_changes(noted: Iterable[str], now: Iterable[str]) -> tuple[str, ...]:
    """What is told of them; nothing where none were noted yet."""
    was, found = _by_key(noted), _by_key(now)
    if not was or not found:
        return ()
    changed = [key for key in (_SWITCH, *_OTHERS) if was.get(key) != found.get(key)]
    return tuple(f"{key} was {_how(key, was, found)} {_SINCE}" for key in changed)


def _how(key: str, was: dict[str, str], now: dict[str, str]) -> str:
    if key == _SWITCH:
        return f"switched {now[key]}"
    if key not in now:
        return "taken out"
    return "changed" if key in was else "set"


def _by_key(lines: Iterable[str]) -> dict[str, str]:
    return {key: value for key, _, value in (line.partition("=") for line in lines)}


def _ordered(value: Any) -> Any:
    """The order of keys says nothing."""
    if isinstance(value, dict):
        return sorted((str(key), _ordered(each)) for key, each in value.items())
    return [_ordered(each) for each in value] if isinstance(value, list) else value
