"""A person's pause: for a while nothing is said and nothing refused here, everything is recorded, and all show it.

The mark lies in the user's state directory, outside of any repository, and is read without the store. Only a person's
command makes or ends it; one that an agent's line made is seen as any other change of what the guard stands on.
"""

from __future__ import annotations

import os
from posixpath import exists, join

import msgspec

from leeboard.io import clock, places
from leeboard.io.file import read_regular, replace_file
from leeboard.io.places import make_private_dir
from leeboard.model.text import digest

FOLDER = "paused"
_MOST = 65_536
_MEANWHILE = "Nothing is said or refused here meanwhile"


class Pause(msgspec.Struct, frozen=True, kw_only=True):
    root: str
    reason: str
    since: float
    until: float = 0.0
    """Zero: until somebody ends it."""
    by: str = ""

    @property
    def words(self) -> str:
        """For people, wherever something of ours runs."""
        end = f"until {clock.iso(self.until)}" if self.until else "until `leeboard resume`"
        return f"paused {end} by {self.by or 'a person'}: {self.reason}. {_MEANWHILE}"


def beside_pause(note: str) -> str:
    """A receipt's note without the pause it tells of: that is shown for as long as it holds, and by itself."""
    told, meanwhile, rest = note.partition(_MEANWHILE)
    return rest.removeprefix("; ") if meanwhile and told.startswith("paused ") else note


def pause_file(root: str) -> str:
    return join(places.state_dir(), FOLDER, f"{digest(root, 12)}.json")


def paused(root: str, now: float) -> Pause | None:
    """The pause that holds in a project; None where there is none, it has ended, or what lies there is none."""
    try:
        found = msgspec.json.decode(read_regular(pause_file(root), _MOST), type=Pause)
    except (OSError, msgspec.MsgspecError, ValueError):
        return None
    return found if found.root == root and not 0 < found.until <= now else None


def may_be_loud(root: str) -> bool:
    """Whether anything can be said aloud here: of a pause, or from a store of what was heard. A fresh machine, such as
    a build server's, has neither.
    """
    return exists(pause_file(root)) or exists(places.database())


def begin_pause(pause: Pause) -> None:
    """Called by a command of a person only."""
    path = pause_file(pause.root)
    make_private_dir(join(places.state_dir(), FOLDER))
    replace_file(path, msgspec.json.encode(pause))


def end_pause(root: str) -> bool:
    """False where there was none."""
    try:
        os.unlink(pause_file(root))  # noqa: PTH108 - pathlib costs the hook process its import
    except FileNotFoundError:
        return False
    return True
