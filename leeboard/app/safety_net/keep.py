"""Notes a person's work in the background: what git calls changed or untracked, with a copy of each file.

It is done by a process of its own, one for each work tree at a time, after the hook that started it was answered. Who
finds one at work leaves word that it is to look once more. A tree that takes git too long is left alone for an hour.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from posixpath import exists, join

from msgspec.structs import replace

from leeboard.app.safety_net.copies import KeptCopy, bounded, digest_of, read_kept, write_copy, write_kept
from leeboard.app.safety_net.note import (
    GONE,
    NotedFile,
    NotedRefs,
    RefsLook,
    State,
    WorkNote,
    folder_of,
    look_at,
    look_at_refs,
    note_lock,
    read_note,
    write_note,
)
from leeboard.errors import EffectError
from leeboard.io import clock, system
from leeboard.io.detached import fork_twice, leave
from leeboard.io.file import Sole, open_regular, read_open
from leeboard.io.git.unsaved import UnsavedWork
from leeboard.io.places import make_private_dir
from leeboard.model.text import matches
from leeboard.model.unsaved import UnsavedFile, unsaved_names
from leeboard.settings.settings import KeepSettings

GIT_SECONDS = 10.0
REST_SECONDS = 3_600.0
"""How long a tree that took git too long is left alone."""
MOST_FILES = 1_000
NICENESS = 15
REFS_SECONDS = 2.0
_ROUNDS = 3
_MOST_TIMES = 8
_MOST_REFS = 500
_AGAIN, _WORKER = "again", "worker"
TOO_SLOW = "git takes too long to look at this work tree"


def start_noting(root: str, limits: KeepSettings, env: Mapping[str, str]) -> bool:
    """Have the work of a tree noted in the background; whether a process was started for it.

    `LEEBOARD_KEEP=0` switches it off.
    """
    if env.get("LEEBOARD_KEEP") == "0" or not limits.enabled or not root or not exists(join(root, ".git")):
        return False

    def work() -> None:
        os.chdir("/")
        leave()
        system.be_nice(NICENESS)
        note_work(root, limits)

    return fork_twice(work)


def note_work(root: str, limits: KeepSettings) -> bool:
    """The worker: note and copy all of it now. False where another one is at it, which then looks once more."""
    folder = folder_of(root)
    make_private_dir(folder)
    sole = Sole(join(folder, _WORKER))
    mark = join(folder, _AGAIN)
    if not sole.take():
        with suppress(OSError):
            os.close(os.open(mark, os.O_WRONLY | os.O_CREAT | system.CLOEXEC, 0o600))
        return False
    try:
        for _ in range(_ROUNDS):
            with suppress(OSError):
                os.unlink(mark)  # noqa: PTH108 - paths are strings here
            _Keeping(root, limits).keep()
            if not exists(mark):
                break
    finally:
        sole.give_back()
    return True


class _Keeping:
    """One round of copying, within the room that the settings give."""

    def __init__(self, root: str, limits: KeepSettings) -> None:
        self._root = root
        self._limits = limits
        self._now = clock.now()
        self._before = read_note(root)
        self._known = {file.path: file for file in self._before.files} if self._before else {}
        self._copies = {(one.path, one.digest): one for one in read_kept(root).copies}
        self._new: dict[tuple[bytes, str], KeptCopy] = {}
        self._room = limits.total_mb << 20

    def keep(self) -> None:
        before = self._before
        if before is not None and before.trouble == TOO_SLOW and self._now - before.time < REST_SECONDS:
            return
        git = UnsavedWork(GIT_SECONDS)
        tree = git.tree(self._root)
        if tree is None:
            if git.gave_up:
                self._write((), NotedRefs(), 0, TOO_SLOW)
            return
        wanted = [file for file in tree.files if file.lies_there and self._is_wanted(file)]
        wanted.sort(key=lambda file: file.time, reverse=True)
        refs = noted_refs(self._root, look_at_refs(self._root))
        files = tuple(self._noted(file) for file in sorted(wanted[:MOST_FILES], key=_size))
        self._write(files, refs, max(0, len(wanted) - MOST_FILES), "")

    def _is_wanted(self, file: UnsavedFile) -> bool:
        """Somebody wrote it: what programs leave behind, and what git ignores, is built anew."""
        if file.state == "ignored" or not file.path.startswith(f"{self._root}/"):
            return False
        path = file.path.removeprefix(f"{self._root}/")
        from leeboard.text.language import is_generated  # noqa: PLC0415 - the worker's alone

        if matches(path, unsaved_names().left_by_programs) or is_generated(path):
            return False
        return not _is_secret_name(path)

    def _noted(self, file: UnsavedFile) -> NotedFile:
        path = os.fsencode(file.path.removeprefix(f"{self._root}/"))
        known, look = self._known.get(path), look_at(os.fsencode(file.path))
        if known is not None and known.look != look:
            return known  # a call of the agent is at it right now: what it did is told when it has ended
        state: State = "untracked" if file.state == "untracked" else "changed"
        base = tuple(dict.fromkeys(blob for blob in file.blobs if blob.strip("0")))
        fresh = NotedFile(path, look, state, base=base)
        if known is not None and not known.stale and (known.copied or known.uncopied):
            kept = replace(known, state=state, base=base)
            if not known.copied or self._is_still_copied(known):
                return replace(kept, copied=self._now if known.copied else 0.0)
        return self._read(fresh, known)

    def _is_still_copied(self, known: NotedFile) -> bool:
        one = self._copies.get((known.path, known.digest))
        if one is None or one.lost:
            return False
        self._new[one.path, one.digest] = replace(one, time=self._now)
        return True

    def _read(self, file: NotedFile, known: NotedFile | None) -> NotedFile:
        """With a copy, unless it is too large, not to be copied or not to be read."""
        times = (*(known.times if known else ()), _changed_at(file.place(self._root)) or self._now)
        times = times if len(times) <= _MOST_TIMES else (times[0], *times[1 - _MOST_TIMES :])
        file = replace(file, times=times, theirs=known.theirs if known else False)
        most = self._limits.file_mb << 20
        if file.look[1] > most:
            return replace(file, uncopied=f"it is larger than {self._limits.file_mb} MB")
        try:
            data, mode = read_below(self._root, file.path, most)
        except (OSError, ValueError) as error:
            return replace(file, uncopied=f"it can not be read ({getattr(error, 'strerror', None) or error})")
        digest = digest_of(data)
        file = replace(file, digest=digest, blob=blob_of(data, file))
        if holds_secret(data, file.name):
            return replace(file, uncopied="it holds a secret, and secrets are never kept")
        return self._copied(file, data, mode)

    def _copied(self, file: NotedFile, data: bytes, mode: int) -> NotedFile:
        try:
            write_copy(self._root, file.digest, data)
        except EffectError as error:
            return replace(file, uncopied=f"the copy could not be written ({error})")
        made = KeptCopy(file.path, file.digest, self._now, len(data), mode)
        self._new[made.path, made.digest] = made
        return replace(file, copied=self._now)

    def _write(self, files: tuple[NotedFile, ...], refs: NotedRefs, left_out: int, trouble: str) -> None:
        """Over what hooks have noted meanwhile: what a call has just changed stays as it was before it."""
        with note_lock(self._root):
            standing = {(file.path, file.digest) for file in files if file.copied}
            kept = read_kept(self._root)
            merged = {(one.path, one.digest): one for one in kept.copies} | self._new
            kept = bounded(replace(kept, copies=tuple(merged.values())), standing, self._room)
            left = {(one.path, one.digest) for one in kept.copies}
            files = tuple(
                file if not file.copied or (file.path, file.digest) in left else self._without_room(file)
                for file in files
            )
            newest = read_note(self._root)
            files = _merged(files, newest, self._root) if not trouble else files
            if newest is not None and self._before is not None and newest.refs != self._before.refs:
                refs = newest.refs
            note = WorkNote(root=self._root, time=self._now, files=files, refs=refs, left_out=left_out, trouble=trouble)
            write_kept(kept)
            write_note(note)

    def _without_room(self, file: NotedFile) -> NotedFile:
        return replace(file, copied=0.0, uncopied=f"all copies together have {self._limits.total_mb} MB of room")


def _merged(files: tuple[NotedFile, ...], newest: WorkNote | None, root: str) -> tuple[NotedFile, ...]:
    """What a hook has accounted for since is newer than what was read here; what a call is at stays noted."""
    if newest is None:
        return files
    found, known = {file.path: file for file in files}, {file.path: file for file in newest.files}
    for path, file in known.items():
        look = look_at(file.place(root))
        mine = found.get(path)
        if mine is not None and mine.look == file.look:
            found[path] = replace(mine, theirs=mine.theirs or file.theirs)
        elif look not in (file.look, GONE) or (look == GONE and file.look != GONE) or mine is not None:
            found[path] = file
    return tuple(found.values())


def noted_refs(root: str, look: RefsLook) -> NotedRefs:
    """Branches and stashes, as git tells them."""
    from leeboard.io.git.ask import run  # noqa: PLC0415 - starts processes, which most hooks never do

    branches = run(root, ("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads"), REFS_SECONDS) or b""
    has_stash = any(size for path, _, size in look if path.endswith(("logs/refs/stash", "reftable/tables.list")))
    stashes = run(root, ("stash", "list", "--format=%H %gs"), REFS_SECONDS) if has_stash else b""
    return NotedRefs(look, dict(_pairs(branches)), tuple(_pairs(stashes or b"", last=False)))


def _pairs(output: bytes, *, last: bool = True) -> Iterator[tuple[str, str]]:
    """Two columns of at most so many lines; the second one has no blank in it, or the first."""
    for line in output.splitlines()[:_MOST_REFS]:
        first, _, second = line.rpartition(b" ") if last else line.partition(b" ")
        if not _is_secret_name(line.decode("utf-8", "replace")):
            yield first.decode("utf-8", "replace"), second.decode("utf-8", "replace")


@contextmanager
def opened_above(base: str, path: bytes, *, make: bool = False) -> Iterator[tuple[int, str]]:
    """The folder that a file lies in, open, and its name there; no link is followed on the way from `base`."""
    from leeboard.plan.disk.folder import entered  # noqa: PLC0415 - the worker's alone

    *folders, name = os.fsdecode(path).split("/")
    around = os.open(base, os.O_RDONLY | system.DIRECTORY | system.CLOEXEC)
    try:
        for folder in folders:
            inner = entered(folder, around, make=make)
            os.close(around)
            around = inner
        yield around, name
    finally:
        os.close(around)


def read_below(root: str, path: bytes, most: int) -> tuple[bytes, int]:
    """A regular file of a work tree and its mode, without following a link on the way. OSError where that fails."""
    with opened_above(root, path) as (around, name):
        file = open_regular(name, around=around)
    try:
        return read_open(file, most, path), os.fstat(file).st_mode & 0o777
    finally:
        os.close(file)


def blob_of(data: bytes, file: NotedFile) -> str:
    """As git counts it, by the kind of digest that the repository has of the same file."""
    name = "sha256" if any(len(blob) == hashlib.sha256().digest_size * 2 for blob in file.base) else "sha1"
    return hashlib.new(name, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def holds_secret(data: bytes, path: str) -> bool:
    """Whether the rules for credentials would speak of this file."""
    from leeboard.secrets.detection import is_real  # noqa: PLC0415 - the worker's alone
    from leeboard.secrets.redaction import find_secrets  # noqa: PLC0415 - as above
    from leeboard.text.language import is_env_file, is_sample  # noqa: PLC0415 - as above

    if is_env_file(path) and not is_sample(path):
        return True
    if b"\0" in data[:8_192]:
        return False
    return any(map(is_real, find_secrets(data.decode("utf-8", "replace"), path)))


def _is_secret_name(name: str) -> bool:
    """What is called by a key is not noted at all: its name would be kept with it."""
    from leeboard.secrets.redaction import redact_shaped  # noqa: PLC0415 - the worker's alone

    return redact_shaped(name) != name


def _changed_at(place: bytes) -> float:
    try:
        seen = os.lstat(place)
    except OSError:
        return 0.0
    return max(seen.st_mtime, seen.st_ctime)


def _size(file: UnsavedFile) -> int:
    try:
        return os.lstat(file.path).st_size
    except (OSError, ValueError):
        return 0
