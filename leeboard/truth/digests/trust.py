"""When a file that looks as it did can be taken to be as it was.

Its ctime says so: nobody but the clock sets it. So an identity is worth nothing

- where ctime is something else, or somebody else's clock sets it: on file systems that are not known here;
- when it was hashed within a moment of its last change: another change in that moment could look the same;
- when a time of it lies in the future: the clock was set back since, and may pass that time once more;
- when the clock was set back since it was hashed.

What is left is a write through a shared memory map: a page that is dirty already is written again without a trace in
the times, until the system has written it out.
"""

from __future__ import annotations

import os
import sys
import time
from array import array
from collections.abc import Sequence

from leeboard.truth.digests.identity import BLANK, CTIME, DEVICE, FIELDS, MTIME, Row, nanoseconds

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
