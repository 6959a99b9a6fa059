"""One git command that may throw something away, as its words tell it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from leeboard.model.unsaved import FileState

TRACKED: frozenset[FileState] = frozenset({"changed", "staged"})
IN_FILES: frozenset[FileState] = frozenset({"changed"})
AS_IT_IS = frozenset({"", "HEAD", "@"})
HERE = frozenset({".", "./", ".."})


class Discard(msgspec.Struct, frozen=True, kw_only=True):
    """One git command that may throw something away."""

    kind: Literal["files", "clean", "stash", "branch", "tag", "worktree", "push", "move", "history", "reflog"]
    program: str
    folder: str
    paths: tuple[str, ...] | None = None
    """Pathspecs; None: all."""
    listed_in: str = ""
    """A file that names more of them."""
    states: frozenset[FileState] = TRACKED
    spared: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Branches, tags, refspecs, numbers of stashes."""
    target: str = ""
    """The commit that a branch is moved to, the remote that is pushed to."""
    flags: frozenset[str] = frozenset()
    """Of a push: force, lease, delete, mirror, all; of others: all."""
    rewritten: str | None = None
    """What stays of the branch where the line rewrites it before; empty: nobody can tell. None: it does not."""
    fetched: bool = False
    """The line looks at remotes before, and takes nothing of what it finds there into the branch."""
    kept: tuple[str, ...] = ()
    """What the line gave another home before: by a merge, a branch, a tag, a push."""


class GitCommand(msgspec.Struct, frozen=True, kw_only=True):
    """One git command of a line, as its reader sees it."""

    args: list[str]
    folder: str
    settings: Mapping[str, str] = {}
    """What the repository's configuration and the line itself say, by keys in small letters."""
    handed: str = ""
    """What comes through the pipe, where it stands in the line."""
    is_answered: bool = False
    """Whether questions that it asks are answered with yes."""
