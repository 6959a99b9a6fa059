"""Where to read on in a file of events, also when it is no longer the file it was.

An inode and an offset hold for as long as nobody copies, edits or restores the file. The id of the last event that was
acted on finds the place again where they do not: what stands behind that event is new, whatever stands before it.
"""

from __future__ import annotations

import os

import msgspec

from leeboard.io.drift_events import read_events
from leeboard.io.drift_folder import EventCursor
from leeboard.io.opened import open_regular

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
    """Of the event on a line; empty where it has none."""
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
        is_known = os.fstat(file).st_ino == cursor.inode and end > 0 and os.pread(file, 1, end) == b"\n"
        return _back_from(file, end) if is_known else b""
    finally:
        os.close(file)


def _back_from(file: int, end: int) -> bytes:
    """What stands between the newline before `end` and `end`."""
    line = b""
    while end > 0 and b"\n" not in line:
        start = max(0, end - _CHUNK)
        line, end = os.pread(file, end - start, start) + line, start
    return line.rpartition(b"\n")[2]
