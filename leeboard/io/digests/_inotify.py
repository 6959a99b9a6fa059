"""Linux's inotify: folders are watched, and what happened in them is read when somebody asks."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import struct
from collections.abc import Iterator

MODIFY, ATTRIB, CLOSE_WRITE = 0x2, 0x4, 0x8
MOVED_FROM, MOVED_TO, CREATE, DELETE, DELETE_SELF, MOVE_SELF = 0x40, 0x80, 0x100, 0x200, 0x400, 0x800
UNMOUNT, OVERFLOW, IGNORED = 0x2000, 0x4000, 0x8000
IS_FOLDER = 0x40000000
_ONLY_FOLDERS = 0x01000000
_WANTED = MODIFY | ATTRIB | CLOSE_WRITE | MOVED_FROM | MOVED_TO | CREATE | DELETE | DELETE_SELF | MOVE_SELF
_EVENT = struct.Struct("iIII")
_AT_ONCE = 1 << 18

Happening = tuple[int, int, bytes]
"""Number of the watched folder, what happened, and the name in it."""


class Inotify:
    """Raises OSError where the system has none, or has no more to give."""

    def __init__(self) -> None:
        self.file = -1
        try:
            library = ctypes.CDLL(None, use_errno=True)
            self._add, self._remove = library.inotify_add_watch, library.inotify_rm_watch
            self.file = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        except (AttributeError, TypeError):
            raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS)) from None
        if self.file < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    def add(self, folder: int) -> int:
        """The number of the watch on a folder that is open, so that it is this one whatever its name is by now."""
        number: int = self._add(self.file, b"/proc/self/fd/%d" % folder, _WANTED | _ONLY_FOLDERS)
        if number < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return number

    def remove(self, number: int) -> None:
        """One that is gone already is no matter."""
        self._remove(self.file, number)

    def happened(self) -> Iterator[Happening]:
        """Since it was last asked."""
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self.file, _AT_ONCE):
                yield from _parsed(data)

    def close(self) -> None:
        if self.file >= 0:
            os.close(self.file)
            self.file = -1


def _parsed(data: bytes) -> Iterator[Happening]:
    at = 0
    while at < len(data):
        number, what, _, length = _EVENT.unpack_from(data, at)
        at += _EVENT.size
        yield number, what, data[at : at + length].rstrip(b"\0")
        at += length
