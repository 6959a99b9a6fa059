"""Folders watched by a process that lives on, so that a scan looks only at what changed.

A watch tells less than a look: not of a file that is written under another name it has outside, nor of a write through
a memory map before that is closed. So a whole scan is due every so often all the same, and folders with files of
several names are looked at each time. Whenever it can not be sure (more happened than the system keeps, a top was
moved or replaced, no watches are left), it says so and everything is looked at.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from stat import S_ISDIR
from time import monotonic

from leeboard.io.digests import _inotify
from leeboard.io.digests._inotify import Happening, Inotify
from leeboard.io.digests.cache import Folders, Tree
from leeboard.io.digests.descent import Descent
from leeboard.io.digests.folder import ALONE, below
from leeboard.io.digests.found import Scan
from leeboard.io.digests.identity import DEVICE, HERE, INODE, Row, Sight, row_at
from leeboard.io.digests.tops import Tops, enter
from leeboard.io.digests.trust import LAYERED, Mounts

CHECKED = 60.0
"""Seconds until a whole scan is due again."""
_ENDS = _inotify.OVERFLOW | _inotify.UNMOUNT
_SELF = _inotify.DELETE_SELF | _inotify.MOVE_SELF
_CAME = _inotify.CREATE | _inotify.MOVED_TO
_WENT = _inotify.DELETE | _inotify.MOVED_FROM

Place = tuple[str, bytes]
"""A top, and a path below it."""


class Memory:
    """What the last scan found, and when everything was last looked at."""

    def __init__(self, tree: Tree, checked: float) -> None:
        self.tree = tree
        self.checked = checked
        self.scan = Scan(tree, {}, 0, unchanged=True)
        self.unsure = {top: paths for top, folders in tree.items() if (paths := _unsure(folders))}
        """Folders of which it is not told everything."""
        self.alone = {top: _alone(folders) for top, folders in tree.items() if not _is_folder(folders)}
        """How the tops looked that are no folders; None for one that is not there."""

    @property
    def is_due(self) -> bool:
        return monotonic() > self.checked + CHECKED


class Watch:
    """For one thread. It costs nothing but a watch of the system for each folder until it is asked. Close it."""

    def __init__(self, tops: Tops | Iterable[str]) -> None:
        self.tops = tops if isinstance(tops, Tops) else Tops(names=tuple(tops))
        self.memory: Memory | None = None
        self._inotify: Inotify | None = None
        self._places: dict[int, Place] = {}
        self._numbers: dict[Place, int] = {}
        self._refused = -CHECKED
        self._sight = Sight()
        self._seen: dict[str, tuple[Row, int]] = {}
        self._folders: dict[str, tuple[int, int] | None] = {}
        self._skips = self.tops.skips()

    def changed(self) -> set[str] | None:
        """Files, and folders, that something happened to since it was last asked, as `Scan.files` spells them.

        None when it can not be sure that this is all: then `renew` it, and look at everything.
        """
        found = self.happened()
        return None if found is None else {f"{top}/{os.fsdecode(path)}" if path else top for top, path in found}

    def happened(self) -> set[Place] | None:
        """`changed`, by top and path."""
        if self._inotify is None:
            return None
        found: set[Place] = set()
        try:
            sure = all(self._heard(each, found) for each in self._inotify.happened())
        except OSError:
            sure = False
        if sure and self._folders == self._folders_now():
            return found
        self.close()
        return None

    def follow(self, tops: Tops) -> None:
        """Watch these from now on."""
        if tops != self.tops:
            self.close()
            self.tops = tops
            self._skips = tops.skips()

    def renew(self) -> bool:
        """Watch every folder that is there. False where that can not be: then it is not tried again for a while."""
        self.close()
        if monotonic() < self._refused + CHECKED:
            return False
        self._refused = monotonic()
        mounts = Mounts()
        systems = {mounts.system(self.tops.place(top)) for top in self.tops.names}
        if LAYERED in systems or not all(map(mounts.is_local, map(self.tops.place, self.tops.names))):
            return False
        try:
            self._inotify = Inotify()
            self._folders = self._folders_now()
            for top in self.tops.names:
                self._add((top, b""))
        except OSError:
            self.close()
            return False
        self._refused = -CHECKED
        return True

    def close(self) -> None:
        self.memory = None
        self._places.clear()
        self._numbers.clear()
        if self._inotify is not None:
            self._inotify.close()
            self._inotify = None

    def _heard(self, happening: Happening, found: set[Place]) -> bool:
        """Whether it is still sure after this."""
        number, what, name = happening
        if what & _ENDS:
            return False
        place = self._places.get(number)
        if place is None or what & (_inotify.IGNORED | _SELF):
            return self._ended(number, what)
        if self._skips(os.fsdecode(name)):
            return True
        top, path = place
        inner = below(path, name) if name else path
        found.add((top, inner))
        if name and what & _inotify.IS_FOLDER:
            if what & _WENT:
                self._drop((top, inner), whole=bool(what & _inotify.MOVED_FROM))
            elif what & _CAME or (top, inner) not in self._numbers:
                self._add((top, inner))
        return True

    def _ended(self, number: int, what: int) -> bool:
        """A folder is gone: the one above tells of it, but for a top there is none."""
        place = self._places.get(number)
        if place is not None and what & _inotify.IGNORED:
            del self._places[number]
            self._numbers.pop(place, None)
        return place is None or bool(place[1])

    def _drop(self, place: Place, *, whole: bool) -> None:
        """Watch it no longer; `whole`: nor what lies in it. A folder that was deleted was empty."""
        top, path = place
        inside = path + b"/"
        gone = [each for each in self._numbers if each[0] == top and each[1].startswith(inside)] if whole else []
        for each in (place, *gone):
            number = self._numbers.pop(each, None)
            if number is not None and self._inotify is not None:
                self._places.pop(number, None)
                self._inotify.remove(number)

    def _add(self, place: Place) -> None:
        """Watch a folder and all in it, each before it is listed. One that is gone again is told of by what follows."""
        entered = enter(self.tops, place[0])
        if entered.folder >= 0:
            descent = Descent(entered.folder)
            try:
                self._add_all(place, descent, os.fstat(entered.folder).st_dev)
            finally:
                descent.close()
        entered.close()

    def _add_all(self, place: Place, descent: Descent, device: int) -> None:
        waiting = [place]
        while waiting:
            top, path = waiting.pop()
            try:
                folder = descent.open(path)
            except (FileNotFoundError, NotADirectoryError, PermissionError):
                continue
            self._add_one((top, path), folder, device)
            waiting.extend((top, below(path, sub)) for sub in self._subs(folder))

    def _subs(self, folder: int) -> list[bytes]:
        with os.scandir(folder) as entries:
            return [
                os.fsencode(entry.name)
                for entry in entries
                if entry.is_dir(follow_symlinks=False) and not self._skips(entry.name)
            ]

    def _add_one(self, place: Place, folder: int, device: int) -> None:
        if self._inotify is None or os.fstat(folder).st_dev != device:
            raise OSError(errno.EXDEV, "another file system")
        number = self._inotify.add(folder)
        if self._places.setdefault(number, place) != place:
            raise OSError(errno.EEXIST, "one folder at two places")
        self._numbers[place] = number

    def alone_now(self) -> dict[str, Row | None]:
        """How the tops looked, when it was last asked, that are no folders, like `Memory.alone`."""
        return {top: row if mode else None for top, (row, mode) in self._seen.items() if not S_ISDIR(mode)}

    def _folders_now(self) -> dict[str, tuple[int, int] | None]:
        """Which folder each top is; None: none. A folder that comes, goes or is replaced shows here."""
        places = [os.fsencode(self.tops.place(top)) for top in self.tops.names]
        seen = zip(self.tops.names, self._sight.look(HERE, places), strict=True)
        self._seen = {top: (row, mode) for top, (row, mode, _) in seen}
        return {top: (row[INODE], row[DEVICE]) if S_ISDIR(mode) else None for top, (row, mode) in self._seen.items()}


def _unsure(folders: Folders) -> set[bytes]:
    return {path for path, folder in folders.items() if folder.shared or folder.trouble not in {0, ALONE}}


def _is_folder(folders: Folders) -> bool:
    return b"" in folders and folders[b""].trouble != ALONE


def _alone(folders: Folders) -> Row | None:
    return row_at(folders[b""].stats, 0) if folders else None
