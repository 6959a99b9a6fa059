"""`events.jsonl`: a monitor appends to it, whoever acts on the events reads on from where it was.

A line is one write to the end of the file, under a lock, and counts once its newline is there: what a killed writer
left is ended by the next one and skipped by the reader. A file that has grown too large is moved aside once everything
in it was acted on, so nothing waits in a file nobody looks at.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from posixpath import dirname

import msgspec

from leeboard.errors import EffectError
from leeboard.io.drift_folder import EventCursor
from leeboard.io.lock import file_lock
from leeboard.io.opened import open_regular
from leeboard.io.written import open_written, own_folder

LARGEST = 4 << 20
_CHUNK = 1 << 20


class Appended(msgspec.Struct, frozen=True):
    """One complete line, and the cursor behind it."""

    line: bytes
    cursor: EventCursor


def append_event(path: str, line: bytes, cursor: EventCursor) -> None:
    """Put one line, its end included, at the end. `cursor` is how far the events were acted on."""
    try:
        own_folder(dirname(path))
        with file_lock(f"{path}.lock"):
            _rotate(path, cursor)
            file = open_written(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
            try:
                _write(file, _ending(file) + line)
                os.fsync(file)
            finally:
                os.close(file)
    except OSError as error:
        raise EffectError(f"can not append to {path}: {error.strerror or error}") from error


def _ending(file: int) -> bytes:
    """What ends the half line of a writer that was killed."""
    size = os.fstat(file).st_size
    return b"\n" if size and os.pread(file, 1, size - 1) != b"\n" else b""


def _write(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]


def _rotate(path: str, cursor: EventCursor) -> None:
    try:
        seen = os.lstat(path)
    except FileNotFoundError:
        return
    if seen.st_size >= LARGEST and cursor.inode == seen.st_ino and cursor.offset >= seen.st_size:
        os.replace(path, f"{path}.1")  # noqa: PTH105 - names that are no valid text pass through


def read_events(path: str, cursor: EventCursor) -> Iterator[Appended]:
    """Complete lines behind the cursor. A file that is another one, or shorter than it was, is read from its start."""
    try:
        file = open_regular(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise EffectError(f"can not read {path}: {error.strerror or error}") from error
    try:
        seen = os.fstat(file)
        known = cursor.inode in {0, seen.st_ino} and cursor.offset <= seen.st_size
        yield from _lines(file, seen.st_ino, cursor.offset if known else 0)
    finally:
        os.close(file)


def _lines(file: int, inode: int, offset: int) -> Iterator[Appended]:
    held, start = b"", offset
    while chunk := os.pread(file, _CHUNK, start + len(held)):
        *lines, held = (held + chunk).split(b"\n")
        for line in lines:
            start += len(line) + 1
            yield Appended(line, EventCursor(inode=inode, offset=start))
