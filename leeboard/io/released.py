"""When a person last settled, by a command that proves them, what guards a project.

A session keeps to what it began under until then. The mark lies in the user's state directory, outside of any
repository, and is read without the store.
"""

from __future__ import annotations

import os
from posixpath import join, realpath

from leeboard.io import places
from leeboard.model.digest import digest

FOLDER = "released"
_HOOKS = ".claude/hooks taken out"
"""No file: the name under which that mark is kept."""


def release(root: str) -> None:
    """Called by commands of a person only, once they are done."""
    path = mark_of(root)
    places.make_private_file(path)
    os.utime(path)


def released_at(root: str) -> float:
    """Epoch seconds; zero where no person ever did."""
    try:
        return os.lstat(mark_of(root)).st_mtime
    except OSError:
        return 0.0


def take_out(root: str) -> None:
    """The same for a person who takes the hooks out: running sessions let them go."""
    release(join(root, _HOOKS))


def taken_out_at(root: str) -> float:
    """Epoch seconds; zero where no person ever did."""
    return released_at(join(root, _HOOKS))


def mark_of(root: str) -> str:
    return join(places.state_dir(), FOLDER, digest(realpath(root), 12))
