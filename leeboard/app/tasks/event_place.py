"""Where to read on in a file of events, also when it is no longer the file it was.

An inode and an offset hold for as long as nobody copies, edits or restores the file. The id of the last event that was
acted on finds the place again where they do not: what stands behind that event is new, whatever stands before it.
"""

from __future__ import annotations

import os
from datetime import datetime

import msgspec

from leeboard.contracts.disk.drift_folder import Appended, EventCursor, read_events
from leeboard.io import system
from leeboard.io.file import open_regular

_CHUNK = 1 << 16


class _Named(msgspec.Struct, frozen=True):
    event_id: str = ""


_decoder = msgspec.json.Decoder(_Named)


def resumed(path: str, cursor: EventCursor) -> EventCursor:
    """The cursor as it holds for the file that is there now; its start where nothing of it is known."""
    if not cursor.event_id or id_of(_line_before(path, cursor)) == cursor.event_id:
        return cursor
    named = (one.cursor for one in read_events(path, EventCursor()) if id_of(one.line) == cursor.event_id)
    found = next(named, None)
    return EventCursor(inode=found.inode, offset=found.offset, event_id=cursor.event_id) if found else EventCursor()


def id_of(line: bytes) -> str:
    """The id of the event on a line; empty where it has none."""
    try:
        return _decoder.decode(line).event_id
    except (ValueError, RecursionError):
        return ""


def _line_before(path: str, cursor: EventCursor) -> bytes:
    """The line that ends where the cursor is; empty where that is no end of a line."""
    try:
        file = open_regular(path)
    except OSError:
        return b""
    try:
        end = cursor.offset - 1
        is_known = os.fstat(file).st_ino == cursor.inode and end > 0 and system.read_at(file, 1, end) == b"\n"
        return _back_from(file, end) if is_known else b""
    finally:
        os.close(file)


def _back_from(file: int, end: int) -> bytes:
    """What stands between the newline before `end` and `end`."""
    line = b""
    while end > 0 and b"\n" not in line:
        start = max(0, end - _CHUNK)
        line, end = system.read_at(file, end - start, start) + line, start
    return line.rpartition(b"\n")[2]


# What the events in a file say of each task last: a monitor needs no memory of its own.


ERROR = "monitor_error"
_SCHEMA = 1


class EventMark(msgspec.Struct, frozen=True, kw_only=True):
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
    """The marks in one file of events and the one that was moved aside before it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._cursor: EventCursor | None = None
        self._marks: dict[str, EventMark] = {}

    def read(self) -> dict[str, EventMark]:
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
            line = _mark_decoder.decode(appended.line)
            at = epoch(line.timestamp)
        except (ValueError, RecursionError):
            return
        kinds = sorted({one.kind for one in line.findings if one.severity != "info"})
        says = failed(line.error) if line.kind == ERROR else seen(line.score, tuple(kinds), line.tree)
        before = self._marks.get(line.task_id or "")
        base = line.base_commit or (before.base if before else "")
        self._marks[line.task_id or ""] = EventMark(says=says, at=at, base=base)


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


_mark_decoder = msgspec.json.Decoder(_Line)
