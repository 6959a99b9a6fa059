"""When a person last settled, by a command that proves them, what guards a project: settings, hooks, tasks.

A session keeps to what it began under until then. The marks lie in the user's state directory, outside of any
repository, and are read without the store.
"""

from __future__ import annotations

import os
from posixpath import join
from typing import Literal

from leeboard.io import places
from leeboard.io.system import realpath
from leeboard.model.text import digest

FOLDER = "released"

What = Literal["settings", "hooks", "tasks", "decisions"]
"""`decisions` are those about findings, in committed files."""
LETS_GO: tuple[What, ...] = ("settings", "hooks", "tasks")
"""Marks that a running session goes by. A decision about a finding lets nothing go by itself."""


def release(root: str, what: What = "settings") -> None:
    """Called by commands of a person only: running sessions follow the settings as they are, or let the hooks go."""
    path = mark_of(root, what)
    places.make_private_file(path)
    os.utime(path)


def released_at(root: str, what: What = "settings") -> float:
    """Epoch seconds; zero where no person ever did."""
    try:
        return os.lstat(mark_of(root, what)).st_mtime
    except OSError:
        return 0.0


def mark_of(root: str, what: What = "settings") -> str:
    return join(places.state_dir(), FOLDER, f"{digest(realpath(root), 12)}.{what}")
