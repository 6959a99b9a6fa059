"""`.speedrift/` beside the tasks: what is remembered of each task, and how far the events were acted on.

State and cursor lie in one file, so that one move into place makes an event done. A file that can not be read is set
aside, never overwritten, and said: silence there would look like a task that never drifted.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from posixpath import dirname, isdir, join
from typing import Any

import msgspec

from leeboard.errors import EffectError
from leeboard.io import clock, system
from leeboard.io.file import file_lock, open_regular, open_written, own_folder, read_regular, replace_file, set_aside
from leeboard.model.task import TaskState

NAME = ".speedrift"
SCHEMA = 1
LARGEST = 64 << 20


class EventCursor(msgspec.Struct, frozen=True, kw_only=True):
    """Up to where the events were acted on; another inode is another file."""

    inode: int = 0
    offset: int = 0
    event_id: str = ""


class DriftState(msgspec.Struct, frozen=True, kw_only=True):
    schema: int = SCHEMA
    tasks: dict[str, TaskState] = msgspec.field(default_factory=dict)
    cursor: EventCursor = EventCursor()

    def task(self, task_id: str) -> TaskState:
        return self.tasks.get(task_id, TaskState())

    def with_task(self, task_id: str, state: TaskState) -> DriftState:
        return msgspec.structs.replace(self, tasks=self.tasks | {task_id: state})


class DriftFolder:
    """The folder of one task store."""

    def __init__(self, store: str) -> None:
        self.path = join(store, NAME)
        self.notes: list[str] = []
        """What was wrong with the files, for people."""

    @property
    def events(self) -> str:
        return join(self.path, "events.jsonl")

    @property
    def acceptance(self) -> str:
        return join(self.path, "acceptance.json")

    def read(self) -> DriftState:
        """What is remembered; nothing where there is no file, or none that can be read."""
        try:
            data = read_regular(self._state, LARGEST)
        except FileNotFoundError:
            return DriftState()
        except OSError as error:
            raise EffectError(f"can not read {self._state}: {error.strerror or error}") from error
        try:
            return _decoded(data)
        except ValueError as error:
            self.notes.append(f"{self._state} can not be read ({error}): streaks begin anew, the file is set aside")
            return DriftState()

    def update(self, change: Callable[[DriftState], DriftState]) -> DriftState:
        """Change what is remembered, under the folder's lock."""
        self.make()
        with file_lock(join(self.path, "state.lock")):
            before = self.read()
            if self.notes and os.path.lexists(self._state) and before == DriftState():
                self._set_aside()
            after = change(before)
            if after != before:
                replace_file(self._state, _encoded(after))
            return after

    def take_in(self, path: str) -> None:
        """Go on from what another machine remembered; one that is not there yet begins anew."""
        try:
            found = _decoded(read_regular(path, LARGEST, follow=True))
        except FileNotFoundError:
            return
        except OSError as error:
            raise EffectError(f"can not read {path}: {error.strerror or error}") from error
        except ValueError as error:
            self.notes.append(f"{path} can not be read ({error}): streaks begin anew")
            return
        self.update(lambda state: msgspec.structs.replace(state, tasks={**state.tasks, **found.tasks}))

    def hand_out(self, path: str) -> None:
        """What is remembered now, for the machine that looks next."""
        replace_file(path, _encoded(self.read()))

    def make(self) -> None:
        """The folder, where its store is: a store that is gone is never made again by us."""
        try:
            own_folder(self.path)
            if isdir(self.path):
                return
            os.mkdir(self.path, 0o755)  # noqa: PTH102 - names that are no valid text pass through
        except FileExistsError:
            return
        except OSError as error:
            raise EffectError(f"can not make {self.path}: {error.strerror or error}") from error
        replace_file(join(self.path, ".gitignore"), b"*\n")

    @property
    def _state(self) -> str:
        return join(self.path, "state.json")

    def _set_aside(self) -> None:
        try:
            _decoded(read_regular(self._state, LARGEST))
        except ValueError:
            kept = set_aside(self._state, clock.iso(clock.now()).replace(":", ""))
            self.notes.append(f"kept as {kept}")


def _decoded(data: bytes) -> DriftState:
    """Raises ValueError. One task that is odd does not take the others with it."""
    try:
        found: Any = msgspec.json.decode(data)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    if not isinstance(found, dict) or not isinstance(found.get("tasks", {}), dict):
        raise ValueError("not a drift state")  # noqa: TRY004 - content, not a caller's mistake
    if not isinstance(found.get("schema", SCHEMA), int) or found.get("schema", SCHEMA) > SCHEMA:
        raise EffectError("the drift state was written by a newer version: update this one")
    tasks = {name: _task(fields) for name, fields in found.get("tasks", {}).items()}
    return DriftState(tasks=tasks, cursor=_cursor(found.get("event_cursor")))


def _task(fields: object) -> TaskState:
    try:
        return msgspec.convert(fields, TaskState)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from error


def _cursor(found: object) -> EventCursor:
    """Other tools keep a bare offset."""
    if isinstance(found, int) and not isinstance(found, bool):
        return EventCursor(offset=max(0, found))
    try:
        return msgspec.convert(found, EventCursor) if found is not None else EventCursor()
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from error


def _encoded(state: DriftState) -> bytes:
    fields = {"schema": state.schema, "tasks": state.tasks, "event_cursor": state.cursor}
    return msgspec.json.format(msgspec.json.encode(fields), indent=2) + b"\n"


# `events.jsonl`: a monitor appends to it, whoever acts on the events reads on from where it was.
#
# A line is one write to the end of the file, under a lock, and counts once its newline is there: what a killed writer
# left is ended by the next one and skipped by the reader. A file that has grown too large is moved aside once
# everything in it was acted on, so nothing waits in a file nobody looks at.


LARGEST_EVENTS = 4 << 20
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
    return b"\n" if size and system.read_at(file, 1, size - 1) != b"\n" else b""


def _write(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]


def _rotate(path: str, cursor: EventCursor) -> None:
    try:
        seen = os.lstat(path)
    except FileNotFoundError:
        return
    if seen.st_size >= LARGEST_EVENTS and cursor.inode == seen.st_ino and cursor.offset >= seen.st_size:
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
    while chunk := system.read_at(file, _CHUNK, start + len(held)):
        *lines, held = (held + chunk).split(b"\n")
        for line in lines:
            start += len(line) + 1
            yield Appended(line, EventCursor(inode=inode, offset=start))
