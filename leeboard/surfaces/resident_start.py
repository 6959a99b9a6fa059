"""Starts the resident process, detached from everything that started it."""

from __future__ import annotations

import fcntl
import os
import sys

from leeboard.io import places

_RUN = "import sys; sys.path[:] = sys.argv[1:]; from leeboard.surfaces.resident import run; run(3)"
_LOCK = 3
_KEPT = ("LEEBOARD_", "XDG_", "LC_")
_ALSO_KEPT = {"HOME", "PATH", "LANG", "USER", "LOGNAME", "TMPDIR"}


def start_resident() -> None:
    """Start one unless it runs or is about to. EffectError when there is no place for its socket."""
    lock = take_lock(places.socket_path())
    if lock is None:
        return
    if os.fork() == 0:
        try:
            _become_resident(lock)
        finally:
            os._exit(1)
    os.close(lock)


def take_lock(socket_path: str) -> int | None:
    """The open lock file of that socket, locked; None while somebody holds it.

    It is held by handing it on, not by taking it anew, so of fifty processes that find no resident one starts one. The
    last holder removes the file: a lock on one that is gone already is none, and is taken again.
    """
    while True:
        lock = os.open(_lock_path(socket_path), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            return None
        if _stands(socket_path, lock):
            return lock
        os.close(lock)


def drop_lock(socket_path: str, lock: int) -> None:
    """Give the lock up, and leave no file behind. It is removed while it is held, so nobody else's can be hit."""
    if _stands(socket_path, lock):
        os.unlink(_lock_path(socket_path))  # noqa: PTH108 - pathlib costs the hook process its import
    os.close(lock)


def _stands(socket_path: str, lock: int) -> bool:
    """Whether the open lock file is the one that stands there."""
    try:
        return os.path.samestat(os.stat(_lock_path(socket_path)), os.fstat(lock))  # noqa: PTH116 - as above
    except OSError:
        return False


def _lock_path(socket_path: str) -> str:
    return f"{socket_path}.lock"


def _become_resident(lock: int) -> None:
    os.setsid()
    os.chdir("/")
    nothing = os.open(os.devnull, os.O_RDWR)
    held = fcntl.fcntl(lock, fcntl.F_DUPFD, 10)  # out of the way of the numbers that are given out now
    for number in range(3):
        os.dup2(nothing, number)
    os.dup2(held, _LOCK)
    os.closerange(_LOCK + 1, os.sysconf("SC_OPEN_MAX"))
    # It outlives its caller: what else the caller's environment holds is none of its business.
    kept = {name: value for name, value in os.environ.items() if name.startswith(_KEPT) or name in _ALSO_KEPT}
    os.execve(sys.executable, [sys.executable, "-I", "-S", "-c", _RUN, *sys.path], kept)  # noqa: S606 - a list, and no shell
