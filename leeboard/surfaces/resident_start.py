"""Starts the resident process, detached from everything that started it."""

from __future__ import annotations

import fcntl
import os

from leeboard.io import places
from leeboard.io.detached import HANDED, become, fork

_RUN = f"from leeboard.surfaces.resident import run; run({HANDED})"


def start_resident() -> None:
    """Start one unless it runs or is about to. EffectError when there is no place for its socket."""
    lock = take_lock(places.socket_path())
    if lock is None:
        return
    fork(lambda: become(_RUN, os.environ, handed=lock))
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
