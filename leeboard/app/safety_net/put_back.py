"""Puts back what was kept: files byte for byte, branches and stashes by git's own commands.

Nothing different is written over without the person's word, and then what is written over is kept first. What git has
in a commit, and an empty file, are no loss. A link is never followed, wherever it lies on the way.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from posixpath import join, lexists
from typing import Literal

import msgspec
from msgspec.structs import replace

from leeboard.app.safety_net.copies import (
    MOST_LOST,
    KeptCopy,
    KeptRef,
    LostFile,
    content,
    digest_of,
    read_kept,
    write_copy,
    write_kept,
)
from leeboard.app.safety_net.keep import blob_of, holds_secret, opened_above, read_below
from leeboard.app.safety_net.losses import GoneRef
from leeboard.app.safety_net.note import GONE, NotedFile, look_at, note_lock, read_note, write_note
from leeboard.errors import ConfigError, EffectError
from leeboard.io import clock, system
from leeboard.io.file import fill
from leeboard.io.git.ask import ended, run
from leeboard.io.system import abspath
from leeboard.model.workspace import placed

_SECONDS = 10.0
_MOST_READ = 1 << 30
_SHORTEST_ID = 6

Ending = Literal["restored", "unchanged", "refused", "failed"]


class Restored(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one thing that was to be put back."""

    kind: str = "restored"
    name: str
    id: str
    ending: Ending
    text: str
    """In words; the next step where it was not done."""


def record_losses(root: str, files: Iterable[NotedFile], refs: tuple[GoneRef, ...], time: float, line: str) -> None:
    """Keep that these are gone: the newest copy of each is the one to put back."""
    wanted = {file.path: file for file in files}
    with note_lock(root):
        kept = read_kept(root)
        newest = {one.path: one for one in sorted(kept.copies, key=lambda one: one.time)}
        marked = {(one.path, one.digest) for path, one in newest.items() if path in wanted}
        copies = tuple(
            replace(one, lost=time, line=line) if (one.path, one.digest) in marked else one for one in kept.copies
        )
        gone = tuple(KeptRef(one.kind, one.name, one.commit, time, line) for one in refs)
        bare = (file for path, file in wanted.items() if path not in newest)
        without = tuple(LostFile(file.path, file.look[1], file.uncopied, time, line) for file in bare)
        before = (one for one in kept.without if one.path not in wanted)
        others = (one for one in kept.refs if one.id not in {one.id for one in gone})
        refs_gone, files_gone = (*others, *gone)[-MOST_LOST:], (*before, *without)[-MOST_LOST:]
        write_kept(replace(kept, copies=copies, refs=refs_gone, without=files_gone))


def still_missed(root: str) -> frozenset[str]:
    """Files and refs that were found to be gone, but for files that lie there again, whoever put them there."""
    kept = read_kept(root)
    files = (one for one in kept.copies if one.lost and _digest_at(root, one.path) != one.digest)
    without = (one for one in kept.without if is_without(root, one))
    return frozenset((*(one.name for one in files), *(one.name for one in without), *(one.name for one in kept.refs)))


def is_without(root: str, one: LostFile) -> bool:
    """Whether nothing lies where it was: somebody may have had it elsewhere."""
    return look_at(os.fsencode(root) + b"/" + one.path) == GONE


def _digest_at(root: str, path: bytes) -> str:
    try:
        return digest_of(read_below(root, path, _MOST_READ)[0])
    except (OSError, ValueError):
        return ""


class PutBack:
    """Over one command. `to`: into that folder instead of the work tree."""

    def __init__(self, root: str, *, to: str = "", force: bool = False) -> None:
        self._root = root
        self._to = abspath(to) if to else ""
        self._force = force
        self._kept = read_kept(root)

    def put_back(self, names: tuple[str, ...], cwd: str, *, gone: bool) -> tuple[Restored, ...]:
        """Each that is named by its path, a folder above it, a branch or an id; with `gone` all that is missed.

        ConfigError where nothing of such a name is kept.
        """
        wanted: dict[str, KeptCopy | KeptRef] = {}
        for name in names:
            found = list(self._named(name, cwd))
            if not found:
                raise ConfigError(f"nothing is kept of {name!r}; `leeboard restore --list` shows what is")
            wanted |= {one.id: one for one in found}
        if gone:
            wanted |= {one.id: one for one in self._newest(self._kept.copies) if one.lost}
            wanted |= {one.id: one for one in self._kept.refs}
        done = tuple(self._ref(one) if isinstance(one, KeptRef) else self._file(one) for one in wanted.values())
        self._settle(done)
        return (*done, *self._without()) if gone else done

    def _without(self) -> Iterator[Restored]:
        """What is gone and can not be put back."""
        for one in self._kept.without:
            if is_without(self._root, one):
                why = f"there is no copy: {one.why or 'none was made yet'}"
                yield Restored(name=one.name, id="", ending="failed", text=why)

    def _named(self, name: str, cwd: str) -> Iterator[KeptCopy | KeptRef]:
        everything: tuple[KeptCopy | KeptRef, ...] = (*self._kept.copies, *self._kept.refs)
        by_id = [one for one in everything if len(name) >= _SHORTEST_ID and one.id.startswith(name)]
        if by_id:
            yield by_id[-1]
            return
        yield from (one for one in self._kept.refs if one.name == name)
        for start in dict.fromkeys((cwd, self._root)):
            found = list(self._newest(self._below(placed(start, name))))
            if found:
                yield from found
                return

    def _below(self, path: str) -> tuple[KeptCopy, ...]:
        if path != self._root and not path.startswith(f"{self._root}/"):
            return ()
        inner = os.fsencode(path.removeprefix(self._root).removeprefix("/"))
        return tuple(
            one for one in self._kept.copies if not inner or one.path == inner or one.path.startswith(inner + b"/")
        )

    def _newest(self, copies: Iterable[KeptCopy]) -> Iterator[KeptCopy]:
        """One for each file: what was lost of it, else the newest that is another than what lies there."""
        by_path: dict[bytes, list[KeptCopy]] = {}
        for one in sorted(copies, key=lambda one: (one.lost > 0, one.time), reverse=True):
            by_path.setdefault(one.path, []).append(one)
        for path, found in by_path.items():
            there = self._there(self._root, path)
            other = (one for one in found if one.lost or there is None or digest_of(there) != one.digest)
            yield next(other, found[0])

    def _file(self, one: KeptCopy) -> Restored:
        base, data = self._to or self._root, content(self._root, one.digest)
        there = self._there(base, one.path)
        if data is None:
            return _ended(one, "failed", "its copy is gone or damaged")
        if there == data:
            return _ended(one, "unchanged", "it lies there as it was")
        if why := self._in_the_way(one, base, there):
            return _ended(one, "refused", why)
        try:
            write_below(base, one.path, data, one.mode)
        except (OSError, ValueError) as error:
            return _ended(one, "failed", f"it can not be written: {getattr(error, 'strerror', None) or error}")
        where = f" in {self._to}" if self._to else ""
        return _ended(one, "restored", f"as it was at {clock.hour(one.time, clock.now())}{where}")

    def _in_the_way(self, one: KeptCopy, base: str, there: bytes | None) -> str:
        """Why what lies there must not go; empty where it may."""
        if there is None:
            is_free = self._force or not lexists(join(os.fsencode(base), one.path))
            return "" if is_free else "what lies there is no file; --force replaces a link, --to DIR goes elsewhere"
        if not there or self._is_safe(one, there):
            return ""
        if not self._force:
            return "something else lies there; --force replaces it and keeps it, --to DIR goes elsewhere"
        why = self._keep_first(one, there)
        return f"what lies there can not be kept ({why}); --to DIR puts the copy elsewhere" if why else ""

    def _there(self, base: str, path: bytes) -> bytes | None:
        try:
            return read_below(base, path, _MOST_READ)[0]
        except (OSError, ValueError):
            return None

    def _is_safe(self, one: KeptCopy, there: bytes) -> bool:
        """Whether git has what lies there, or it is kept already."""
        if any(other.path == one.path and other.digest == digest_of(there) for other in self._kept.copies):
            return True
        if self._to:
            return False
        listed = run(self._root, ("--literal-pathspecs", "ls-tree", "-z", "HEAD", "--", one.name), _SECONDS) or b""
        committed = listed.partition(b"\t")[0].rpartition(b" ")[2].decode("ascii", "replace")
        return (
            bool(committed)
            and blob_of(there, NotedFile(one.path, (0, 0, 0), "changed", base=(committed,))) == committed
        )

    def _keep_first(self, one: KeptCopy, there: bytes) -> str:
        """Keep what is about to be written over; why that can not be done, else empty."""
        if holds_secret(there, one.name):
            return "it holds a secret"
        made = KeptCopy(one.path, digest_of(there), clock.now(), len(there), one.mode)
        try:
            with note_lock(self._root):
                write_copy(self._root, made.digest, there)
                kept = read_kept(self._root)
                write_kept(replace(kept, copies=(*kept.copies, made)))
        except EffectError as error:
            return str(error)
        return ""

    def _ref(self, one: KeptRef) -> Restored:
        if one.kind == "stash":
            arguments: tuple[str, ...] = ("stash", "store", "-m", one.name, one.commit)
            text = "it is in the list of stashes again"
        else:
            name = self._free_branch(one.name)
            arguments = ("branch", name, one.commit)
            text = f"it is the branch {name}"
        done = ended(self._root, arguments, _SECONDS)
        if done is not None and done.code == 0:
            return Restored(name=one.name, id=one.id, ending="restored", text=text)
        why = done.err.decode("utf-8", "replace").strip() if done is not None else "git could not be started"
        return Restored(name=one.name, id=one.id, ending="failed", text=f"git says: {why}")

    def _free_branch(self, name: str) -> str:
        taken = run(self._root, ("rev-parse", "--verify", "--quiet", f"refs/heads/{name}"), _SECONDS)
        return f"{name}-restored" if taken else name

    def _settle(self, done: tuple[Restored, ...]) -> None:
        """What is back is missed no longer, and is the person's as it was."""
        back = {one.id for one in done if one.ending in {"restored", "unchanged"}}
        with suppress(EffectError), note_lock(self._root):
            kept = read_kept(self._root)
            found = [one for one in kept.copies if one.id in back]
            copies = tuple(replace(one, lost=0.0, line="") if one.id in back else one for one in kept.copies)
            refs = tuple(one for one in kept.refs if one.id not in back)
            write_kept(replace(kept, copies=copies, refs=refs))
            note = read_note(self._root)
            if note is not None and not self._to:
                own = {one.path: self._noted(one) for one in found}
                others = (file for file in note.files if file.path not in own)
                write_note(replace(note, files=(*others, *own.values())))

    def _noted(self, one: KeptCopy) -> NotedFile:
        """As the worker would note it; who put it back says nothing of whose it is."""
        file = NotedFile(one.path, (0, 0, 0), "untracked", times=(one.time,), digest=one.digest, theirs=True)
        look = look_at(file.place(self._root))
        return replace(file, look=look, copied=one.time, stale=True)


def _ended(one: KeptCopy, ending: Ending, text: str) -> Restored:
    return Restored(name=one.name, id=one.id, ending=ending, text=text)


def write_below(base: str, path: bytes, data: bytes, mode: int) -> None:
    """A file of a folder, whole or not at all; folders on the way are made, and no link is followed. OSError."""
    os.makedirs(base, exist_ok=True)  # noqa: PTH103 - paths are strings here
    with opened_above(base, path, make=True) as (around, name):
        spare = f".leeboard-{os.getpid()}.tmp"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.NOFOLLOW | system.CLOEXEC
        try:
            fill(os.open(spare, flags, 0o600, dir_fd=around), data, mode)
            os.replace(spare, name, src_dir_fd=around, dst_dir_fd=around)
        except BaseException:
            with suppress(OSError):
                os.unlink(spare, dir_fd=around)
            raise
