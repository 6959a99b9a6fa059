"""Who does the work of each tool: arguments are checked here, once, and every failure becomes an answer with a code."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator, Mapping
from posixpath import isfile
from typing import Any, TypeVar

import msgspec

from leeboard.errors import LeeboardError
from leeboard.io import clock, places
from leeboard.io.system import relpath
from leeboard.model.truth import ABSENT, INTENT_SCOPE
from leeboard.plan.disk.layout import intent_folder
from leeboard.plan.disk.read import read_tick
from leeboard.plan.disk.truth.agent_writes import AgentWrite, agent_wrote
from leeboard.plan.disk.truth.human_write import HumanWrite, human_write
from leeboard.plan.disk.truth.record import TruthRecord, digests_now
from leeboard.plan.disk.truth.reset import baseline_init
from leeboard.plan.disk.truth.surface import digest_of
from leeboard.plan.effect import Refusal
from leeboard.plan.files.files import safe_id
from leeboard.plan.machine.drift_classify import AskedOutcome, ClassifyRequest, FeedbackCreate, classified
from leeboard.plan.surface import canonical, spelled, tracked, unspelled
from leeboard.secrets.given_text import each_text, holds_secret
from leeboard.secrets.redaction import redact
from leeboard.store.sqlite import open_store
from leeboard.surfaces.mcp.ask_handlers import ASK_HANDLERS
from leeboard.surfaces.mcp.calls import (
    ASK_AGAIN,
    Arguments,
    Desk,
    Handler,
    McpCall,
    RefusedError,
    handed,
    refused,
    told,
    tool_in,
)
from leeboard.surfaces.mcp.feedback_handlers import FEEDBACK_HANDLERS
from leeboard.surfaces.mcp.read_handlers import PROJECT_HANDLERS, READ_HANDLERS
from leeboard.surfaces.mcp.run_handlers import RUN_HANDLERS
from leeboard.surfaces.mcp.tools import Tool, problems
from leeboard.surfaces.mcp.unit_handlers import UNIT_HANDLERS

# Tools for files that changed between two ticks: what the change means, and on whose behalf a file is written.


_Made = TypeVar("_Made", AskedOutcome, FeedbackCreate)


def classify_drift(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    slug = _slug(desk, arguments)
    request = ClassifyRequest(
        tick_id=arguments["tick_id"],
        classifications=tuple(_made(each, AskedOutcome) for each in arguments["classifications"]),
        agent_rationale=arguments["agent_rationale"],
        feedback_creates=tuple(_made(each, FeedbackCreate) for each in arguments.get("feedback_creates", ())),
    )
    return handed(slug, desk.engine.move(slug, lambda plan, now: classified(plan, request, now), truth=True))


def _made(given: dict[str, Any], kind: type[_Made]) -> _Made:
    """What is null was left out."""
    return msgspec.convert({name: value for name, value in given.items() if value is not None}, kind)


def write_for_human(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    slug = _slug(desk, arguments)
    given = {name: value for name, value in arguments.items() if name not in {"intent", "intent_slug"}}
    outcome = human_write(desk.folder, slug, msgspec.convert(given, HumanWrite), clock.iso(clock.now()))
    if isinstance(outcome, Refusal):
        return handed(slug, outcome)
    return told({"ok": True, **msgspec.to_builtins(outcome), "next": "haiku_run_next"})


def record_agent_write(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    """For agents whose client runs no hooks. What was shown as somebody else's change is not theirs to claim: it is
    classified.
    """
    slug = _slug(desk, arguments)
    place = _place(desk, slug, arguments["path"])
    _refuse_hooked(desk)
    stages = desk.folder.folders(f"{intent_folder(slug)}/stages")
    if tracked(place, stages) is None:
        return told({"ok": True, "stamped": False, "reason": "not_in_tracked_surface"})
    sha = digest_of(desk.folder, f"{intent_folder(slug)}/{place}")
    if sha is None or sha == ABSENT:
        return told({"ok": True, "stamped": False, "reason": "file_missing" if sha else "read_failed"})
    path = spelled(canonical(place))
    _refuse_shown(desk, slug, path, (INTENT_SCOPE, *stages))
    tick = read_tick(desk.folder, slug)
    agent_wrote(desk.folder, slug, [AgentWrite(place=place, sha=sha)], tick, clock.iso(clock.now()))
    scope = {"tick_counter": tick, "tick_scope": "stage" if place.startswith("stages/") else "intent"}
    return told({"ok": True, "stamped": True, "path": path, "sha": sha, **scope})


def _refuse_hooked(desk: Desk) -> None:
    if heard_lately(desk.home, clock.now()):
        words = (
            "The hooks of a client run in this project and put down themselves what an agent writes, so nothing is "
            "claimed here. They know what you write with an edit tool, or with a shell line that names the file; what "
            "they could not see is asked about once: call haiku_run_next, and classify it."
        )
        raise RefusedError("hooks_stamp_writes", words)


def _refuse_shown(desk: Desk, slug: str, path: str, scopes: tuple[str, ...]) -> None:
    record = TruthRecord(desk.folder, slug, digests_now(desk.folder, slug, scopes))
    dispatch = record.dispatch()
    if dispatch and any(found.path == path for found in dispatch.findings):
        words = f"{path} is part of an assessment that is open: say there what its change means."
        raise RefusedError("finding_open", words, "haiku_classify_drift", active_tick_id=dispatch.tick_id)
    if record.notes:
        raise RefusedError("finding_open", f"{record.notes[0]}: call haiku_run_next first.")


def _place(desk: Desk, slug: str, path: str) -> str:
    """Below the intent's folder, however it was given."""
    if not path:
        raise RefusedError("missing_path", "Which file was written is not said.", "haiku_record_agent_write")
    top = desk.folder.spelled(intent_folder(slug))
    whole = relpath(path, top) if path.startswith("/") else unspelled(path)
    inner = whole.removeprefix(f".haiku/{intent_folder(slug)}/")
    if inner.startswith("..") or "/../" in f"/{inner}/":
        words = f"{path[:200]!r} does not lie in the folder of {slug}."
        raise RefusedError("path_outside_intent", words, "haiku_record_agent_write")
    return inner


def begin_baselines(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    """What is there already stays as it is; one that was lost is for a person."""
    slug = _slug(desk, arguments)
    paths = arguments.get("paths", [])
    if (arguments.get("mode", "establish-all") == "establish-paths") != bool(paths):
        words = "paths go with the mode establish-paths, and that mode with paths."
        raise RefusedError("invalid_arguments", words, "haiku_baseline_init")
    outcome = baseline_init(desk.folder, slug, clock.iso(clock.now()), paths)
    if isinstance(outcome, Refusal):
        return handed(slug, outcome)
    made: dict[str, Any] = {"ok": True, "intent_slug": slug, **msgspec.to_builtins(outcome)}
    if made.pop("drift_is_off"):
        made["drift_disabled_warning"] = "drift_detection is off in .haiku/settings.yml: nothing is compared."
    return told(made)


def _slug(desk: Desk, arguments: Arguments) -> str:
    return desk.named(arguments.get("intent_slug") or arguments.get("intent", ""))


DRIFT_HANDLERS: dict[str, Handler] = {
    "haiku_classify_drift": classify_drift,
    "haiku_human_write": write_for_human,
    "haiku_record_agent_write": record_agent_write,
    "haiku_baseline_init": begin_baselines,
}


LATELY_SECONDS = 3600.0
"""Every call of an agent is heard before it is made: an hour of silence is no agent with hooks."""
_MOST_SESSIONS = 20


def heard_lately(home: str, now: float) -> bool:
    """In the project's primary work tree, or in one of its units'."""
    if not isfile(places.database()):
        return False
    try:
        store = open_store(places.database())
    except LeeboardError:
        return False
    try:
        newest = store.sessions(None, _MOST_SESSIONS)
    except LeeboardError:
        return False
    finally:
        store.close()
    top = home.rstrip("/")
    return any(
        each.live == "hook" and now - each.updated <= LATELY_SECONDS and f"{each.root}/".startswith(f"{top}/")
        for each in newest
    )


HANDLERS = {
    **RUN_HANDLERS,
    **UNIT_HANDLERS,
    **FEEDBACK_HANDLERS,
    **DRIFT_HANDLERS,
    **READ_HANDLERS,
    **PROJECT_HANDLERS,
    **ASK_HANDLERS,
}
PROSE = frozenset(
    {
        *("title", "description", "context", "reason", "decision", "options", "choice", "rationale", "report"),
        *("body", "author", "reply", "agent_rationale", "rationale_excerpt", "claimed_author_id", "human_author_id"),
    }
)
"""Fields with an agent's own words, in whatever tool: what may be a secret in them is left out. A file's text, a path
and a name stay as they are; what is certain is taken in none.
"""
_MOST_PROBLEMS = 5
_KEPT_OUT = (
    "holds a secret, which would be written into files and commits. Nothing was done: say it without the value, and "
    "name the variable or the store it is kept in."
)


MORE_THAN_ENOUGH = 12
"""Nested so deep, nothing is looked at any more: no schema of ours goes there."""


def handle(root: str, tool: Tool, arguments: Mapping[str, Any], call: McpCall) -> dict[str, Any]:
    if field := secret_in(_read(arguments)):
        return refused("secret_given", f"{tool.name}: {field} {_KEPT_OUT}", following=tool.name)
    wrong = problems(tool, arguments, safe_id)
    if wrong:
        said = redact("; ".join(wrong[:_MOST_PROBLEMS]))
        return refused("invalid_arguments", f"{tool.name}: {said}.", following=tool.name)
    try:
        given = _bare(arguments)
        return _with_note(HANDLERS[tool.name](Desk(root, call, looks=tool.reads), given), [*_changed(arguments, given)])
    except RefusedError as error:
        return refused(error.code, str(error), error.following, **error.details)
    except LeeboardError as error:
        return refused(error.kind, str(error), tool_in(str(error)))
    except OSError as error:
        return refused("not_done", f"{error.filename or 'the system'}: {error.strerror or error}", ASK_AGAIN)


def _read(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, and what stands in a file that is handed over in base64."""
    content = arguments.get("content")
    if not isinstance(content, str) or arguments.get("content_encoding") != "base64":
        return dict(arguments)
    try:
        return {**arguments, "content": b64decode(content).decode("utf-8", "replace")}
    except ValueError:
        return dict(arguments)


def _bare(value: Any, field: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _bare(each, name) for name, each in value.items()}
    if field in PROSE:
        return each_text(value, redact)
    return [_bare(each) for each in value] if isinstance(value, list) else value


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    return (name for name in before if before[name] != after[name])


def _with_note(answer: dict[str, Any], fields: list[str]) -> dict[str, Any]:
    if fields:
        words = f"What looks like a secret in {', '.join(fields)} was kept as [redacted]."
        answer["content"].append({"type": "text", "text": words})
    return answer


def secret_in(given: Mapping[str, Any]) -> str:
    """The name of the first field that holds one anywhere; `a name` where a field is called after one. Else empty."""
    for name, value in given.items():
        if holds_secret(name):
            return "a name"
        if any(map(holds_secret, _texts(value))):
            return name
    return ""


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple) and depth < MORE_THAN_ENOUGH:
        for each in value:
            yield from _texts(each, depth + 1)
    elif isinstance(value, dict) and depth < MORE_THAN_ENOUGH:
        for name, each in value.items():
            yield from _texts(name, depth + 1)
            yield from _texts(each, depth + 1)
