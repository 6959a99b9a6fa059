"""Files of a folder to their digests, each only as good as it held still.

A small file is looked at after it was read: when its last change lies well before that, it did not change meanwhile.
The others are read with a look on either side, and again where the two differ. A worker process runs this too, so
nothing slow is imported.
"""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Callable
from itertools import repeat
from stat import S_ISLNK, S_ISREG
from time import monotonic

from leeboard.truth.digests import folder as kinds
from leeboard.truth.digests.identity import (
    BLANK,
    BLOCK,
    SIZE,
    Row,
    Sight,
    all_settled,
    columns,
    is_settled,
    rows,
    settled,
    settled_block,
)

Hashes = tuple[bytes, bytes, bytes, bool]
"""Of files in order: kinds, digests, identities in columns, blank where not to be relied on; and whether one of them
has a second name."""
One = tuple[int, bytes, Row, int]
"""Kind, digest or number of the error, identity, and the moment before it was read."""

TRIES = 4
PIECE = 1 << 16
HEAD = 8192
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


class OutOfTime(Exception):  # noqa: N818 - nothing is wrong
    """In the middle of a large file."""


class FileHasher:
    """Reads files. One for each thread."""

    def __init__(self, deadline: float, now: Callable[[], int]) -> None:
        self._sight = Sight()
        self._deadline = deadline
        self._now = now

    def hash_files(self, folder: int, names: list[bytes], device: int | None) -> Hashes:
        """At most `BLOCK` that were seen to be ordinary files, on a file system whose times can be relied on."""
        self._sight.make_room(BLOCK)
        moment, count = self._now(), len(names)
        before = self._before(folder, names, moment)
        found = [self._small(folder, name, number) for number, name in enumerate(names)]
        stats, ordinary = self._sight.noted(count), self._sight.all_ordinary(count)
        shared = not ordinary or self._sight.any_shared(count)
        whole = [each for each in found if each is not None] if ordinary else []
        if len(whole) == count and (before == stats or all_settled(stats, moment, device)):
            kept = settled_block(stats, moment, device) if before else stats
            return bytes([kind for kind, _ in whole]), b"".join([sha for _, sha in whole]), kept, shared
        looked_at = rows(before) if before else repeat(BLANK, count)
        ones = [
            (*one, row, moment)
            if ordinary and one is not None and (row == seen or settled(row, moment, device) == row)
            else self.hash_one(folder, name)
            for name, one, row, seen in zip(names, found, rows(stats), looked_at, strict=True)
        ]
        return *_together(ones, device, local=True), shared

    def hash_each(self, folder: int, names: list[bytes], device: int | None, *, local: bool) -> Hashes:
        """Whatever they are, and wherever."""
        return *_together([self.hash_one(folder, name) for name in names], device, local=local), False

    def hash_one(self, folder: int, name: bytes) -> One:
        """Whatever it is by now."""
        try:
            return self._held_still(folder, name)
        except FileNotFoundError:
            return kinds.GONE, kinds.NO_DIGEST, BLANK, 0
        except OutOfTime:
            return kinds.UNSEEN, kinds.NO_DIGEST, BLANK, 0
        except OSError as error:
            return kinds.UNREADABLE, (error.errno or errno.EIO).to_bytes(kinds.DIGEST, "big"), BLANK, 0

    def _before(self, folder: int, names: list[bytes], moment: int) -> bytes:
        """How they look before they are read, where the first changed a moment ago, and so probably the others."""
        ((first, _, _),) = self._sight.look(folder, names[:1])
        return b"" if is_settled(first, moment) else self._sight.identities(folder, names)

    def _small(self, folder: int, name: bytes, number: int) -> tuple[int, bytes] | None:
        """Kind and digest of what is read at once; its identity is noted. None: not so."""
        if monotonic() > self._deadline:
            return None
        try:
            file = os.open(name, _READ, dir_fd=folder)
        except OSError:
            return None
        try:
            data = os.read(file, PIECE)
            self._sight.note(file, number)
        except OSError:
            return None
        finally:
            os.close(file)
        if len(data) == PIECE:
            return None
        kind = kinds.BINARY if is_binary(data[:HEAD], whole=len(data) <= HEAD) else kinds.TEXT
        return kind, hashlib.sha256(data, usedforsecurity=False).digest()

    def _held_still(self, folder: int, name: bytes) -> One:
        for _ in range(TRIES):
            if monotonic() > self._deadline:
                raise OutOfTime
            began = self._now()
            found = self._read(folder, name)
            if found is not None:
                return *found, began
        return kinds.CHANGING, kinds.NO_DIGEST, BLANK, 0

    def _read(self, folder: int, name: bytes) -> tuple[int, bytes, Row] | None:
        """None when it changed meanwhile."""
        ((before, mode, _),) = self._sight.look(folder, (name,))
        if S_ISLNK(mode):
            return self._link(folder, name, before)
        if mode and not S_ISREG(mode):
            return kinds.SPECIAL, kinds.NO_DIGEST, before
        try:
            file = os.open(name, _READ, dir_fd=folder)
        except OSError as error:
            if error.errno == errno.ELOOP:
                return None
            raise
        try:
            return self._file(file, before)
        finally:
            os.close(file)

    def _file(self, file: int, before: Row) -> tuple[int, bytes, Row] | None:
        digest = hashlib.sha256(usedforsecurity=False)
        head, left = b"", before[SIZE] + PIECE
        while data := os.read(file, PIECE):
            if monotonic() > self._deadline:
                raise OutOfTime
            head = head or data[:HEAD]
            digest.update(data)
            left -= len(data)
            if left < 0:  # it grows faster than it is read
                return None
        if self._sight.opened(file)[0] != before:
            return None
        kind = kinds.BINARY if is_binary(head, whole=before[SIZE] <= HEAD) else kinds.TEXT
        return kind, digest.digest(), before

    def _link(self, folder: int, name: bytes, before: Row) -> tuple[int, bytes, Row] | None:
        """Its text is its content."""
        text = os.readlink(name, dir_fd=folder)
        ((after, _, _),) = self._sight.look(folder, (name,))
        return (kinds.LINK, hashlib.sha256(text, usedforsecurity=False).digest(), before) if after == before else None


def _together(ones: list[One], device: int | None, *, local: bool) -> tuple[bytes, bytes, bytes]:
    stats = columns([settled(row, moment if local else 0, device) for _, _, row, moment in ones])
    return bytes([one[0] for one in ones]), b"".join([one[1] for one in ones]), stats


def is_binary(head: bytes, *, whole: bool) -> bool:
    """Whether these first bytes are no text. A letter that is cut at the end counts as text where more follows."""
    if b"\0" in head:
        return True
    try:
        head.decode()
    except UnicodeDecodeError as error:
        return whole or error.start < len(head) - 3 or "unexpected end" not in error.reason
    return False
