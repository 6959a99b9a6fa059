"""Read on in a file that somebody else appends to.

Where we stand is a byte offset and an inode, kept by the caller. Offsets always lie behind a newline: a line is given
out when it is whole. Nothing here raises for what the disk does; a note says why there is nothing.
"""

from __future__ import annotations

import os
import stat

import msgspec

_MEBIBYTE = 1 << 20
LONGEST_LINE = 64 * _MEBIBYTE
"""A longer line is passed over."""
_INODE_BITS = 0x7FFF_FFFF_FFFF_FFFF
"""Some file systems use 64 of them, SQLite keeps 63."""


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
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        return Tail(offset=offset, inode=inode, note=str(error))
    try:
        tail = _read(file, offset, inode, max(limit, 1))
        if unfinished and not tail.more:
            return msgspec.structs.replace(tail, data=tail.data + os.pread(file, LONGEST_LINE, tail.offset))
    except OSError as error:
        return Tail(offset=offset, inode=inode, note=str(error))
    else:
        return tail
    finally:
        os.close(file)


def read_before(path: str, offset: int, limit: int = _MEBIBYTE) -> bytes:
    """What stands in front of `offset`, so much of it at most; nothing where it can not be read."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return b""
    start = max(0, offset - limit)
    try:
        return os.pread(file, offset - start, start) if stat.S_ISREG(os.fstat(file).st_mode) else b""
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
    return offset == 0 or (0 < offset <= size and os.pread(file, 1, offset - 1) == b"\n")


def _lines(file: int, start: int, limit: int) -> tuple[bytes, int, bool]:
    """Lines, where they end, and whether the limit was reached."""
    data, at = b"", start
    while chunk := os.pread(file, limit, at):
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
    while chunk := os.pread(file, _MEBIBYTE, at):
        end = chunk.find(b"\n")
        if end >= 0:
            return at + end + 1
        at += len(chunk)
    return 0
