"""One top of a scan: what is known of its folders, and what has to be looked at again."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable, Iterator
from time import monotonic

from leeboard.io.digests.cache import Folders
from leeboard.io.digests.descent import Descent
from leeboard.io.digests.draft import Draft, troubled
from leeboard.io.digests.folder import Folder, below
from leeboard.io.digests.identity import DEVICE, Row, Sight

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
            self.folders.setdefault(path, Folder(path, b"", b"", b""))
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
