"""A folder that is not as it is remembered, made anew: what is known of a name counts where it looks as it did."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from stat import S_ISLNK, S_ISREG
from time import monotonic

from leeboard.truth.digests import hashing as kinds
from leeboard.truth.digests.hashing import Descent, Hashes
from leeboard.truth.digests.identity import (
    BLOCK,
    DEVICE,
    LAYERED,
    LOCAL,
    ROW,
    Row,
    Sight,
    columns,
    is_settled,
    rows,
    settled,
)
from leeboard.truth.digests.tree import FolderDigests, Folders, below

_KEPT = kinds.HASHED | {kinds.SPECIAL}


class Draft:
    """A folder that is being made."""

    def __init__(self, path: bytes, row: Row, moment: int, system: str) -> None:
        self.path = path
        self.subs: list[bytes] = []
        self.files: list[bytes] = []
        """Names of ordinary files that have to be read, sorted."""
        self.others: list[bytes] = []
        """Names of whatever else has to be read."""
        self.local = system in LOCAL
        self.device = None if system == LAYERED else row[DEVICE]
        self.shared = False
        self._row = row
        self._moment = moment
        self._kept: dict[bytes, tuple[int, bytes, Row]] = {}
        self._hashed: list[tuple[list[bytes], Hashes]] = []

    def list_names(self, folder: int, skips: Callable[[str], object]) -> None:
        with os.scandir(folder) as entries:
            for entry in entries:
                if not skips(entry.name):
                    self._of_its_kind(entry).append(os.fsencode(entry.name))
        self.files.sort()
        self.others.sort()
        self.subs.sort()

    def keep(self, folder: int, known: FolderDigests, sight: Sight) -> None:
        """What looks as it did has not to be read."""
        before = _by_name(known)
        names = self.files + self.others
        self.files, self.others = [], []
        for name, (row, mode, links) in zip(names, sight.look(folder, names), strict=True):
            kept = before.get(name)
            self.shared |= links > 1 and S_ISREG(mode)
            if kept is not None and kept[2] == row and mode:
                self._kept[name] = kept
            elif not mode or S_ISREG(mode) or S_ISLNK(mode):
                (self.files if S_ISREG(mode) else self.others).append(name)
            else:
                row = settled(row, self._moment if self.local else 0, self.device)  # noqa: PLW2901 - what is kept of it
                self._kept[name] = kinds.SPECIAL, kinds.NO_DIGEST, row

    def add(self, names: list[bytes], hashes: Hashes) -> None:
        """Take in the hashes of files that had to be read."""
        self._hashed.append((names, hashes))
        self.shared |= hashes[3]

    def finished(self) -> FolderDigests:
        names, shas, those, stats = self._as_hashed() if self._is_plain() else self._merged()
        listed = self.local and is_settled(self._row, self._moment)
        return FolderDigests(
            path=self.path,
            identity=ROW.pack(*self._row) if listed else b"",
            names=names,
            stats=stats,
            subs=b"\0".join(self.subs),
            shas=shas,
            kinds=those,
            mark=hashlib.sha256(b"\0".join((those, shas, names)), usedforsecurity=False).digest(),
            shared=self.shared,
        )

    def _of_its_kind(self, entry: os.DirEntry[str]) -> list[bytes]:
        if entry.is_file(follow_symlinks=False):
            return self.files
        return self.subs if entry.is_dir(follow_symlinks=False) else self.others

    def _is_plain(self) -> bool:
        """Whether all was hashed, block by block, and nothing went away meanwhile."""
        whole = all(len(names) == BLOCK for names, _ in self._hashed[:-1])
        gone = any(kinds.GONE in those for _, (those, *_) in self._hashed)
        return whole and not gone and not self._kept and not self.others

    def _as_hashed(self) -> tuple[bytes, bytes, bytes, bytes]:
        names = b"\0".join([name for some, _ in self._hashed for name in some])
        shas = b"".join([shas for _, (_, shas, _, _) in self._hashed])
        those = b"".join([those for _, (those, _, _, _) in self._hashed])
        return names, shas, those, b"".join([stats for _, (_, _, stats, _) in self._hashed])

    def _merged(self) -> tuple[bytes, bytes, bytes, bytes]:
        found = dict(self._kept)
        for names, hashes in self._hashed:
            found |= {name: one for name, one in zip(names, _ones(hashes), strict=True) if one[0] != kinds.GONE}
        ones = [found[name] for name in sorted(found)]
        shas, those = b"".join([sha for _, sha, _ in ones]), bytes([kind for kind, _, _ in ones])
        return b"\0".join(sorted(found)), shas, those, columns([row for _, _, row in ones])


def troubled(path: bytes, error: int) -> FolderDigests:
    """One that could not be listed, by the number of the error. What lies in it is not gone."""
    return FolderDigests(path, b"", b"", b"", trouble=error)


def _ones(hashes: Hashes) -> Iterator[tuple[int, bytes, Row]]:
    those, shas, stats, _ = hashes
    for number, (kind, row) in enumerate(zip(those, rows(stats), strict=True)):
        yield kind, shas[number * kinds.DIGEST : (number + 1) * kinds.DIGEST], row


def _by_name(known: FolderDigests) -> dict[bytes, tuple[int, bytes, Row]]:
    ones = _ones((known.kinds, known.shas, known.stats, False))
    return {name: one for name, one in zip(known.all_names, ones, strict=True) if one[0] in _KEPT}


# One top of a scan: what is known of its folders, and what has to be looked at again.


AGAIN = 100
"""Folders that are listed anew because they changed under the eyes of a scan."""
_NOT_THERE = {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}


class Lookout:
    """What every survey of a scan has at hand: how to look, until when, what to leave out, and the time."""

    def __init__(self, deadline: float, now: Callable[[], int], skips: Callable[[str], object]) -> None:
        self.sight = Sight()
        self.deadline = deadline
        self.now = now
        self.skips = skips


class Survey:
    def __init__(self, top: int, known: Folders, lookout: Lookout, system: Callable[[bytes], str]) -> None:
        """`top` is its open folder; `system` tells which file system a folder lies on."""
        self.top = top
        self.folders = dict(known)
        self.drafts: dict[bytes, Draft] = {}
        self.unseen: set[bytes] = set()
        """Folders that the time ran out before."""
        self._at = lookout
        self._system = system
        self._systems: dict[int, str] = {}
        self._looked: set[bytes] = set()
        self._waiting: list[bytes] = []
        self._again = AGAIN

    def relook(self, stale: Iterable[bytes]) -> None:
        """List these folders again, and those that turn up in them. What has to be read is left in the drafts."""
        self._waiting = sorted(stale, reverse=True)
        descent = Descent(self.top)
        try:
            while self._waiting:
                path = self._waiting.pop()
                if path not in self._looked:
                    self._relook(path, descent)
        finally:
            descent.close()

    def finish(self) -> None:
        """The drafts are done: what is left are the folders that are reached from the top."""
        for path, draft in self.drafts.items():
            self.folders[path] = draft.finished()
        if self._looked:
            self.folders = {path: self.folders[path] for path in self._reached()}

    def _relook(self, path: bytes, descent: Descent) -> None:
        if monotonic() > self._at.deadline:
            self.unseen.add(path)
            self.folders.setdefault(path, FolderDigests(path, b"", b"", b""))
            return
        self._looked.add(path)
        try:
            draft = self._drafted(path, descent.open(path))
        except OSError as error:
            self._failed(path, error)
        else:
            self.drafts[path] = draft
            subs = [below(path, sub) for sub in draft.subs]
            self._waiting.extend(sub for sub in reversed(subs) if sub not in self.folders)

    def _failed(self, path: bytes, error: OSError) -> None:
        """Where it is gone, or something took its place, the folder above is no longer as it was seen."""
        if not path or error.errno not in _NOT_THERE:
            self.folders[path] = troubled(path, error.errno or -1)
            return
        self.folders.pop(path, None)
        above, _, name = path.rpartition(b"/")
        draft = self.drafts.get(above)
        if draft is None or (name in draft.subs and self._again > 0):
            self._again -= draft is not None
            self._looked.discard(above)
            self._waiting.append(above)
        elif name in draft.subs:
            draft.subs.remove(name)

    def _drafted(self, path: bytes, folder: int) -> Draft:
        moment = self._at.now()
        row, _ = self._at.sight.opened(folder)
        draft = Draft(path, row, moment, self._system_of(row, path))
        draft.list_names(folder, self._at.skips)
        known = self.folders.get(path)
        if known is not None and known.names:
            draft.keep(folder, known, self._at.sight)
        return draft

    def _system_of(self, row: Row, path: bytes) -> str:
        found = self._systems.get(row[DEVICE])
        if found is None:
            found = self._systems[row[DEVICE]] = self._system(path)
        return found

    def _reached(self) -> Iterator[bytes]:
        waiting = [b""]
        while waiting:
            path = waiting.pop()
            folder = self.folders.get(path)
            if folder is not None:
                yield path
                waiting.extend(below(path, sub) for sub in reversed(folder.all_subs))
