"""What one action does to files, told the same way for an Edit, a shell line or a patch."""

from __future__ import annotations

from typing import Literal

import msgspec

TouchKind = Literal["read", "write", "delete", "restore"]
"""`restore` gives a file back an older state (git checkout, git stash): never new work."""


class Touch(msgspec.Struct, frozen=True):
    """One path an action reads or changes. A move is a delete of the old path and a write of the new."""

    path: str
    kind: TouchKind

    @property
    def modifies(self) -> bool:
        return self.kind != "read"


class ShellEffects(msgspec.Struct, frozen=True, kw_only=True):
    """What a shell line will do, as far as it can be told without running it."""

    touches: tuple[Touch, ...] = ()
    opaque: bool = False
    """True when some part may change files nobody can name beforehand (a script, make, an unknown program)."""
    network: bool = False
    interpreters: tuple[str, ...] = ()
    """Programs that were handed code: python, node, bash, ..."""
    programs: tuple[str, ...] = ()
    """Each simple command as program plus subcommand where one exists: 'git commit', 'npm install', 'ls'."""
    listing: bool = False
    """True when every program of the line only lists names (ls, find, git status): naming is then weak evidence."""
