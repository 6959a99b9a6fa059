"""What systems differ in: flags, locks, users and positions in open files, asked for by one name each.

Linux and macOS have all of it. Windows has no user numbers and no permission bits that say who may read, so a folder of
the user's own profile is taken for theirs; its locks are of a byte far behind the end of a file, since what is locked
there can not be read by others either.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping

TYPE_CHECKING = False  # workers do without `typing`, which is slow
if TYPE_CHECKING:
    from leeboard.model.workspace import System

NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
NONBLOCK = getattr(os, "O_NONBLOCK", 0)
CLOEXEC = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
"""Not handed to programs; and on Windows, where a file opened by its number is a text else, its bytes as they are."""
NOCTTY = getattr(os, "O_NOCTTY", 0)
DIRECTORY = getattr(os, "O_DIRECTORY", 0)
HAS_USERS = hasattr(os, "getuid")
HAS_FORK = hasattr(os, "fork")
OURS: System = "windows" if sys.platform == "win32" else "posix"
"""How files are named where this runs."""
_FAR = 1 << 30
_LOOKS = 0.02
"""Seconds between two tries where the system has no lock to wait for."""


def user() -> int:
    """As files name their owner; zero where they name none."""
    return os.getuid() if HAS_USERS else 0


def is_private(seen: os.stat_result) -> bool:
    """Whether what was seen is this user's, and nobody else may enter it."""
    return not HAS_USERS or (seen.st_uid == os.getuid() and not seen.st_mode & 0o077)


def read_at(file: int, most: int, place: int) -> bytes:
    if hasattr(os, "pread"):
        return os.pread(file, most, place)
    before = os.lseek(file, 0, os.SEEK_CUR)
    try:
        os.lseek(file, place, os.SEEK_SET)
        return os.read(file, most)
    finally:
        os.lseek(file, before, os.SEEK_SET)


def write_at(file: int, data: bytes, place: int) -> int:
    if hasattr(os, "pwrite"):
        return os.pwrite(file, data, place)
    before = os.lseek(file, 0, os.SEEK_CUR)
    try:
        os.lseek(file, place, os.SEEK_SET)
        return os.write(file, data)
    finally:
        os.lseek(file, before, os.SEEK_SET)


def set_mode(file: int, mode: int) -> None:
    """Set who may read an open file, on systems that know such a thing."""
    if hasattr(os, "fchmod"):
        os.fchmod(file, mode)


def be_nice(niceness: int) -> None:
    """Let others go first, where the system can be told."""
    if hasattr(os, "nice"):
        os.nice(niceness)


def lock(file: int, *, shared: bool = False, wait: bool = False) -> None:
    """Lock an open file until it is closed; BlockingIOError where another process has it and nobody is to wait.

    Where the system knows no shared locks, it is one's own alone.
    """
    try:
        import fcntl  # noqa: PLC0415 - not every system has it
    except ImportError:
        _lock_far(file, wait=wait)
    else:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))


def _lock_far(file: int, *, wait: bool) -> None:
    import msvcrt  # noqa: PLC0415 - as above

    before = os.lseek(file, 0, os.SEEK_CUR)
    try:
        while True:
            os.lseek(file, _FAR, os.SEEK_SET)
            try:
                msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore] # of Windows
            except OSError as error:
                if not wait:
                    raise BlockingIOError(error.errno, "another process has the lock") from error
                time.sleep(_LOOKS)
            else:
                return
    finally:
        os.lseek(file, before, os.SEEK_SET)


# Names of files, which have one spelling here: with slashes.


def slashed(path: str) -> str:
    r"""`C:\Users\me` as `C:/Users/me`, which Windows takes as well; elsewhere a backslash is a letter of a name."""
    if OURS == "posix":
        return path
    from leeboard.model.workspace import one_spelling  # noqa: PLC0415 - workers import no package of others

    return one_spelling(path, OURS)


_WHERE_ONLY = getattr(os, "O_PATH", 0)


def realpath(path: str) -> str:
    """Where it leads, with all links followed. `posixpath` would take a drive for a folder of the current one.

    Linux tells in one question where an open file lies; folder by folder it is found for what is not there, and
    elsewhere.
    """
    return (_place_of(path) if _WHERE_ONLY else "") or slashed(os.path.realpath(path))


def _place_of(path: str) -> str:
    """Empty where the system can not tell."""
    try:
        file = os.open(path, _WHERE_ONLY | CLOEXEC)
    except (OSError, ValueError):
        return ""
    try:
        place = os.readlink(f"/proc/self/fd/{file}")  # noqa: PTH115 - hooks do without pathlib
    except OSError:
        return ""
    finally:
        os.close(file)
    return place if place.startswith("/") and not place.endswith(" (deleted)") else ""


def abspath(path: str) -> str:
    return slashed(os.path.abspath(path))  # noqa: PTH100 - hooks do without pathlib


def relpath(path: str, start: str) -> str:
    return slashed(os.path.relpath(path, start))


def expanduser(path: str) -> str:
    return slashed(os.path.expanduser(path))  # noqa: PTH111 - as above


def home(env: Mapping[str, str]) -> str:
    """The user's folder, as the variables of either system say; empty where they do not."""
    return env.get("HOME") or slashed(env.get("USERPROFILE", ""))
