"""What differs between two states of a work tree. Git and whoever else compares trees both speak it."""

from __future__ import annotations

from typing import Literal

import msgspec

from leeboard.model.touch import Span

ChangeKind = Literal["added", "modified", "deleted", "renamed", "retyped", "unmerged"]
ChangeState = Literal["committed", "staged", "unstaged", "untracked"]


class Hunk(msgspec.Struct, frozen=True):
    """A run of lines that was replaced."""

    start: int
    """Line of the file as it is now at which the added lines begin, from one."""
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def span(self) -> Span:
        return self.start, self.start + len(self.added) - 1


class FileChange(msgspec.Struct, frozen=True, kw_only=True):
    """One path that is not as it was at the base, relative to the root of the work tree."""

    path: str
    kind: ChangeKind
    old_path: str = ""
    """Where a renamed file was."""
    states: tuple[ChangeState, ...] = ()
    """Every stage in which some of it is: a file may be staged and changed again."""
    added: int = 0
    deleted: int = 0
    hunks: tuple[Hunk, ...] = ()
    """Empty for what is no text, and where there was too much of it (`cut`)."""
    binary: bool = False
    submodule: bool = False
    generated: bool = False
    """Made by a program or brought from elsewhere: seen, but its lines are nobody's work."""
    cut: bool = False

    @property
    def paths(self) -> tuple[str, ...]:
        """Both names of a renamed file."""
        return (self.old_path, self.path) if self.old_path else (self.path,)

    @property
    def spans(self) -> tuple[Span, ...]:
        return tuple(hunk.span for hunk in self.hunks if hunk.added)

    @property
    def loc(self) -> int:
        return 0 if self.generated else self.added + self.deleted


class TreeChange(msgspec.Struct, frozen=True, kw_only=True):
    """All that differs from the base: commits since, what is staged, what is not, and what git does not know yet."""

    root: str
    files: tuple[FileChange, ...] = ()
    base: str = ""
    """The commit it was compared with; empty where the repository has none yet."""
    head: str = ""
    commits: int = 0
    """Since the base."""
    digest: str = ""
    """Of the whole tree as far as it differs: the same content has the same digest, committed or not."""
    unseen: tuple[str, ...] = ()
    """Paths in the tree that git was told not to look at, or could not."""
    notes: tuple[str, ...] = ()
    """What could not be looked at, or only in part: a shallow clone, a file that is too large."""

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(path for change in self.files for path in change.paths))


class AcceptanceRun(msgspec.Struct, frozen=True, kw_only=True):
    """One acceptance command and how it ended over the tree with that digest."""

    command: str
    passed: bool
    tree: str
    code: int | None = None
    """None when it had to be killed."""
    seconds: float = 0.0
    tail: str = ""
    """The end of its output, redacted."""
