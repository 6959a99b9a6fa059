"""Looks that one hook process takes before a call and another needs when the call has ended: small private files."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from posixpath import join

from leeboard.io import clock, places
from leeboard.io.file import read_regular
from leeboard.model.text import digest

KEPT_SECONDS = 86_400.0
MOST = 16 << 20


class KeptLooks:
    """In a folder of their own; those whose call never came back are forgotten after a day."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def keep(self, key: str, data: bytes) -> None:
        places.make_private_dir(self._folder)
        self._forget_old()
        half = f"{self._path(key)}.{os.getpid()}"  # nobody reads half of it: another hook may look at any time
        file = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            os.write(file, data)
        finally:
            os.close(file)
        os.replace(half, self._path(key))  # noqa: PTH105 - pathlib costs the hook process its import

    def renew(self, key: str, line: bytes) -> None:
        """As `keep`, for one line without a line end that is written again and again: in place, for some systems wait
        for the disk where a file takes another's name. Whoever reads at that time finds the old line or the new one.
        """
        try:
            file = os.open(self._path(key), os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            self.keep(key, line + b"\n")
            return
        try:
            os.write(file, line + b"\n")
        finally:
            os.close(file)

    def peek_line(self, key: str) -> bytes | None:
        """What `renew` wrote last; behind it may be the rest of a longer one."""
        kept = self.peek(key)
        return kept.partition(b"\n")[0] if kept is not None else None

    def take(self, key: str) -> bytes | None:
        """Once; None where there is none."""
        data = self.peek(key)
        try:
            os.unlink(self._path(key))  # noqa: PTH108 - pathlib costs the hook process its import
        except OSError:
            return None
        return data

    def peek(self, key: str) -> bytes | None:
        """It stays there."""
        try:
            return read_regular(self._path(key), MOST)
        except OSError:
            return None

    def all(self) -> Iterator[bytes]:
        """Every look that is kept, whatever its key."""
        try:
            names = os.listdir(self._folder)  # noqa: PTH208 - as above
        except OSError:
            return
        for name in names:
            if name.endswith(".json"):
                with contextlib.suppress(OSError):
                    yield read_regular(join(self._folder, name), MOST).partition(b"\n")[0]

    def age(self, key: str) -> float:
        """Seconds since it was kept; a day where it was not."""
        return _age(self._path(key))

    def _path(self, key: str) -> str:
        return join(self._folder, f"{digest(key, 12)}.json")

    def _forget_old(self) -> None:
        for name in os.listdir(self._folder):  # noqa: PTH208 - as above
            if _age(join(self._folder, name)) > KEPT_SECONDS:
                with contextlib.suppress(OSError):
                    os.unlink(join(self._folder, name))  # noqa: PTH108 - as above


def _age(path: str) -> float:
    try:
        return clock.now() - os.stat(path).st_mtime  # noqa: PTH116 - as above
    except OSError:
        return KEPT_SECONDS
