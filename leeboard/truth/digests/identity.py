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
        """Of all of them, column by column; empty when one can not be looked at."""
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
    """One of them."""
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
    """Of `CTIME` or `MTIME`."""
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
