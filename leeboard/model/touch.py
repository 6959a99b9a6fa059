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


class Started(msgspec.Struct, frozen=True, kw_only=True):
    """One program as a line starts it. What nobody can tell beforehand stands in a word as a NUL."""

    words: tuple[str, ...]
    folder: str | None = None
    """Where it is started; None: nobody can tell."""
    handed: str = ""
    """Text it is handed literally, as here-document or here-string."""
    fed: str = ""
    """The file it reads by `<`."""
    role: Literal["known", "runner", "unknown"] = "known"
    """`runner` runs what its words or what it is handed say: a shell, an interpreter, a wrapper."""


class ShellEffects(msgspec.Struct, frozen=True, kw_only=True):
    """What a shell line will do, as far as it can be told without running it."""

    touches: tuple[Touch, ...] = ()
    opaque: bool = False
    """True when some part may change files nobody can name beforehand (a script, make, an unknown program)."""
    unread: bool = False
    """True when some part was not looked at: too long, or nested too deeply."""
    network: bool = False
    interpreters: tuple[str, ...] = ()
    """Programs that were handed code: python, node, bash, ..."""
    programs: tuple[str, ...] = ()
    """Each simple command as program plus subcommand where one exists: 'git commit', 'npm install', 'ls'."""
    started: tuple[Started, ...] = ()
    """Every program, also those that others start: what is wrapped, or handed to a shell."""
    listing: bool = False
    """True when every program of the line only lists names (ls, find, git status): naming is then weak evidence."""
