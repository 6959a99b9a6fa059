"""The work of a scan that two processes share: folders are opened and checked, files of them are hashed.

A digest is only as good as its file held still. A small file is looked at after it was read: when its last change lies
well before that, it did not change meanwhile. The others are read with a look on either side, and again where the two
differ. The second process starts without any other package, so nothing but the standard library is imported.
"""

from __future__ import annotations

import errno
import hashlib
import os
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from stat import S_ISLNK, S_ISREG
from time import monotonic

from leeboard.io import system
from leeboard.truth.digests.identity import (
    BLANK,
    BLOCK,
    ROW,
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

TEXT, BINARY, LINK, SPECIAL, UNREADABLE, CHANGING, UNSEEN = b"tblsuc?"
"""What a name of a folder stands for. The first three have a digest; that of a link is the digest of its text.
`CHANGING`: it never held still while it was read. `UNSEEN`: the time ran out before it."""
GONE = 0
HASHED = frozenset((TEXT, BINARY, LINK))
DIGEST = 32
NO_DIGEST = bytes(DIGEST)


# Files to their digests.


Hashes = tuple[bytes, bytes, bytes, bool]
"""Files in order, as columns: kinds, digests and identities, blank where not to be relied on; and whether one of them
has a second name."""
One = tuple[int, bytes, Row, int]
"""Kind, digest or number of the error, identity, and the moment before it was read."""

TRIES = 4
PIECE = 1 << 16
HEAD = 8192
_READ = os.O_RDONLY | system.NOFOLLOW | system.NONBLOCK | system.CLOEXEC | system.NOCTTY


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
            return GONE, NO_DIGEST, BLANK, 0
        except OutOfTime:
            return UNSEEN, NO_DIGEST, BLANK, 0
        except OSError as error:
            return UNREADABLE, (error.errno or errno.EIO).to_bytes(DIGEST, "big"), BLANK, 0

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
        kind = BINARY if is_binary(data[:HEAD], whole=len(data) <= HEAD) else TEXT
        return kind, hashlib.sha256(data, usedforsecurity=False).digest()

    def _held_still(self, folder: int, name: bytes) -> One:
        for _ in range(TRIES):
            if monotonic() > self._deadline:
                raise OutOfTime
            began = self._now()
            found = self._read(folder, name)
            if found is not None:
                return *found, began
        return CHANGING, NO_DIGEST, BLANK, 0

    def _read(self, folder: int, name: bytes) -> tuple[int, bytes, Row] | None:
        """None when it changed meanwhile."""
        ((before, mode, _),) = self._sight.look(folder, (name,))
        if S_ISLNK(mode):
            return self._link(folder, name, before)
        if mode and not S_ISREG(mode):
            return SPECIAL, NO_DIGEST, before
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
        kind = BINARY if is_binary(head, whole=before[SIZE] <= HEAD) else TEXT
        return kind, digest.digest(), before

    def _link(self, folder: int, name: bytes, before: Row) -> tuple[int, bytes, Row] | None:
        """Its text is its content."""
        text = os.readlink(name, dir_fd=folder)
        ((after, _, _),) = self._sight.look(folder, (name,))
        return (LINK, hashlib.sha256(text, usedforsecurity=False).digest(), before) if after == before else None


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


# How folders below a top are opened.


OPEN_FOLDER = os.O_RDONLY | system.DIRECTORY | system.NOFOLLOW | system.CLOEXEC
DEEPEST = 200
"""Each folder on the way is a descriptor that stays open."""


class Descent:
    """Keeps the folders above the last one open, so that going on to its neighbour is one call. Close it."""

    def __init__(self, top: int) -> None:
        self._top = top
        self._open: list[tuple[bytes, int]] = []

    def open(self, path: bytes) -> int:
        """The folder of this path below the top; empty for the top itself. It is open until the next call."""
        while self._open and not (path + b"/").startswith(self._open[-1][0] + b"/"):
            os.close(self._open.pop()[1])
        above, folder = self._open[-1] if self._open else (b"", self._top)
        if path == above:
            return folder
        for name in path[len(above) + 1 if above else 0 :].split(b"/"):
            if len(self._open) >= DEEPEST:
                raise OSError(errno.ENAMETOOLONG, "it lies too deep")
            folder = os.open(name, OPEN_FOLDER, dir_fd=folder)
            above = above + b"/" + name if above else name
            self._open.append((above, folder))
        return folder

    def close(self) -> None:
        while self._open:
            os.close(self._open.pop()[1])


# Whether folders are as they are remembered: the whole of a scan when nothing has changed.


Known = tuple[bytes, bytes, bytes, bytes]
"""Path, identity, names and identities of the names: the first fields of a `FolderDigests`."""


def stale(descent: Descent, folders: Sequence[Known], sight: Sight, deadline: float) -> list[int]:
    """The numbers of those that are not as remembered, or were not looked at in time.

    Time is that of the monotonic clock, which is the same in every process.
    """
    found: list[int] = []
    for number, folder in enumerate(folders):
        if monotonic() > deadline or not _is_same(descent, folder, sight):
            found.append(number)
    return found


def _is_same(descent: Descent, folder: Known, sight: Sight) -> bool:
    path, identity, names, stats = folder
    if not identity:
        return False
    try:
        opened = descent.open(path)
        if ROW.pack(*sight.opened(opened)[0]) != identity:
            return False
    except OSError:
        return False
    return not names or sight.identities(opened, names.split(b"\0")) == stats


# What two processes can share the work of: checking folders, and hashing files. Plain values in, plain values out.


ToCheck = tuple[int, list[Known]]
"""Which of the tops, and folders of it, in the order of a walk."""
ToHash = tuple[int, bytes, bytes, str, int | None]
"""Which of the tops, a folder below it, names in it with NUL in between, how to go about it, and the device they have
to be on. `files`: ordinary ones, `any`: whatever they are, `strange`: on a file system whose times say nothing."""
Checked = list[int]
"""The numbers of folders that are not as remembered, or were not looked at in time."""
Job = tuple[str, list[ToCheck | ToHash], float, int]
"""Kind, units of it, until when (of the monotonic clock), and how far the wall clock is to be taken as off."""
Answers = dict[int, Checked | Hashes]
"""What became of each unit, by its number."""


def perform(job: Job, tops: Sequence[int], turns: Iterable[int]) -> Answers:
    """Hash or check those units of a job that fall to this process."""
    kind, units, deadline, offset = job
    descents = [Descent(top) for top in tops]
    try:
        if kind == "check":
            sight = Sight()
            return {turn: _check(units[turn], descents, sight, deadline) for turn in turns}  # type: ignore[arg-type] # of its kind
        reader = FileHasher(deadline, lambda: time.time_ns() + offset)
        return {turn: _hash(units[turn], descents, reader) for turn in turns}  # type: ignore[arg-type] # of its kind
    finally:
        for descent in descents:
            descent.close()


def _check(unit: ToCheck, descents: Sequence[Descent], sight: Sight, deadline: float) -> Checked:
    top, folders = unit
    return stale(descents[top], folders, sight, deadline)


def _hash(unit: ToHash, descents: Sequence[Descent], reader: FileHasher) -> Hashes:
    top, path, blob, how, device = unit
    names = blob.split(b"\0")
    try:
        folder = descents[top].open(path)
    except OSError as error:
        # Where a link or a file has taken the folder's place since it was listed, nothing can be said of the names.
        kind = GONE if isinstance(error, FileNotFoundError) else CHANGING
        count = len(names)
        return bytes((kind,)) * count, NO_DIGEST * count, columns([BLANK] * count), False
    if how == "files":
        return reader.hash_files(folder, names, device)
    return reader.hash_each(folder, names, device, local=how == "any")


# Turns that two processes take as they get to them: numbers in a pipe, which gives each to one reader only.


MOST = 8192
"""So many of four bytes each fit into a pipe before anybody reads."""
_SIZE = array("i").itemsize


def offered(count: int) -> int:
    """The end to read the numbers below `count` from."""
    reading, writing = os.pipe()
    try:
        os.write(writing, array("i", range(count)).tobytes())
    finally:
        os.close(writing)
    return reading


def taken(reading: int) -> Iterator[int]:
    """Those that nobody else took."""
    while turn := os.read(reading, _SIZE):
        yield array("i", turn)[0]
