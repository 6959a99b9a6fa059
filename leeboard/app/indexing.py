"""Refreshes the index of a work tree in the background, detached from whoever asked for it.

The worker is nice to everything else, ends by itself, and there is never more than one at work on an index: who finds
another one there leaves. A hook only forks; whatever goes wrong after that is the worker's.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from posixpath import isfile

from leeboard.io.clock import now
from leeboard.io.detached import become, fork_twice

SECONDS = 900.0
"""After which a worker leaves the rest to the next one."""
NICENESS = 15

_RUN = "from leeboard.app.indexing import run; run(sys.argv[1])"


def start_refresh(root: str, env: Mapping[str, str]) -> bool:
    """Start a worker where the index is not up to date; whether one was started. `LEEBOARD_INDEX=0` switches it off."""
    if env.get("LEEBOARD_INDEX") == "0" or not root:
        return False
    from leeboard.io.index.cache import is_refreshing  # noqa: PLC0415 - a process that starts none need not import it
    from leeboard.io.index.state import is_due  # noqa: PLC0415 - as above

    if not is_due(root) or is_refreshing(root):
        return False
    return fork_twice(lambda: become(_RUN, env, root))


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
