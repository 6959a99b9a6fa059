"""What the events in a file say of each task last: a monitor needs no memory of its own."""

from __future__ import annotations

from datetime import datetime

import msgspec

from leeboard.io.drift_events import Appended, read_events
from leeboard.io.drift_folder import EventCursor

ERROR = "monitor_error"
_SCHEMA = 1


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """The last event of a task."""

    says: str
    """Score, kinds and tree; or what went wrong."""
    at: float
    base: str = ""


class Failed(msgspec.Struct, frozen=True, kw_only=True):
    """A task that could not be looked at, as an event."""

    event_id: str
    timestamp: str
    task_id: str
    error: str
    kind: str = ERROR
    schema: int = _SCHEMA


class _Finding(msgspec.Struct, frozen=True):
    kind: str = ""
    severity: str = "warn"


class _Line(msgspec.Struct, frozen=True):
    """What a monitor reads of an event."""

    timestamp: str
    task_id: str | None = None
    kind: str = ""
    score: str = ""
    error: str = ""
    tree: str = ""
    base_commit: str = ""
    findings: tuple[_Finding, ...] = ()


class EventMarks:
    """Of one file of events and the one that was moved aside before it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._cursor: EventCursor | None = None
        self._marks: dict[str, Mark] = {}

    def read(self) -> dict[str, Mark]:
        """By task; the work that has no task is the empty name."""
        if self._cursor is None:
            self._cursor = EventCursor()
            self._take(f"{self._path}.1")
            self._cursor = EventCursor()
        self._take(self._path)
        return self._marks

    def _take(self, path: str) -> None:
        for appended in read_events(path, self._cursor or EventCursor()):
            self._cursor = appended.cursor
            self._note(appended)

    def _note(self, appended: Appended) -> None:
        try:
            line = _decoder.decode(appended.line)
            at = epoch(line.timestamp)
        except (ValueError, RecursionError):
            return
        kinds = sorted({one.kind for one in line.findings if one.severity != "info"})
        says = failed(line.error) if line.kind == ERROR else seen(line.score, tuple(kinds), line.tree)
        before = self._marks.get(line.task_id or "")
        base = line.base_commit or (before.base if before else "")
        self._marks[line.task_id or ""] = Mark(says=says, at=at, base=base)


def seen(score: str, kinds: tuple[str, ...], tree: str) -> str:
    return " ".join((score, *kinds, tree))


def failed(error: str) -> str:
    return f"{ERROR} {error}"


def epoch(timestamp: str) -> float:
    """Raises ValueError for what is no moment: a time without its zone is none."""
    then = datetime.fromisoformat(timestamp)
    if then.tzinfo is None:
        raise ValueError(f"{timestamp!r} has no time zone")
    try:
        return then.timestamp()
    except OverflowError as error:
        raise ValueError(f"{timestamp!r} is out of range") from error


_decoder = msgspec.json.Decoder(_Line)
