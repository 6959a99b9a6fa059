"""What is noted of a person's work in one work tree, and how to see at a glance that something of it changed.

It lies in the user's state directory, a folder for each work tree, out of reach of whatever is run in the tree itself.
Every hook after a shell line reads the note and looks at each file from outside; only what looks different is read.
Paths are bytes here: the name of a file need not be text.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from posixpath import join
from stat import S_ISREG
from typing import Literal, TypeVar

import msgspec

from leeboard.errors import EffectError, LeeboardError
from leeboard.io.file import FileLock, read_regular, replace_file
from leeboard.io.places import kept_dir, make_private_dir
from leeboard.model.text import digest

PRIVATE = 0o600
_MOST = 32 << 20
_LOCK_SECONDS = 2.0
_MOST_FOLDERS = 200
_MOST_PAUSES = 200

Look = tuple[int, int, int]
"""Time of modification in ns, size and inode."""
GONE: Look = (0, 0, 0)
"""There is no regular file."""
State = Literal["untracked", "changed"]
RefsLook = tuple[tuple[str, int, int], ...]
"""The files and folders that change with branches and stashes, each with time and size."""


class NotedFile(msgspec.Struct, frozen=True, array_like=True):
    """A file that differs from the last commit, or is in none."""

    path: bytes
    """From the top of the work tree."""
    look: Look
    """As it was last seen and accounted for."""
    state: State
    times: tuple[float, ...] = ()
    """When it was changed, as far as that was noticed: who was at work then is told by it."""
    digest: str = ""
    """Of what was last read of it; empty where it was not."""
    blob: str = ""
    """The same as git counts it."""
    base: tuple[str, ...] = ()
    """What the last commit has of it, then what is staged, as git counts it; none: it is in no commit."""
    copied: float = 0.0
    """When that was still what lies there; zero where there is no copy."""
    uncopied: str = ""
    """Why there is no copy."""
    theirs: bool = False
    """It was changed while no call of an agent was open."""
    stale: bool = False
    """It looks different since it was last read."""

    @property
    def name(self) -> str:
        return os.fsdecode(self.path)

    def place(self, root: str) -> bytes:
        return os.fsencode(root) + b"/" + self.path


class NotedRefs(msgspec.Struct, frozen=True, array_like=True):
    """Branches and stashes of a repository."""

    look: RefsLook = ()
    tips: dict[str, str] = {}
    """Branches by their full names, and their commits."""
    stashes: tuple[tuple[str, str], ...] = ()
    """Commit and subject, the newest first."""


class WorkNote(msgspec.Struct, frozen=True, kw_only=True):
    root: str
    time: float
    files: tuple[NotedFile, ...] = ()
    refs: NotedRefs = NotedRefs()
    left_out: int = 0
    """Files that are not looked after because there are too many."""
    trouble: str = ""
    """What kept it from being noted, in words."""

    @property
    def uncopied(self) -> int:
        return sum(1 for file in self.files if not file.copied)


class Pauses(msgspec.Struct, frozen=True, kw_only=True):
    """When no agent of a session was at work: from its last sign of life to the next prompt."""

    root: str
    session: str
    spans: tuple[tuple[float, float], ...] = ()

    def covers(self, time: float) -> bool:
        return any(start < time <= end for start, end in self.spans)


def folder_of(root: str) -> str:
    return join(kept_dir(), digest(root, 12))


def read_note(root: str) -> WorkNote | None:
    """None where nothing was noted yet, or what lies there is no note of this tree."""
    found = read_packed(join(folder_of(root), "note"), WorkNote)
    return found if found is not None and found.root == root else None


def write_note(note: WorkNote) -> None:
    """EffectError where the disk refuses it."""
    write_packed(join(folder_of(note.root), "note"), note)


def note_lock(root: str) -> FileLock:
    """Around a note that is read and written again: held for as long as that takes."""
    folder = folder_of(root)
    make_private_dir(folder)
    return FileLock(join(folder, "lock"), _LOCK_SECONDS)


def read_pauses(root: str, session: str) -> Pauses:
    found = read_packed(_pauses_file(root, session), Pauses)
    return found if found is not None and found.session == session else Pauses(root=root, session=session)


def add_pause(root: str, session: str, start: float, end: float) -> None:
    """A person may have been at work between these two."""
    before = read_pauses(root, session)
    spans = (*before.spans, (start, end))[-_MOST_PAUSES:]
    write_packed(_pauses_file(root, session), Pauses(root=root, session=session, spans=spans))


def _pauses_file(root: str, session: str) -> str:
    return join(folder_of(root), f"pauses-{digest(session, 8)}")


Packed = TypeVar("Packed")


def read_packed(path: str, kind: type[Packed]) -> Packed | None:
    """A kept value of this kind; None where there is none, or the file holds something else."""
    try:
        return msgspec.msgpack.decode(read_regular(path, _MOST), type=kind)
    except (OSError, msgspec.MsgspecError, ValueError):
        return None


def write_packed(path: str, value: object) -> None:
    """Readable by nobody else. EffectError where the disk refuses it."""
    try:
        make_private_dir(path.rpartition("/")[0])
    except OSError as error:
        raise EffectError(f"can not write {path}: {error.strerror or error}") from error
    replace_file(path, msgspec.msgpack.encode(value), mode=PRIVATE)


def look_at(place: bytes) -> Look:
    """From outside; a link is not followed, and is no file."""
    try:
        seen = os.lstat(place)
    except (OSError, ValueError):
        return GONE
    return (seen.st_mtime_ns, seen.st_size, seen.st_ino) if S_ISREG(seen.st_mode) else GONE


def changed_files(note: WorkNote) -> list[tuple[NotedFile, Look]]:
    """Those that look different from outside than when they were last accounted for, and how they look now."""
    start = os.fsencode(note.root) + b"/"
    looked = ((file, look_at(start + file.path)) for file in note.files)
    return [(file, look) for file, look in looked if look != file.look]


def refs_moved(refs: NotedRefs) -> bool:
    """Whether any branch or stash may be another one: told from files of the repository, without a process."""
    return any((_stamp(path)) != (time, size) for path, time, size in refs.look)


def look_at_refs(root: str) -> RefsLook:
    """All that is written when a branch or a stash changes. Empty where there is no repository."""
    from leeboard.io.git.place import find  # noqa: PLC0415 - not where they are only compared

    try:
        shared = find(root).shared
    except LeeboardError:
        return ()
    watched = [join(shared, name) for name in ("packed-refs", "logs/refs/stash", "reftable/tables.list")]
    watched += _folders(join(shared, "refs/heads"))
    return tuple((path, *_stamp(path)) for path in watched)


def _folders(top: str) -> Iterable[str]:
    found = [top]
    for folder in found:
        with suppress(OSError), os.scandir(folder) as entries:
            found += [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
        if len(found) > _MOST_FOLDERS:
            break
    return found[:_MOST_FOLDERS]


def _stamp(path: str) -> tuple[int, int]:
    try:
        seen = os.lstat(path)
    except OSError:
        return (0, 0)
    return (seen.st_mtime_ns, seen.st_size)
