"""Whether the hooks of a client were heard in a project lately: then they tell who wrote a file, and nobody else."""

from __future__ import annotations

from posixpath import isfile

from leeboard.errors import LeeboardError
from leeboard.io import places
from leeboard.io.store.sqlite import open_store

LATELY_SECONDS = 3600.0
"""Every call of an agent is heard before it is made: an hour of silence is no agent with hooks."""
_MOST_SESSIONS = 20


def heard_lately(home: str, now: float) -> bool:
    """In the project's primary work tree, or in one of its units'."""
    if not isfile(places.database()):
        return False
    try:
        store = open_store(places.database())
    except LeeboardError:
        return False
    try:
        newest = store.sessions(None, _MOST_SESSIONS)
    except LeeboardError:
        return False
    finally:
        store.close()
    top = home.rstrip("/")
    return any(
        each.live == "hook" and now - each.updated <= LATELY_SECONDS and f"{each.root}/".startswith(f"{top}/")
        for each in newest
    )
