"""How a file looked, to be compared later: a stamp that costs one look, and a digest where the stamp is another.

A time of modification can be set back, so the stamp has the inode and the time of the inode's change in it too.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import msgspec

from leeboard.io.file import read_regular
from leeboard.model.text import digest

MOST_BYTES = 1 << 20
"""A larger file is known by its stamp alone."""
GONE = ""

Stamp = tuple[int, int, int, int]
NO_STAMP = (0, 0, 0, 0)
Read = Callable[[bytes], str]
"""What of a file's content counts, as a digest."""


class GuardedFile(msgspec.Struct, frozen=True, array_like=True):
    stamp: Stamp = NO_STAMP
    digest: str = GONE
    """Empty for a file that is not there."""
    first: str = GONE
    """As it was at the first look: what has it again was given back."""


def stamp_of(path: str) -> Stamp:
    try:
        seen = os.stat(path)  # noqa: PTH116 - pathlib costs the hook process its import
    except (OSError, ValueError):
        return NO_STAMP
    return (seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)


def look(path: str, before: GuardedFile | None = None, read: Read = digest) -> GuardedFile:
    """The file as it is now; the same object as before where it looks the same."""
    stamp = stamp_of(path)
    if before is not None and stamp == before.stamp:
        return before
    now = _digest(path, stamp, read)
    return GuardedFile(stamp, now, now if before is None else before.first)


def _digest(path: str, stamp: Stamp, read: Read) -> str:
    if stamp == NO_STAMP:
        return GONE
    try:
        return read(read_regular(path, MOST_BYTES, follow=True))
    except OSError:
        return "~" + digest(repr(stamp))
