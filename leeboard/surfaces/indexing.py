"""Refreshes the index of a work tree in the background, detached from whoever asked for it.

The worker is nice to everything else, ends by itself, and there is never more than one at work on an index: who finds
another one there leaves. A hook only forks; whatever goes wrong after that is the worker's.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from posixpath import isfile

from leeboard.io.clock import now

SECONDS = 900.0
"""After which a worker leaves the rest to the next one."""
NICENESS = 15

_RUN = "import sys; sys.path[:] = sys.argv[2:]; from leeboard.surfaces.indexing import run; run(sys.argv[1])"
_KEPT = ("LEEBOARD_", "XDG_", "LC_")
_ALSO_KEPT = {"HOME", "PATH", "LANG", "USER", "LOGNAME", "TMPDIR"}


def start_refresh(root: str, env: Mapping[str, str]) -> bool:
    """Start a worker where the index is not up to date; whether one was started. `LEEBOARD_INDEX=0` switches it off."""
    if env.get("LEEBOARD_INDEX") == "0" or not root:
        return False
    from leeboard.io.index.cache import is_refreshing  # noqa: PLC0415 - a process that starts none need not import it
    from leeboard.io.index.state import is_due  # noqa: PLC0415 - as above

    if not is_due(root) or is_refreshing(root):
        return False
    return _detached(root, env)


def keep_up(root: str, env: Mapping[str, str]) -> bool:
    """The same after something was written: in a session that goes on for hours nobody may give a prompt.

    Only for an index that stands, in a work tree where git tells what changed: to look at all of it takes too long for
    a thing that is done every minute.
    """
    from leeboard.io.index.cache import index_file, looks  # noqa: PLC0415 - as above

    return bool(root and looks(root)) and isfile(index_file(root)) and start_refresh(root, env)


def run(root: str) -> None:
    """The worker."""
    from leeboard.io.index.refresh import refresh  # noqa: PLC0415 - as above

    os.nice(NICENESS)
    end = now() + SECONDS
    refresh(root, lambda: now() < end and os.path.isdir(root))  # noqa: PTH112 - pathlib is not needed here


def _detached(root: str, env: Mapping[str, str]) -> bool:
    """By way of a child that ends at once, so that nobody has to wait for the worker."""
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            if os.fork() == 0:
                _become_worker(root, env)
            os._exit(0)
        finally:
            os._exit(1)
    _pid, status = os.waitpid(child, 0)
    return status == 0


def _become_worker(root: str, env: Mapping[str, str]) -> None:
    os.chdir("/")
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nothing, number)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    # It outlives its caller: what else the caller's environment holds is none of its business.
    kept = {name: value for name, value in env.items() if name.startswith(_KEPT) or name in _ALSO_KEPT}
    os.execve(sys.executable, [sys.executable, "-I", "-S", "-c", _RUN, root, *sys.path], kept)  # noqa: S606 - a list, and no shell
