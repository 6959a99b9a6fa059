"""Two states of a tree, as texts by path, compared without git: what scenarios and independent checks are made with."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import SequenceMatcher

from leeboard.model.text import digest
from leeboard.model.touch import ChangeKind, FileChange, Hunk, TreeChange
from leeboard.text.language import is_generated

ROOT = "/repo"


def compared(before: Mapping[str, str], after: Mapping[str, str]) -> TreeChange:
    """What differs. A renamed file is one deleted and one added."""
    paths = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
    files = tuple(_change(path, before.get(path), after.get(path)) for path in paths)
    content = "\x1f".join(f"{path}\x1e{after.get(path)}" for path in paths)
    return TreeChange(root=ROOT, files=files, base="0" * 40, digest=digest(content, 16))


def _change(path: str, old: str | None, new: str | None) -> FileChange:
    hunks = _hunks((old or "").splitlines(), (new or "").splitlines())
    kind: ChangeKind = "added" if old is None else "deleted" if new is None else "modified"
    return FileChange(
        path=path,
        kind=kind,
        states=("untracked",) if old is None else ("unstaged",),
        added=sum(len(hunk.added) for hunk in hunks),
        deleted=sum(len(hunk.removed) for hunk in hunks),
        hunks=hunks,
        generated=is_generated(path, new or ""),
    )


def _hunks(old: list[str], new: list[str]) -> tuple[Hunk, ...]:
    found = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return tuple(
        Hunk(first + 1, tuple(new[first:last]), tuple(old[start:end]))
        for kind, start, end, first, last in found
        if kind != "equal"
    )
