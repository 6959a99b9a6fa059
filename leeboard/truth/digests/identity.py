"""What tells one state of a file from the next without reading it: inode, size, ctime, mtime, device.

Many files of a folder are looked at with one call of `statx` each and nothing made in between: the identities of up to
`BLOCK` files are copied out column by column, so that two looks are compared as bytes. Where there is no `statx`, the
same columns are made of `os.stat`. A worker process imports this module, so it gets by with what starts fast.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
import time
from array import array
from collections.abc import Iterator, Sequence
from itertools import repeat

BLOCK = 512
"""Files looked at together. Their identities lie column by column, block after block."""
FIELDS = 7
"""Inode, size, seconds and nanoseconds of ctime, of mtime, device."""
INODE, SIZE, CTIME, MTIME, DEVICE = 0, 1, 2, 4, 6
ROW = struct.Struct(f"={FIELDS}q")
BLANK = (0, 0, 0, -1, 0, 0, 0)
"""Equals no file's identity: no time has such nanoseconds."""

HERE = -100
"""Stands for an open folder where names are paths."""

Row = tuple[int, ...]

_STATX_WORDS = 32
_COLUMNS = (4, 5, 12, 13, 14, 15, 17)
_LINKS_WORD, _MODE_WORD = 2, 3
_ONE = struct.Struct("=32x2q48x4q8xq")
"""The same words of one file."""
_ORDINARY = 0o100000 >> 12
_NO_FOLLOW, _EMPTY_PATH = 0x100, 0x1000
_BASIC = 0x7FF
_WORD = (1 << 64) - 1
_SECOND = 1_000_000_000


class Sight:
    """Looks at files. It has a buffer of its own: one for each thread."""

    def __init__(self) -> None:
        self._room = 0
        self._words = memoryview(b"")
        self._slots: list[ctypes.c_void_p] = []
        self._call = _call()

    def identities(self, folder: int, names: Sequence[bytes]) -> bytes:
        """The identities of all of them, column by column; empty when one can not be looked at."""
        parts = []
        for start in range(0, len(names), BLOCK):
            some = names[start : start + BLOCK]
            if any(self._fill(folder, some)):
                return b""
            parts.append(self.noted(len(some)))
        return b"".join(parts)

    def look(self, folder: int, names: Sequence[bytes]) -> Iterator[tuple[Row, int, int]]:
        """Identity, mode and number of links of each; mode 0 for one that is gone or can not be looked at."""
        for start in range(0, len(names), BLOCK):
            some = names[start : start + BLOCK]
            failed = list(self._fill(folder, some))
            found = list(rows(self.noted(len(some))))
            modes = self._words[_MODE_WORD : len(some) * _STATX_WORDS : _STATX_WORDS].tolist()
            links = self._words[_LINKS_WORD : len(some) * _STATX_WORDS : _STATX_WORDS].tolist()
            for row, mode, link, bad in zip(found, modes, links, failed, strict=True):
                yield row, 0 if bad else mode >> 32 & 0xFFFF, link & 0xFFFFFFFF

    def opened(self, file: int) -> tuple[Row, int]:
        """Identity and mode of a file that is open."""
        self.make_room(1)
        self.note(file, 0)
        return _ONE.unpack_from(self._words), self._words[_MODE_WORD] >> 32 & 0xFFFF

    def note(self, file: int, number: int) -> None:
        """Look at a file that is open, as the one of this number; there has to be room for it."""
        if self._call is None:
            _copy(os.fstat(file), self._words, number)
        elif self._call(file, b"", _EMPTY_PATH, _BASIC, self._slots[number]):
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    def noted(self, count: int) -> bytes:
        """The identities of the first files that were noted, in columns. At most `BLOCK`."""
        words = self._words[: count * _STATX_WORDS]
        return b"".join([words[column::_STATX_WORDS].tobytes() for column in _COLUMNS])

    def all_ordinary(self, count: int) -> bool:
        """Whether each of them is a file, and no link, pipe or device."""
        return all(
            mode >> 44 & 0xF == _ORDINARY for mode in self._words[_MODE_WORD : count * _STATX_WORDS : _STATX_WORDS]
        )

    def any_shared(self, count: int) -> bool:
        """Whether one of them has a second name."""
        links = self._words[_LINKS_WORD : count * _STATX_WORDS : _STATX_WORDS]
        return any(link & 0xFFFFFFFE for link in links)

    def make_room(self, count: int) -> None:
        if count <= self._room:
            return
        self._room = min(BLOCK, max(64, 1 << (count - 1).bit_length()))
        size = _STATX_WORDS * 8
        memory = bytearray(self._room * size)
        start = ctypes.addressof((ctypes.c_char * len(memory)).from_buffer(memory))
        self._words = memoryview(memory).cast("Q")
        self._slots = [ctypes.c_void_p(start + number * size) for number in range(self._room)]

    def _fill(self, folder: int, names: Sequence[bytes]) -> Iterator[int]:
        self.make_room(len(names))
        if self._call is None:
            return (_stat(name, folder, self._words, number) for number, name in enumerate(names))
        return map(self._call, repeat(folder), names, repeat(_NO_FOLLOW), repeat(_BASIC), self._slots)


def rows(columns: bytes) -> Iterator[Row]:
    """The identities that lie in these columns."""
    words = memoryview(columns).cast("q")
    for start in range(0, len(words), BLOCK * FIELDS):
        block = words[start : start + BLOCK * FIELDS]
        count = len(block) // FIELDS
        yield from zip(*(block[field * count : (field + 1) * count] for field in range(FIELDS)), strict=True)


def row_at(columns: bytes, number: int) -> Row:
    """The row of this number, gathered from its columns."""
    words = memoryview(columns).cast("q")
    first = number // BLOCK * BLOCK
    count = min(BLOCK, len(words) // FIELDS - first)
    start = first * FIELDS + number - first
    return tuple(words[start : start + FIELDS * count : count])


def columns(found: Sequence[Row]) -> bytes:
    """The reverse of `rows`."""
    return b"".join(
        struct.pack(f"={len(column)}q", *column)
        for start in range(0, len(found), BLOCK)
        for column in zip(*found[start : start + BLOCK], strict=True)
    )


def nanoseconds(row: Row, which: int) -> int:
    """The moment that stands in `CTIME` or `MTIME`."""
    return row[which] * _SECOND + row[which + 1]


def kind() -> str:
    """Who made them: identities are only compared with others of their kind."""
    return "stat" if _call() is None else "statx"


_calls: list[ctypes._NamedFuncPointer | None] = []


def _call() -> ctypes._NamedFuncPointer | None:
    """`statx`, when it is there and says what `os.stat` says: found out once.

    Called so that the interpreter's lock is kept, for giving it up costs more than the call.
    """
    if not _calls:
        statx = getattr(ctypes.PyDLL(None), "statx", None)
        _calls.append(statx if statx is not None and _agrees(statx) else None)
    return _calls[0]


def _agrees(statx: ctypes._NamedFuncPointer) -> bool:
    memory = (ctypes.c_uint64 * _STATX_WORDS)()
    failed = statx(HERE, b"/", _NO_FOLLOW, _BASIC, ctypes.c_void_p(ctypes.addressof(memory)))
    seen = os.lstat("/")
    words = memoryview(memory).cast("B").cast("Q")
    expected = memoryview(bytearray(_STATX_WORDS * 8)).cast("Q")
    _copy(seen, expected, 0)
    same = all(words[column] == expected[column] for column in _COLUMNS[:-1])
    return not failed and same and words[_MODE_WORD] >> 32 & 0xFFFF == seen.st_mode


def _stat(name: bytes, folder: int, words: memoryview, number: int) -> int:
    try:
        _copy(os.stat(name, dir_fd=None if folder == HERE else folder, follow_symlinks=False), words, number)
    except OSError:
        return -1
    return 0


def _copy(seen: os.stat_result, words: memoryview, number: int) -> None:
    """To where `statx` would have put it; the device as one number."""
    changed, written = divmod(seen.st_ctime_ns, _SECOND), divmod(seen.st_mtime_ns, _SECOND)
    values = (seen.st_ino, seen.st_size, *changed, *written, seen.st_dev)
    start = number * _STATX_WORDS
    for column, value in zip(_COLUMNS, values, strict=True):
        words[start + column] = value & _WORD
    words[start + _LINKS_WORD] = seen.st_nlink & 0xFFFFFFFF
    words[start + _MODE_WORD] = seen.st_mode << 32


# When a file that looks as it did can be taken to be as it was.
#
# Its ctime says so: nobody but the clock sets it. So an identity is worth nothing
#
# - where ctime is something else, or somebody else's clock sets it: on file systems that are not known here;
# - when it was hashed within a moment of its last change: another change in that moment could look the same;
# - when a time of it lies in the future: the clock was set back since, and may pass that time once more;
# - when the clock was set back since it was hashed.
#
# What is left is a write through a shared memory map: a page that is dirty already is written again without a trace in
# the times, until the system has written it out.


WINDOW = 2_000_000_000
"""Nanoseconds: the coarsest times a file system here keeps, and the clocks of two processors, lie well within."""
LOCAL = frozenset("ext2 ext3 ext4 xfs btrfs f2fs tmpfs ramfs zfs bcachefs overlay jfs nilfs2 erofs squashfs".split())
"""File systems of this machine whose ctime is set by its clock at every change."""
LAYERED = "overlay"
"""Its files have devices of their own, and those that lie below another are not watched."""
_MOUNTS = "/proc/self/mountinfo"
_BOOT = "/proc/sys/kernel/random/boot_id"
_SLACK = 1_000_000_000
_SLEWED = 2000
"""A clock that is corrected gently runs off by one part in so many."""

Stamp = tuple[int, int, str]
"""Wall clock, time since the start of the system, and which start that was."""


def stamp(wall: int) -> Stamp:
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return wall, time.clock_gettime_ns(clock), _read(_BOOT).strip()


def was_set_back(before: Stamp, now: Stamp) -> bool:
    """Whether the wall clock fell behind between the two."""
    passed = now[0] - before[0]
    if passed < 0:
        return True
    if not now[2] or now[2] != before[2]:
        return False
    really = now[1] - before[1]
    return really < 0 or passed < really - _SLACK - really // _SLEWED


def is_settled(row: Row, moment: int) -> bool:
    """Whether what was read at this moment is told from whatever is written later."""
    return max(nanoseconds(row, CTIME), nanoseconds(row, MTIME)) < moment - WINDOW


def settled(row: Row, moment: int, device: int | None) -> Row:
    """The identity to remember: blank where it can not be relied on. `device` is that of a folder it has to be on."""
    held = is_settled(row, moment) and (device is None or row[DEVICE] == device)
    return row if held else (*row[: CTIME + 1], BLANK[CTIME + 1], *row[MTIME:])


def all_settled(stats: bytes, moment: int, device: int | None) -> bool:
    """Whether each identity of one block of columns can be relied on."""
    words = memoryview(stats).cast("q")
    count = len(words) // FIELDS
    last = (moment - WINDOW) // 1_000_000_000
    changed, written = words[CTIME * count : (CTIME + 1) * count], words[MTIME * count : (MTIME + 1) * count]
    there = device is None or stats[DEVICE * 8 * count :] == device.to_bytes(8, sys.byteorder, signed=True) * count
    return there and max(changed) < last and max(written) < last


def settled_block(stats: bytes, moment: int, device: int | None) -> bytes:
    """`settled` of each identity of one block of columns; the last second before the window counts as within."""
    words = array("q", stats)
    count = len(words) // FIELDS
    changed, fraction, written, _, there = (
        words[field * count : (field + 1) * count] for field in range(CTIME, FIELDS)
    )
    last, blank = (moment - WINDOW) // 1_000_000_000, BLANK[CTIME + 1]
    words[(CTIME + 1) * count : (CTIME + 2) * count] = array(
        "q",
        [
            part if max(one, other) < last and (device is None or where == device) else blank
            for one, part, other, where in zip(changed, fraction, written, there, strict=True)
        ],
    )
    return words.tobytes()


class Mounts:
    """Which file system a folder lies on. Read once for each scan."""

    def __init__(self) -> None:
        self._at = _parsed(_read(_MOUNTS))

    def system(self, path: str) -> str:
        """Its type, by the longest mount point above the path; empty when nobody knows."""
        real = os.path.realpath(path)
        while real not in self._at and real not in {"/", ""}:
            real = os.path.dirname(real)  # noqa: PTH120 - pathlib is slow to import
        return self._at.get(real, "")

    def is_local(self, path: str) -> bool:
        return self.system(path) in LOCAL


def _parsed(text: str) -> dict[str, str]:
    """Mount point to type; of two at one place the later one covers the other."""
    found = {}
    for line in text.splitlines():
        before, _, after = line.partition(" - ")
        fields, kind = before.split(" "), after.split(" ", 1)[0]
        if len(fields) > 4 and kind:
            found[_unescaped(fields[4].split("\\"))] = kind
    return found


def _unescaped(parts: Sequence[str]) -> str:
    """Blanks and the like are written as octal numbers."""
    return parts[0] + "".join(chr(int(part[:3], 8)) + part[3:] if part[:3].isdigit() else part for part in parts[1:])


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123 - as above
            return file.read()
    except OSError:
        return ""
