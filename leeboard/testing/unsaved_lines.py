"""The lines of a scenario that tell which files of the user's are in no commit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from leeboard.model.unsaved import (
    NOBODY_KNOWS,
    LoneCommit,
    PlaceKind,
    Refs,
    Stash,
    Unsaved,
    UnsavedFile,
    UnsavedTree,
)
from leeboard.testing.scenario_lines import ROOT


def told_unsaved(lines: Iterable[str]) -> Unsaved:
    """What the lines say; nobody knows where they say nothing."""
    told = [line.removeprefix("unsaved ").strip() for line in lines if line.startswith("unsaved ")]
    return ToldUnsaved(tuple(map(_file, told))) if told else NOBODY_KNOWS


def _file(words: str) -> UnsavedFile:
    path = f"{ROOT}/{words.removeprefix('changed ').strip()}"
    return UnsavedFile(path=path, state="changed" if words.startswith("changed ") else "untracked")


class ToldUnsaved:
    """A repository with one branch, no remote and these files; all else in it is as in its last commit."""

    gave_up = False

    def __init__(self, files: tuple[UnsavedFile, ...]) -> None:
        self._files = files
        self.names: dict[str, tuple[str, ...]] = {}
        """What lists and archives name, by their whole paths."""

    def tree(self, folder: str, within: tuple[str, ...] = ()) -> UnsavedTree | None:  # noqa: ARG002 - it takes no time
        return UnsavedTree(top=ROOT, files=self._files) if self.top_of(folder) else None

    def newly_ignored(self, folder: str, since: float) -> tuple[UnsavedFile, ...]:  # noqa: ARG002 - as the protocol has it
        return ()

    def refs(self, folder: str) -> Refs | None:
        return Refs(head="refs/heads/main", tips={"refs/heads/main": "0" * 40}) if self.top_of(folder) else None

    def settings(self, folder: str) -> Mapping[str, str]:  # noqa: ARG002 - as the protocol has it
        return {}

    def commits(self, folder: str, tips: tuple[str, ...], kept: tuple[str, ...]) -> tuple[LoneCommit, ...] | None:  # noqa: ARG002 - as the protocol has it
        return () if self.top_of(folder) else None

    def holds(self, folder: str, commit: str, other: str) -> bool | None:  # noqa: ARG002 - as above
        return True if self.top_of(folder) else None

    def stashes(self, folder: str) -> tuple[Stash, ...] | None:
        return () if self.top_of(folder) else None

    def lies_at(self, path: str) -> PlaceKind | None:
        if any(file.path == path for file in self._files):
            return "file"
        return "folder" if any(file.path.startswith(f"{path}/") for file in self._files) else ""

    def changed_at(self, path: str) -> float:  # noqa: ARG002 - as above
        return 0.0

    def is_theirs(self, path: str) -> bool:
        return any(file.path == path for file in self._files)

    def missed(self) -> frozenset[str] | None:
        return None

    def brought(self, folder: str, commits: tuple[str, ...]) -> tuple[UnsavedFile, ...] | None:  # noqa: ARG002 - as above
        return ()

    def names_in(self, path: str) -> tuple[str, ...] | None:
        return self.names.get(path)

    def spelled(self, path: str) -> str:
        return path

    def top_of(self, path: str) -> str | None:
        return ROOT if f"{path}/".startswith(f"{ROOT}/") else ""
