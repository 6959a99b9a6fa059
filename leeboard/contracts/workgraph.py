"""`graph.jsonl` of a workgraph: one object a line, whose other fields and neighbours are none of our business.

A line is read tolerantly (a status, kind or field nobody knows is no reason to fail) and changed strictly: only the
object that is meant, with every key it has, in its order. Lines that are not changed stay the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import msgspec

from leeboard.errors import WireError
from leeboard.model.task import TOUCH_SET, Task
from leeboard.model.text import lazy

ACTOR = "speedrift"
PRIORITY = 10
_ID = lazy(r"\.?\w[\w.,:@+-]*")
_NEIGHBOURS = {"after": ("after", "blocked_by"), "before": ("before", "blocks")}
"""A task has one of the two names; both on one line would make the whole graph unreadable."""


class WorkgraphLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the file, without its end."""

    raw: bytes
    fields: dict[str, Any] = msgspec.field(default_factory=dict)
    problem: str = ""
    """Why it can not be read."""

    @property
    def task_id(self) -> str:
        """The id of a line that is a task; empty for any other line."""
        return self.fields.get("id", "") if is_task(self.fields) else ""


def is_task(fields: Mapping[str, Any]) -> bool:
    return fields.get("kind", fields.get("type", "")) == "task" and isinstance(fields.get("id"), str)


def parse(data: bytes) -> list[WorkgraphLine]:
    """The lines of a graph. The end of the last one is no line of its own."""
    lines = data.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    return [_line(raw) for raw in lines]


def _json() -> Any:
    """Every hook asks whether there is a graph, and few projects have one."""
    import json  # noqa: PLC0415 - as above

    return json


def _line(raw: bytes) -> WorkgraphLine:
    text = raw.strip()
    if not text or text.startswith(b"#"):
        return WorkgraphLine(raw=raw)
    try:
        fields = _json().loads(text)
    except (ValueError, RecursionError) as error:
        return WorkgraphLine(raw=raw, problem=f"not valid JSON: {error}")
    if not isinstance(fields, dict):
        return WorkgraphLine(raw=raw, problem="not an object")
    line = WorkgraphLine(raw=raw, fields=fields)
    if line.task_id and not _ID.fullmatch(line.task_id):
        # It would reach lines that people paste into a shell, and arguments of programs.
        return WorkgraphLine(
            raw=raw,
            problem="a task's id may hold letters, digits and ._,:@+- only, and begins with a letter, or a dot and one",
        )
    return line


def render(lines: Iterable[WorkgraphLine]) -> bytes:
    return b"".join(line.raw + b"\n" for line in lines)


def problems(lines: Iterable[WorkgraphLine]) -> tuple[str, ...]:
    """What could not be read, by line number."""
    return tuple(f"line {number}: {line.problem}" for number, line in enumerate(lines, start=1) if line.problem)


def tasks(lines: Iterable[WorkgraphLine]) -> tuple[Task, ...]:
    """Every task once; of two lines with one id the last one counts, as for `wg`."""
    found = {line.task_id: line.fields for line in lines if line.task_id}
    return tuple(_task(fields) for fields in found.values())


def _task(fields: Mapping[str, Any]) -> Task:
    metadata = fields.get("metadata")
    return Task(
        id=fields["id"],
        title=_text(fields, "title") or fields["id"],
        description=_text(fields, "description"),
        status=_text(fields, "status") or "open",
        after=_texts(fields, _named(fields, "after")),
        tags=_texts(fields, "tags"),
        started_at=_text(fields, "started_at"),
        metadata=metadata if isinstance(metadata, dict) else {},
        touch_changes=tuple(said for said in _said(fields) if said.startswith(TOUCH_SET)),
    )


def _said(fields: Mapping[str, Any]) -> list[str]:
    """The messages of a task's log."""
    log = fields.get("log")
    entries = (entry for entry in log if isinstance(entry, dict)) if isinstance(log, list) else ()
    return [message for entry in entries if isinstance(message := entry.get("message"), str)]


def changed(line: WorkgraphLine, now: str, **values: object) -> WorkgraphLine:
    """The line with these fields set, and nothing else but the time of the change."""
    return _written(line.fields | values | {"last_interaction_at": now})


def logged(line: WorkgraphLine, message: str, at: str, now: str) -> WorkgraphLine:
    """The line with one more entry in the task's log."""
    log = line.fields.get("log")
    entry = {"timestamp": at, "actor": ACTOR, "message": message}
    return changed(line, now, log=[*(log if isinstance(log, list) else []), entry])


def has_logged(line: WorkgraphLine, message: str, at: str) -> bool:
    """Whether this entry is there already: the same words of ours, not from before that moment.

    `wg` gives an entry the time at which it writes it, so the moments need not be equal.
    """
    log = line.fields.get("log")
    entries = (entry for entry in log if isinstance(entry, dict)) if isinstance(log, list) else ()
    said = [_text(entry, "timestamp") for entry in entries if _words(entry) == (ACTOR, message)]
    return any(stamp == at or not _is_before(stamp, at) for stamp in said)


def said_last(line: WorkgraphLine, moment: str) -> str:
    """Our newest words in its log that are not from after a moment; empty where we had said nothing by then."""
    log = line.fields.get("log")
    entries = (entry for entry in log if isinstance(entry, dict)) if isinstance(log, list) else ()
    ours = [
        entry for entry in entries if entry.get("actor") == ACTOR and not _is_before(moment, _text(entry, "timestamp"))
    ]
    return _text(ours[-1], "message") if ours else ""


def _words(entry: Mapping[str, Any]) -> tuple[object, object]:
    return entry.get("actor"), entry.get("message")


def _is_before(stamp: str, moment: str) -> bool:
    """Times that can not be read are before everything."""
    try:
        return datetime.fromisoformat(stamp) < datetime.fromisoformat(moment)
    except (ValueError, TypeError):
        return True


def blocking(line: WorkgraphLine, task_id: str, now: str) -> WorkgraphLine:
    """The line of a task that another one waits for."""
    name = _named(line.fields, "before")
    known = _texts(line.fields, name)
    return line if task_id in known else changed(line, now, **{name: [*known, task_id]})


def new_line(task: Task, now: str, **others: object) -> WorkgraphLine:
    """A task as `wg` would write a draft of it: somebody releases it."""
    fields: dict[str, object] = {
        "kind": "task",
        "id": task.id,
        "title": task.title,
        "description": task.description,
        "status": task.status,
        "priority": PRIORITY,
    }
    fields |= {"after": list(task.after)} if task.after else {}
    fields |= {"tags": list(task.tags)} if task.tags else {}
    return _written(fields | {"created_at": now, "last_interaction_at": now} | others)


def _written(fields: dict[str, Any]) -> WorkgraphLine:
    try:
        text = _json().dumps(fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError as error:
        raise WireError("it has a number that JSON can not hold; correct it by hand first") from error
    try:
        raw = text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, which only an escape can carry
        raw = _json().dumps(fields, separators=(",", ":")).encode()
    return WorkgraphLine(raw=raw, fields=fields)


def _named(fields: Mapping[str, Any], edge: str) -> str:
    return next((name for name in _NEIGHBOURS[edge] if name in fields), edge)


def _text(fields: Mapping[str, Any], key: str) -> str:
    found = fields.get(key)
    return found if isinstance(found, str) else ""


def _texts(fields: Mapping[str, Any], key: str) -> tuple[str, ...]:
    found = fields.get(key)
    return tuple(one for one in found if isinstance(one, str)) if isinstance(found, list) else ()
