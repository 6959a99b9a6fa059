"""What a session last saw of the files that must not change, kept between two hooks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from posixpath import isdir, join

import msgspec

from leeboard.app.guard.files import guard_files, look_at_guard
from leeboard.app.guard.seen import GuardedFile, Stamp, look, stamp_of
from leeboard.io.kept_looks import KeptLooks
from leeboard.io.places import state_dir
from leeboard.model.contract import Constraint
from leeboard.model.pattern import matches
from leeboard.model.session import Session
from leeboard.secrets.redaction import has_shape
from leeboard.text.area import is_test
from leeboard.text.folder import folders_with

# The files that a limit speaks of, as far as they can be named and looked at: a bounded walk, no process.


MOST_FILES = 400
MOST_FOLDERS = 200
MOST_ENTRIES = 5_000


Wanted = Callable[[str], bool]


class Limited(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Paths are relative to the work tree."""

    files: dict[str, GuardedFile] = msgspec.field(default_factory=dict)
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
        self,
        root: str,
        wanted: Wanted,
        files: dict[str, GuardedFile] | None = None,
        folders: dict[str, Stamp] | None = None,
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
            self.files[path] = look(join(self._root, path), GuardedFile() if new else None)


FOLDER = "guards"


class OpaqueCall(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A call that may change what nobody can name, from its proposal until it comes back."""

    id: str
    agent: str = ""
    text: str = ""
    """Redacted, and cut."""
    began: float = 0.0
    ours: bool = False
    """It runs a command that may write the project's tasks, and leaves its own trace there."""


class GuardLook(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    session: str
    root: str
    env: dict[str, str] = msgspec.field(default_factory=dict)
    """Where the client keeps its settings, as its hooks were told."""
    guard: dict[str, GuardedFile] = msgspec.field(default_factory=dict)
    limits: tuple[Constraint, ...] = ()
    limited: Limited = Limited()
    lines: tuple[OpaqueCall, ...] = ()
    behind: tuple[str, ...] = ()
    """The newest lines that sent something to the background: it may still be at work."""
    off: float = 0.0
    """Since when our hooks stand nowhere; zero while they do."""
    said: tuple[str, ...] = ()
    """What was said of looser settings."""


def limits_of(session: Session | None) -> tuple[Constraint, ...]:
    """Those whose files can be named. What binds all files but a few is left to git."""
    limits = session.contract.constraints if session else ()
    return tuple(limit for limit in limits if limit.kind == "forbid" and (limit.patterns or "tests" in limit.areas))


def speaks_of(limit: Constraint, path: str) -> bool:
    return matches(path, limit.patterns) or ("tests" in limit.areas and is_test(path))


def first_look(session: str, root: str, env: dict[str, str]) -> GuardLook:
    """Without limits: they come with the session."""
    guard = {path: look_at_guard(path, kind, None, root) for path, kind in guard_files(root, env).items()}
    return GuardLook(session=session, root=root, env=env, guard=guard)


def guard_now(look: GuardLook) -> dict[str, GuardedFile]:
    files = guard_files(look.root, look.env)
    return {path: look_at_guard(path, kind, look.guard.get(path), look.root) for path, kind in files.items()}


def limited_now(look: GuardLook) -> Limited:
    return look_again(look.root, look.limited, lambda path: any(speaks_of(limit, path) for limit in look.limits))


def under_limits(look: GuardLook, limits: tuple[Constraint, ...]) -> GuardLook:
    """The look with the files of other limits; what is known of a file by now stays known."""
    if limits == look.limits:
        return look
    starts = [pattern for limit in limits for pattern in (*limit.patterns, *("" for area in limit.areas if area))]
    found = find_limited(look.root, starts, lambda path: any(speaks_of(limit, path) for limit in limits))
    files = {path: look.limited.files.get(path, seen) for path, seen in found.files.items()}
    return msgspec.structs.replace(look, limits=limits, limited=msgspec.structs.replace(found, files=files))


def read_look(session: str) -> GuardLook | None:
    kept = _looks().peek_line(session)
    try:
        return msgspec.json.decode(kept, type=GuardLook) if kept else None
    except ValueError:
        return None


def keep_look(look: GuardLook) -> None:
    _looks().renew(look.session, msgspec.json.encode(look))


def forget_look(session: str) -> None:
    _looks().take(session)


def kept_looks() -> tuple[GuardLook, ...]:
    """Of all sessions that have not ended."""
    found = []
    for kept in _looks().all():
        try:
            found.append(msgspec.json.decode(kept, type=GuardLook))
        except ValueError:
            continue
    return tuple(found)


def _looks() -> KeptLooks:
    return KeptLooks(join(state_dir(), FOLDER))
