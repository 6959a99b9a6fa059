"""Refreshes the index of a work tree in the background, detached from whoever asked for it.

The worker is nice to everything else, ends by itself, and there is never more than one at work on an index: who finds
another one there leaves. A hook only forks; whatever goes wrong after that is the worker's.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from posixpath import isfile

from leeboard.io import places, system
from leeboard.io.clock import now
from leeboard.io.detached import HANDED, become, fork, fork_twice

SECONDS = 900.0
"""After which a worker leaves the rest to the next one."""
NICENESS = 15

_RUN = "from leeboard.app.indexing import run; run(sys.argv[1])"


def start_refresh(root: str, env: Mapping[str, str]) -> bool:
    """Start a worker where the index is not up to date; whether one was started. `LEEBOARD_INDEX=0` switches it off."""
    if env.get("LEEBOARD_INDEX") == "0" or not root:
        return False
    from leeboard.source.index.cache import (  # noqa: PLC0415 - a process that starts none need not import it
        is_refreshing,
    )
    from leeboard.source.index.state import is_due  # noqa: PLC0415 - as above

    if not is_due(root) or is_refreshing(root):
        return False
    return fork_twice(lambda: become(_RUN, env, root))


def keep_up(root: str, env: Mapping[str, str]) -> bool:
    """The same after something was written: in a session that goes on for hours nobody may give a prompt.

    Only for an index that stands, in a work tree where git tells what changed: to look at all of it takes too long for
    a thing that is done every minute.
    """
    from leeboard.source.index.cache import index_file, looks  # noqa: PLC0415 - as above

    return bool(root and looks(root)) and isfile(index_file(root)) and start_refresh(root, env)


def run(root: str) -> None:
    """Bring the index up to date, in a process of its own that gives way to all others."""
    from leeboard.source.index.refresh import refresh  # noqa: PLC0415 - as above

    system.be_nice(NICENESS)
    end = now() + SECONDS
    refresh(root, lambda: now() < end and os.path.isdir(root))  # noqa: PTH112 - pathlib is not needed here


# Starts the resident process, detached from everything that started it.


_RUN_RESIDENT = (
    "from leeboard.surfaces.resident import run; "
    f"run({HANDED}, listening=int(sys.argv[1]), started=(int(sys.argv[2]), sys.argv[3]))"
)
_RUN_BY_ITSELF = "from leeboard.surfaces.resident import main; main()"


def start_resident() -> None:
    """Start one unless it runs or is about to. EffectError when there is no place for its socket."""
    lock = take_lock(places.socket_path())
    if lock is None:
        return
    if system.HAS_FORK:
        ports = _open_ports()
        client, folder = _client_above() if ports else (0, "")
        words = str(len(ports)), str(client), folder
        fork(lambda: become(_RUN_RESIDENT, os.environ, *words, handed=(lock, *ports)))
        for number in (lock, *ports):
            os.close(number)
    else:  # a lock can not be handed on: of several that are started now the first one takes it
        drop_lock(places.socket_path(), lock)
        become(_RUN_BY_ITSELF, os.environ)


def _open_ports() -> tuple[int, ...]:
    """Those at which clients post their hooks, if a person has asked for that: what is posted before the resident is
    there waits for it.
    """
    if not os.path.isdir(f"{places.state_dir()}/http"):  # noqa: PTH112 - as above
        return ()
    from leeboard.app.posting.hooks import open_ports  # noqa: PLC0415 - only where hooks are posted

    return open_ports()


def _client_above() -> tuple[int, str]:
    """The client whose command we are, and the folder it works in: the resident hears what that one posts next."""
    from leeboard.app.hook_origin import client_above  # noqa: PLC0415 - as above
    from leeboard.clients import FIRST, first_sign  # noqa: PLC0415 - as above

    try:
        folder = os.environ.get(first_sign(FIRST, "project-variable")) or os.getcwd()  # noqa: PTH109 - as above
    except OSError:  # it is gone
        folder = ""
    return client_above(os.getpid()), folder


def take_lock(socket_path: str) -> int | None:
    """The open lock file of that socket, locked; None while somebody holds it.

    It is held by handing it on, not by taking it anew, so of fifty processes that find no resident one starts one. The
    last holder removes the file: a lock on one that is gone already is none, and is taken again.
    """
    while True:
        lock = os.open(_lock_path(socket_path), os.O_RDWR | os.O_CREAT | system.CLOEXEC, 0o600)
        try:
            system.lock(lock)
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
