"""Who does the work of each tool: arguments are checked here, once, and every failure becomes an answer with a code."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator, Mapping
from typing import Any

from leeboard.app.secret_fields import each_text, holds_secret
from leeboard.errors import LeeboardError
from leeboard.plan.files.files import safe_id
from leeboard.secrets.redaction import redact
from leeboard.surfaces.mcp.calls import ASK_AGAIN, Desk, McpCall, RefusedError, refused, tool_in
from leeboard.surfaces.mcp.drift_handlers import DRIFT_HANDLERS
from leeboard.surfaces.mcp.feedback_handlers import FEEDBACK_HANDLERS
from leeboard.surfaces.mcp.project_handlers import PROJECT_HANDLERS
from leeboard.surfaces.mcp.read_handlers import READ_HANDLERS
from leeboard.surfaces.mcp.run_handlers import RUN_HANDLERS
from leeboard.surfaces.mcp.tools import Tool, problems
from leeboard.surfaces.mcp.unit_handlers import UNIT_HANDLERS

HANDLERS = {
    **RUN_HANDLERS,
    **UNIT_HANDLERS,
    **FEEDBACK_HANDLERS,
    **DRIFT_HANDLERS,
    **READ_HANDLERS,
    **PROJECT_HANDLERS,
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
        return _with_note(HANDLERS[tool.name](Desk(root, call), given), [*_changed(arguments, given)])
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
