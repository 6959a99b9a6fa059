"""What is asked of one file in a scan, and what comes of it."""

from __future__ import annotations

import msgspec

from leeboard.app.scan.target import Target
from leeboard.model.contract import Allowance
from leeboard.model.verdict import PlacedFinding


class FileScan(msgspec.Struct, frozen=True, kw_only=True):
    """What a scan says of one file."""

    path: str
    found: tuple[PlacedFinding, ...] = ()
    """What nobody has decided about."""
    decided: tuple[PlacedFinding, ...] = ()
    """What a person has let stand."""
    remarks: tuple[str, ...] = ()
    """What is wrong with the decisions that stand in the file."""
    problem: str = ""
    """Why it was not analysed, or not by every rule."""
    unread: str = ""
    """Why only a part of it was understood."""
    unfollowed: str = ""
    """Its kind, where no value is followed through such files."""


WEIGHTS = {"LOG": 0, "QUEUE": 1, "FIRE": 2}
"""How much a finding weighs, by its disposition."""


class Terms(msgspec.Struct, frozen=True):
    """What holds in one work tree."""

    disabled: tuple[str, ...] = ()
    allowances: tuple[Allowance, ...] = ()
    indexed: bool = False
    """Copies are looked for: there is a complete index."""
    stamp: bytes = b""
    """Of the rules as they are, where what they find is kept."""


class Before(msgspec.Struct, frozen=True, kw_only=True):
    """What a change did to a file, where only that is asked for."""

    text: str
    """As it was; empty for a new file."""
    name: str = ""
    """Under which name it was that; empty for the same."""
    was_unread: bool = False
    """It was there, and nobody could read it."""
    new_folder: str = ""
    """The folder on the way to it that says that a tool made it, where that folder was not there."""
    after: str | None = None
    """As it is now, where that is not what lies on the disk."""
    reviewed: bool = False
    """A person has reviewed what the change decides, so that new comments count."""
    problem: str = ""
    """Why nobody can tell what it is now, where that is not what lies on the disk."""


Work = tuple[Target, Terms, Before | None]
"""A file, what holds where it lies, and what it was before."""
