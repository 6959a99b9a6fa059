"""Reads on in the transcript a hook names, for what no hook told: plans, and calls of a client without tool hooks.

The file lags behind the hooks, so a call that is still open there may be one whose hook is about to ask. Judged from
the transcript it could no longer be refused; while tools run, reading therefore stops before it. At a pause all calls
have been asked about that ever will be, and everything is read. Keys make it harmless to read something twice.
Where hooks tell of the session, a prompt that no hook told of is the user's only where the file's own chain shows it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

import msgspec

from leeboard.clients import client_named
from leeboard.clients.call import HookCall
from leeboard.clients.told_paths import respelled_event
from leeboard.io import system
from leeboard.io.places import transcript_of
from leeboard.model.event import (
    Event,
    MessageSaid,
    PromptGiven,
    ThoughtShown,
    ToolFinished,
    ToolProposed,
    words_key,
)
from leeboard.model.lookup import Cursor, Store

_MEBIBYTE = 1 << 20
LONGEST_LINE = 64 * _MEBIBYTE
"""A longer line is passed over."""
_INODE_BITS = 0x7FFF_FFFF_FFFF_FFFF
"""Some file systems use 64 of them, SQLite keeps 63."""


# Read on in a file that somebody else appends to.
#
# Where we stand is a byte offset and an inode, kept by the caller. Offsets always lie behind a newline: a line is given
# out when it is whole. Nothing here raises for what the disk does; a note says why there is nothing.


class Tail(msgspec.Struct, frozen=True, kw_only=True):
    data: bytes = b""
    offset: int = 0
    """Where to read on, with this inode."""
    inode: int = 0
    reset: bool = False
    """The file was replaced or cut, and is read from its start again."""
    more: bool = False
    """The limit ended this reading, not the file."""
    note: str = ""


def read_on(path: str, offset: int = 0, inode: int = 0, limit: int = _MEBIBYTE, *, unfinished: bool = False) -> Tail:
    """The whole lines since `offset`, about `limit` bytes of them; a line longer than that is given whole.

    `unfinished` also gives what stands behind the last newline. It is not passed: the next reading gives it again.
    """
    try:
        file = os.open(path, os.O_RDONLY | system.NONBLOCK | system.CLOEXEC)
    except (OSError, ValueError) as error:
        return Tail(offset=offset, inode=inode, note=str(error))
    try:
        tail = _read(file, offset, inode, max(limit, 1))
        if unfinished and not tail.more:
            return msgspec.structs.replace(tail, data=tail.data + system.read_at(file, LONGEST_LINE, tail.offset))
    except OSError as error:
        return Tail(offset=offset, inode=inode, note=str(error))
    else:
        return tail
    finally:
        os.close(file)


def read_before(path: str, offset: int, limit: int = _MEBIBYTE) -> bytes:
    """What stands in front of `offset`, so much of it at most; nothing where it can not be read."""
    try:
        file = os.open(path, os.O_RDONLY | system.NONBLOCK | system.CLOEXEC)
    except (OSError, ValueError):
        return b""
    start = max(0, offset - limit)
    try:
        return system.read_at(file, offset - start, start) if stat.S_ISREG(os.fstat(file).st_mode) else b""
    except OSError:
        return b""
    finally:
        os.close(file)


def _read(file: int, offset: int, inode: int, limit: int) -> Tail:
    seen = os.fstat(file)
    if not stat.S_ISREG(seen.st_mode):
        return Tail(offset=offset, inode=inode, note="not a regular file")
    found = seen.st_ino & _INODE_BITS
    reset = inode not in {0, found} or not _is_line_start(file, offset, seen.st_size)
    start = 0 if reset else offset
    data, end, more = _lines(file, start, limit)
    return Tail(data=data, offset=end, inode=found, reset=reset, more=more)


def _is_line_start(file: int, offset: int, size: int) -> bool:
    """False when the file was cut, or written anew under the same inode."""
    return offset == 0 or (0 < offset <= size and system.read_at(file, 1, offset - 1) == b"\n")


def _lines(file: int, start: int, limit: int) -> tuple[bytes, int, bool]:
    """Lines, where they end, and whether the limit was reached."""
    data, at = b"", start
    while chunk := system.read_at(file, limit, at):
        at += len(chunk)
        data += chunk
        end = data.rfind(b"\n", len(data) - len(chunk)) + 1
        if end:
            return data[:end], start + end, len(chunk) == limit
        if len(data) > LONGEST_LINE:
            return b"", _next_line(file, at) or start, True
    return b"", start, False


def _next_line(file: int, at: int) -> int:
    """Where the line that stands at `at` has ended; 0 while it has not."""
    while chunk := system.read_at(file, _MEBIBYTE, at):
        end = chunk.find(b"\n")
        if end >= 0:
            return at + end + 1
        at += len(chunk)
    return 0


LIVE_LIMIT = 256 << 10
"""Bytes read in front of a tool call."""
PAUSE_LIMIT = 4 << 20
"""Bytes read at a pause, and where a session is met for the first time."""

_PAUSES = frozenset({"start", "prompt", "stop", "end"})


class TranscriptReading(msgspec.Struct, frozen=True, kw_only=True):
    events: tuple[Event, ...] = ()
    cursor: Cursor | None = None
    """Where to read on, once the events are handled; None where that has not moved."""
    note: str = ""
    made_up: bool = False
    """Somebody else than the client wrote a prompt into it."""


def catch_up(call: HookCall, store: Store) -> TranscriptReading:
    """What the transcript tells since it was last read, in order, without what the hook tells itself."""
    pause = call.kind in _PAUSES
    if pause and not call.transcript:
        call = msgspec.structs.replace(call, transcript=transcript_of(call.session, call.cwd))
    if not call.transcript or not (pause or call.kind == "before_call"):
        return TranscriptReading()
    cursor = store.cursor(call.transcript) or Cursor(path=call.transcript)
    new = cursor.offset == 0 and store.session(call.session) is None
    tail = read_on(call.transcript, cursor.offset, cursor.inode, PAUSE_LIMIT if pause or new else LIVE_LIMIT)
    if not tail.data:
        return TranscriptReading(note="" if "No such file" in tail.note else tail.note)
    start = tail.offset - len(tail.data)
    told = list(_appended_lines(tail.data, call, started=start > 0))
    if any(isinstance(event, MessageSaid | ThoughtShown) for _, events in told for event in events):
        told = _not_carried(told, call, store)
    own = {event.key for event in call.events if event.key}
    forged: tuple[Event, ...] = ()
    if any(isinstance(event, PromptGiven) and event.key not in own for _, events in told for event in events):
        told, forged = _believed(told, tail, call, store, is_long_past=pause and tail.more)
    if not pause:
        told = told[: _first_open(told, call)]
    end = start + sum(length for length, _ in told)
    return TranscriptReading(
        events=(*(event for _, events in told for event in events if event.key not in own), *forged),
        cursor=Cursor(path=call.transcript, inode=tail.inode, offset=end, session=call.session),
        made_up=bool(forged),
    )


def _not_carried(told: list[tuple[int, list[Event]]], call: HookCall, store: Store) -> list[tuple[int, list[Event]]]:
    """Without the words that were heard on their way from the model."""
    session = store.session(call.session)
    if session is None or not session.carried:
        return told

    def is_new(event: Event) -> bool:
        if not isinstance(event, MessageSaid | ThoughtShown):
            return True
        return store.answered(call.session, words_key(event.agent, event.text)) is None

    return [(length, [event for event in events if is_new(event)]) for length, events in told]


def _believed(
    told: list[tuple[int, list[Event]]], tail: Tail, call: HookCall, store: Store, *, is_long_past: bool
) -> tuple[list[tuple[int, list[Event]]], tuple[Event, ...]]:
    """What counts of the lines where hooks tell of the session, and what the agent did that made a prompt up.

    `is_long_past`: so much follows that all of it is older than the hooks; nothing is waited for there.
    """
    session = store.session(call.session)
    if session is None or session.live != "hook":
        return told, ()
    from leeboard.app.hook_origin import written  # noqa: PLC0415 - only where a prompt is read

    own = {event.key for event in call.events if event.key}

    def is_told(event: Event) -> bool:
        if isinstance(event, PromptGiven) and event.digest in session.prompts:
            return True
        return bool(event.key) and (event.key in own or store.answered(call.session, event.key) is not None)

    start = tail.offset - len(tail.data)
    lines = tail.data.split(b"\n")[:-1]
    proof = client_named(call.client).prove(lines, told, is_told, read_before(call.transcript, start))
    if proof is None:
        return told, ()
    if is_long_past and proof.until < len(told):
        proof = msgspec.structs.replace(proof, until=len(told))
    forged = tuple(event for prompt in proof.made_up for event in written(call, prompt))
    return proof.believed(told), forged


def keep_place(reading: TranscriptReading, call: HookCall, store: Store) -> None:
    """Remember how far was read."""
    if reading.cursor is not None:
        with store.transaction(call.session) as transaction:
            transaction.set_cursor(reading.cursor)


def _appended_lines(data: bytes, call: HookCall, *, started: bool) -> Iterator[tuple[int, list[Event]]]:
    """Each line's length and what it tells."""
    reader = client_named(call.client).open_reader(call.session, started=started)
    for line in data.split(b"\n")[:-1]:
        yield len(line) + 1, [respelled_event(event, system.OURS) for event in reader.feed(line + b"\n")]


def _first_open(told: list[tuple[int, list[Event]]], call: HookCall) -> int:
    """The first line with a call, other than the hook's own, that no later line brings the result of."""
    known = {event.call.id for _, events in told for event in events if isinstance(event, ToolFinished)}
    known |= {event.call.id for event in call.events if isinstance(event, ToolProposed)}
    for position, (_, events) in enumerate(told):
        if any(isinstance(event, ToolProposed) and event.call.id not in known for event in events):
            return position
    return len(told)
