"""Work that is in one place alone: files in no commit, commits on no other branch. Looked up where a line may take it.

None always means that nobody knows: a recording without its repository, a folder without one, git that took too long.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, Protocol

import msgspec

from leeboard.data import load

FileState = Literal["changed", "staged", "untracked", "ignored", "committed"]
"""`changed` differs from the index, `staged` only from the last commit; `ignored` are the few nobody builds anew;
`committed` are in a commit that would be lost.
"""
PlaceKind = Literal["", "file", "folder", "link", "device"]
"""What lies at a path; empty: nothing."""


class UnsavedFile(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    """Whole."""
    state: FileState
    blobs: tuple[str, ...] = ()
    """Git's ids of what the last commit and the index have of it."""
    time: float = 0.0
    """When it was last changed, on the disk."""
    lies_there: bool = True
    """False for one that was deleted: there is nothing more to lose of it."""
    is_added: bool = False
    """Of a committed one: the commit brought it."""


class UnsavedTree(msgspec.Struct, frozen=True, kw_only=True):
    """A work tree, and what of it is in no commit."""

    top: str
    files: tuple[UnsavedFile, ...] = ()


class LoneCommit(msgspec.Struct, frozen=True, kw_only=True):
    """A commit that nothing else leads to."""

    id: str
    time: float
    author: str
    """The address of who wrote it."""
    subject: str
    parents: tuple[str, ...] = ()


class Stash(msgspec.Struct, frozen=True, kw_only=True):
    time: float
    subject: str
    files: tuple[str, ...] = ()
    """Whole paths of what it holds and the work tree does not."""


LostKind = Literal["file", "changes", "stash", "branch", "commits"]
"""`file`: it lies in no commit; `changes`: those to a file of the last commit; `commits`: a branch lost some."""
BY_GIT = "git"


class LostWork(msgspec.Struct, frozen=True, kw_only=True):
    """Work of a person that was there when it was last noted and is not any more."""

    kind: LostKind
    name: str
    """The path from the top of the work tree, or what the branch or the stash is called."""
    how: str
    """What became of it, as the end of a sentence."""
    kept: str = ""
    """The time of the copy that is kept, or `git` where git has it still; empty where there is none."""
    uncopied: str = ""
    """Why there is no copy."""
    back: str = ""
    """The argument of `leeboard restore` that brings it back."""
    in_place: bool = False
    """Something else lies in its place, which has to go for it."""


class Refs(msgspec.Struct, frozen=True, kw_only=True):
    """Branches by their full names, here and as they were last seen on remotes."""

    head: str = ""
    """The full name of the branch that is checked out; empty: none."""
    commit: str = ""
    """What is checked out."""
    tips: Mapping[str, str] = {}
    """Full names of branches and tags, and their commits."""
    trunks: frozenset[str] = frozenset()
    """Full names of the branches that remotes have checked out."""
    upstream: Mapping[str, str] = {}
    """Branches here, and the one elsewhere that each follows."""
    remotes: tuple[str, ...] = ()
    owner: str = ""
    """The address of who commits here."""


class Unsaved(Protocol):
    """Asked only where a line may take something away: each question starts git."""

    @property
    def gave_up(self) -> bool:
        """Whether git took too long for the last question: its answer is None, and nobody knows."""

    def tree(self, folder: str, within: tuple[str, ...] = ()) -> UnsavedTree | None:
        """Of the work tree around a folder; of what lies `within` these whole paths, where the whole takes too long."""

    def newly_ignored(self, folder: str, since: float) -> tuple[UnsavedFile, ...]:
        """What git ignores by a pattern that is in no commit and younger than that."""

    def refs(self, folder: str) -> Refs | None: ...

    def settings(self, folder: str) -> Mapping[str, str]:
        """Git's configuration there, by keys in small letters; several values of one key stand one to a line."""

    def commits(self, folder: str, tips: tuple[str, ...], kept: tuple[str, ...]) -> tuple[LoneCommit, ...] | None:
        """Those that `tips` lead to and `kept` do not: full names and ids; `branches`, `remotes`, `tags`, `reflog` are
        all such, `branches but NAME` all others.
        """

    def holds(self, folder: str, commit: str, other: str) -> bool | None:
        """Whether `commit` has all that `other` would bring, as after a squash merge."""

    def stashes(self, folder: str) -> tuple[Stash, ...] | None:
        """Newest first."""

    def lies_at(self, path: str) -> PlaceKind | None:
        """For a whole path, or one below `~/`."""

    def changed_at(self, path: str) -> float:
        """When what lies at a whole path was last changed; 0 where nothing does, or nobody knows."""

    def is_theirs(self, path: str) -> bool:
        """Whether the safety net has noted what lies at a whole path as the user's own work."""

    def missed(self) -> frozenset[str] | None:
        """What the safety net found to be gone and is not back: paths below the top, branches, stashes."""

    def brought(self, folder: str, commits: tuple[str, ...]) -> tuple[UnsavedFile, ...] | None:
        """The files that these commits changed, each with what was there before in `blobs`; none that only moved."""

    def names_in(self, path: str) -> tuple[str, ...] | None:
        """What a file names: the lines of a text, the members of a tar or zip file."""

    def spelled(self, path: str) -> str:
        """With the home folder spelled out."""

    def top_of(self, path: str) -> str | None:
        """The top of the work tree around it; empty: it lies in none."""


class _NobodyKnows:
    gave_up = False

    def tree(self, folder: str, within: tuple[str, ...] = ()) -> UnsavedTree | None:  # noqa: ARG002 - as the protocol has it
        return None

    def newly_ignored(self, folder: str, since: float) -> tuple[UnsavedFile, ...]:  # noqa: ARG002 - as above
        return ()

    def refs(self, folder: str) -> Refs | None:  # noqa: ARG002 - as above
        return None

    def settings(self, folder: str) -> Mapping[str, str]:  # noqa: ARG002 - as above
        return {}

    def commits(self, folder: str, tips: tuple[str, ...], kept: tuple[str, ...]) -> tuple[LoneCommit, ...] | None:  # noqa: ARG002 - as above
        return None

    def holds(self, folder: str, commit: str, other: str) -> bool | None:  # noqa: ARG002 - as above
        return None

    def stashes(self, folder: str) -> tuple[Stash, ...] | None:  # noqa: ARG002 - as above
        return None

    def lies_at(self, path: str) -> PlaceKind | None:  # noqa: ARG002 - as above
        return None

    def changed_at(self, path: str) -> float:  # noqa: ARG002 - as above
        return 0.0

    def is_theirs(self, path: str) -> bool:  # noqa: ARG002 - as above
        return False

    def missed(self) -> frozenset[str] | None:
        return None

    def brought(self, folder: str, commits: tuple[str, ...]) -> tuple[UnsavedFile, ...] | None:  # noqa: ARG002 - as above
        return None

    def names_in(self, path: str) -> tuple[str, ...] | None:  # noqa: ARG002 - as above
        return None

    def spelled(self, path: str) -> str:
        return path

    def top_of(self, path: str) -> str | None:  # noqa: ARG002 - as above
        return None


NOBODY_KNOWS = _NobodyKnows()


class UnsavedNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which files in no commit somebody would miss, by their names."""

    kept_though_ignored: tuple[str, ...]
    left_by_programs: tuple[str, ...]
    temporary: tuple[str, ...]
    harmless_devices: tuple[str, ...]


@lru_cache(maxsize=1)
def unsaved_names() -> UnsavedNames:
    return load("shell/unsaved", UnsavedNames)
