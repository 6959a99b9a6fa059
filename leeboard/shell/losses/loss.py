"""What a line would take away, and what has to be known to tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec
from msgspec.structs import replace

from leeboard.model.lookup import Files
from leeboard.model.text import matches
from leeboard.model.unsaved import LoneCommit, Unsaved, UnsavedFile, UnsavedTree, unsaved_names
from leeboard.text.language import lies_in

LossKind = Literal[
    "file",
    "changes",
    "untracked",
    "stash",
    "branch",
    "worktree",
    "push",
    "remote_branch",
    "commits",
    "history",
    "outside",
    "repository",
    "device",
]
"""What is lost; `leeboard/data/shell/asked_for.toml` has the words by which a person asks for that."""

MOST_NAMED = 3
MOST_OWN = 20
"""Commits of the session that are looked into."""


class Loss(msgspec.Struct, frozen=True, kw_only=True):
    kind: LossKind
    subject: str
    """The program or the path it is about."""
    why: str
    """What goes with it, in words."""
    instead: str
    names: tuple[str, ...] = ()
    """What a person would call it by: paths, branches."""


class LossGround(msgspec.Struct, frozen=True, kw_only=True):
    """Where a line is run, and whose things lie there."""

    root: str
    """The work tree of the agent."""
    cwd: str
    unsaved: Unsaved
    files: Files
    is_own: Callable[[UnsavedFile], bool]
    """Whether the session itself left the file so."""
    made: Callable[[str], bool]
    """Whether the session made what lies at a path."""
    has_read: Callable[[str], bool]
    """Whether the agent knows the file: what it then writes over it is an edit."""
    moved_here: Callable[[str], tuple[str, ...]] = lambda _path: ()
    """What was there before the session and was moved by it below a path."""
    ignores_anew: Callable[[], bool] = lambda: False
    """Whether the session has changed what git ignores."""
    base: str = ""
    """The commit that the session began at."""
    began: float = 0.0
    """When the session began."""
    committed: Callable[[float], bool] = lambda _time: False
    """Whether the session itself made what was committed or stashed at a time."""

    def whose(self, files: tuple[UnsavedFile, ...]) -> tuple[UnsavedFile, ...]:
        """Those with something to lose that is not the session's own."""
        return tuple(file for file in files if file.lies_there and not self.is_own(file))

    def in_no_commit(self, folder: str, within: tuple[str, ...] = ()) -> UnsavedTree | None:
        """The work tree around a folder, with what is out of git's sight by the session's own doing."""
        tree = self.unsaved.tree(folder, within)
        if tree is None or not self.ignores_anew():
            return tree
        return replace(tree, files=(*tree.files, *self.unsaved.newly_ignored(folder, self.began)))

    def theirs(self, folder: str, commits: tuple[LoneCommit, ...] | None) -> tuple[LoneCommit, ...]:
        """Those that the session did not make, and those of its own that hold the user's work."""
        others = tuple(one for one in commits or () if not self.committed(one.time))
        if others or not commits:
            return others
        brought = self.unsaved.brought(folder, tuple(one.id for one in commits[:MOST_OWN])) or ()
        if self.base not in commits[-1].parents:  # what a file was like before the session these commits do not tell
            brought = tuple(file if file.is_added else replace(file, blobs=()) for file in brought)
        return commits[:MOST_OWN] if any(not self.is_own(file) for file in brought) else ()

    def is_inside(self, path: str) -> bool:
        return bool(self.root) and f"{path}/".startswith(f"{self.root.rstrip('/')}/")

    def is_temporary(self, path: str) -> bool:
        """Whether it lies where nobody keeps work. A work tree may be there, too."""
        below = f"{path}/".startswith(unsaved_names().temporary) and f"{path}/" not in unsaved_names().temporary
        return below and not self.is_inside(path)

    def shown(self, paths: tuple[str, ...]) -> str:
        """A few of them, as a person would write them."""
        inner = [path.removeprefix(f"{self.root.rstrip('/')}/") for path in paths]
        more = len(inner) - MOST_NAMED
        return ", ".join(inner[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def unknown_loss(kind: LossKind, subject: str, names: tuple[str, ...]) -> Loss:
    """Where git was too slow to tell: what can not be brought back is not risked on a guess."""
    why = "git did not tell in time whether work that is in no commit would be lost, so it is taken to be"
    instead = "look with `git status`, then name only files of your own, or ask the user"
    return Loss(kind=kind, subject=subject, why=why, instead=instead, names=names)


def shown_commits(commits: tuple[LoneCommit, ...]) -> str:
    told = ", ".join(f"{one.id[:8]} {one.subject[:40]!r}" for one in commits[:MOST_NAMED])
    more = len(commits) - MOST_NAMED
    return told + (f" and {more} more" if more > 0 else "")


def is_made_anew(path: str, top: str) -> bool:
    """Whether some program makes the file again: by its name, or a folder that it lies in."""
    inner = path.removeprefix(f"{top.rstrip('/')}/")
    built = any(lies_in(f"{inner}/", role) for role in ("made", "artifact") if role)
    return built or matches(inner.lstrip("/~"), unsaved_names().left_by_programs)


def is_harmless_device(path: str) -> bool:
    return matches(path.lstrip("/"), [pattern.lstrip("/") for pattern in unsaved_names().harmless_devices])
