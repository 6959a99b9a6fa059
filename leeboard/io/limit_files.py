"""The files that a limit speaks of, as far as they can be named and looked at: a bounded walk, no process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from posixpath import isdir, join

import msgspec

from leeboard.code.redaction import has_shape
from leeboard.io.seen_files import Seen, Stamp, look, stamp_of
from leeboard.model.folder import folders_with

MOST_FILES = 400
MOST_FOLDERS = 200
MOST_ENTRIES = 5_000


Wanted = Callable[[str], bool]


class Limited(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Paths are relative to the work tree."""

    files: dict[str, Seen] = msgspec.field(default_factory=dict)
    folders: dict[str, Stamp] = msgspec.field(default_factory=dict)
    """Those that may get another such file."""
    whole: bool = True
    """False where there are more than can be looked at each time."""


def find_limited(root: str, patterns: Iterable[str], wanted: Wanted) -> Limited:
    """All files that are wanted, and where the next one may appear."""
    walk = _Walk(root, wanted)
    for start in dict.fromkeys(map(_fixed, patterns)):
        walk.begin(start)
    return Limited(files=walk.files, folders=walk.folders, whole=walk.whole)


def look_again(root: str, before: Limited, wanted: Wanted) -> Limited:
    """The same object where nothing looks different."""
    files = {path: look(join(root, path), seen) for path, seen in before.files.items()}
    moved = [path for path, stamp in before.folders.items() if stamp_of(join(root, path)) != stamp]
    if not moved and all(files[path] is seen for path, seen in before.files.items()):
        return before
    walk = _Walk(root, wanted, files, dict(before.folders))
    for folder in moved:
        walk.enter(folder, new=True)
    return Limited(files=walk.files, folders=walk.folders, whole=before.whole and walk.whole)


def _fixed(pattern: str) -> str:
    """The part of a pattern that names one place."""
    parts = []
    for part in pattern.removeprefix("!").split("/"):
        if any(mark in part for mark in "*?["):
            break
        parts.append(part)
    return "/".join(part for part in parts if part not in {"", "."})


class _Walk:
    def __init__(
        self, root: str, wanted: Wanted, files: dict[str, Seen] | None = None, folders: dict[str, Stamp] | None = None
    ) -> None:
        self._root = root
        self._wanted = wanted
        self.files = files if files is not None else {}
        self.folders = folders if folders is not None else {}
        self.whole = True
        self._left = MOST_ENTRIES

    def begin(self, start: str) -> None:
        if start.startswith(("/", "~", "..")):
            return
        if isdir(join(self._root, start)):
            self.enter(start)
        elif self._wanted(start):
            self._add(start, new=False)

    def enter(self, folder: str, *, new: bool = False) -> None:
        """`new`: what is found and was not known has come since the first look."""
        if not self._may_enter(folder):
            return
        self.folders[folder] = stamp_of(join(self._root, folder))
        try:
            entries = list(os.scandir(join(self._root, folder)))
        except OSError:
            return
        self._left -= len(entries)
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in folders_with("without-limits") and path not in self.folders:
                    self.enter(path, new=new)
            elif self._wanted(path) and path not in self.files:
                self._add(path, new=new)

    def _may_enter(self, folder: str) -> bool:
        fits = folder in self.folders or (len(self.folders) < MOST_FOLDERS and self._left > 0 and not has_shape(folder))
        self.whole = self.whole and fits
        return fits

    def _add(self, path: str, *, new: bool) -> None:
        if len(self.files) >= MOST_FILES or has_shape(path):  # the look is kept, and its names with it
            self.whole = False
        else:
            self.files[path] = look(join(self._root, path), Seen() if new else None)
