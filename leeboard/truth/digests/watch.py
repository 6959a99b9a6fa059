"""Folders watched by a process that lives on, so that a scan looks only at what changed.

A watch tells less than a look: not of a file that is written under another name it has outside, nor of a write through
a memory map before that is closed. So a whole scan is due every so often all the same, and folders with files of
several names are looked at each time. So are tops that are files; for these the folder they lie in is watched, which
tells of what their times are too coarse for. Whenever it can not be sure (more happened than the system keeps, a top
was moved or replaced, no watches are left), it says so and everything is looked at.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import struct
from collections.abc import Iterable, Iterator, Mapping
from posixpath import basename, dirname
from stat import S_ISDIR
from time import monotonic

from leeboard.io import system
from leeboard.truth.digests import hashing as kinds
from leeboard.truth.digests.hashing import Descent
from leeboard.truth.digests.identity import DEVICE, HERE, INODE, LAYERED, Mounts, Row, Sight, row_at
from leeboard.truth.digests.tree import ALONE, Folders, Scan, Tops, Tree, below, enter

# Linux's inotify: folders are watched, and what happened in them is read when somebody asks.


MODIFY, ATTRIB, CLOSE_WRITE = 0x2, 0x4, 0x8
MOVED_FROM, MOVED_TO, CREATE, DELETE, DELETE_SELF, MOVE_SELF = 0x40, 0x80, 0x100, 0x200, 0x400, 0x800
UNMOUNT, OVERFLOW, IGNORED = 0x2000, 0x4000, 0x8000
IS_FOLDER = 0x40000000
_ONLY_FOLDERS = 0x01000000
_WANTED = MODIFY | ATTRIB | CLOSE_WRITE | MOVED_FROM | MOVED_TO | CREATE | DELETE | DELETE_SELF | MOVE_SELF
_EVENT = struct.Struct("iIII")
_AT_ONCE = 1 << 18

Happening = tuple[int, int, bytes]
"""Number of the watched folder, what happened, and the name in it."""


class Inotify:
    """Raises OSError where the system has none, or has no more to give."""

    def __init__(self) -> None:
        self.file = -1
        try:
            library = ctypes.CDLL(None, use_errno=True)
            self._add, self._remove = library.inotify_add_watch, library.inotify_rm_watch
            self.file = library.inotify_init1(system.NONBLOCK | system.CLOEXEC)
        except (AttributeError, TypeError):
            raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS)) from None
        if self.file < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    def add(self, folder: int) -> int:
        """The number of the watch on a folder that is open, so that it is this one whatever its name is by now."""
        number: int = self._add(self.file, b"/proc/self/fd/%d" % folder, _WANTED | _ONLY_FOLDERS)
        if number < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return number

    def remove(self, number: int) -> None:
        """One that is gone already is no matter."""
        self._remove(self.file, number)

    def happened(self) -> Iterator[Happening]:
        """Since it was last asked."""
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self.file, _AT_ONCE):
                yield from _parsed(data)

    def close(self) -> None:
        if self.file >= 0:
            os.close(self.file)
            self.file = -1


def _parsed(data: bytes) -> Iterator[Happening]:
    at = 0
    while at < len(data):
        number, what, _, length = _EVENT.unpack_from(data, at)
        at += _EVENT.size
        yield number, what, data[at : at + length].rstrip(b"\0")
        at += length


CHECKED = 60.0
"""Seconds until a whole scan is due again."""
_ENDS = OVERFLOW | UNMOUNT
_SELF = DELETE_SELF | MOVE_SELF
_CAME = CREATE | MOVED_TO
_WENT = DELETE | MOVED_FROM

Place = tuple[str, bytes]
"""A top, and a path below it."""


class ScanMemory:
    """What the last scan found, and when everything was last looked at."""

    def __init__(self, tree: Tree, checked: float, heard: Mapping[str, Row | None]) -> None:
        """`heard` is what the watch says, which looked before the scan did: what came in between is heard of."""
        self.tree = tree
        self.checked = checked
        self.scan = Scan(tree, {}, 0, unchanged=True)
        self.unsure = {top: paths for top, folders in tree.items() if (paths := _unsure(folders))}
        """Folders of which it is not told everything."""
        self.alone = {
            top: heard[top] if top in heard and _is_hashed(folders) else _alone(folders)
            for top, folders in tree.items()
            if not _is_folder(folders)
        }
        """How the tops looked that are no folders; None for one that is not there, blank for one to be read again."""

    @property
    def is_due(self) -> bool:
        return monotonic() > self.checked + CHECKED


class Watch:
    """For one thread. It costs nothing but a watch of the system for each folder until it is asked. Close it."""

    def __init__(self, tops: Tops | Iterable[str]) -> None:
        self.tops = tops if isinstance(tops, Tops) else Tops(names=tuple(tops))
        self.memory: ScanMemory | None = None
        self._inotify: Inotify | None = None
        self._places: dict[int, Place] = {}
        self._numbers: dict[Place, int] = {}
        self._looked_at: dict[str, bytes] = {}
        """Tops and folders around them, and where they are."""
        self._around: dict[str, list[str]] = {}
        """Folders to the tops in them that are none."""
        self._beside: dict[int, dict[bytes, str]] = {}
        """The same of those that are watched: their numbers, and the tops by their names."""
        self._refused = -CHECKED
        self._sight = Sight()
        self._seen: dict[str, tuple[Row, int, int]] = {}
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
            self._folders = self._found_folders()
            for top in self.tops.names:
                self._add((top, b""))
            for folder, tops in self._around.items():
                self._add_beside(folder, tops)
        except OSError:
            self.close()
            return False
        self._refused = -CHECKED
        return True

    def close(self) -> None:
        self.memory = None
        self._places.clear()
        self._numbers.clear()
        self._around.clear()
        self._beside.clear()
        if self._inotify is not None:
            self._inotify.close()
            self._inotify = None

    def _heard(self, happening: Happening, found: set[Place]) -> bool:
        """Whether it is still sure after this."""
        number, what, name = happening
        if what & _ENDS:
            return False
        beside, place = self._beside.get(number), self._places.get(number)
        if beside is not None:
            found |= {(beside[name], b"")} if name in beside else set()
            return not what & (IGNORED | _SELF)
        if place is None or what & (IGNORED | _SELF):
            return self._ended(number, what)
        if self._skips(os.fsdecode(name)):
            return True
        top, path = place
        inner = below(path, name) if name else path
        found.add((top, inner))
        if name and what & IS_FOLDER:
            if what & _WENT:
                self._drop((top, inner), whole=bool(what & MOVED_FROM))
            elif what & _CAME or (top, inner) not in self._numbers:
                self._add((top, inner))
        return True

    def _ended(self, number: int, what: int) -> bool:
        """A folder is gone: the one above tells of it, but for a top there is none."""
        place = self._places.get(number)
        if place is not None and what & IGNORED:
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

    def _add_beside(self, folder: str, tops: list[str]) -> None:
        """Watch a folder for these tops in it, and nothing else. Where it can not be entered, they are not heard of."""
        entered = enter(self.tops, folder)
        try:
            if entered.folder >= 0 and self._inotify is not None:
                number = self._inotify.add(entered.folder)
                if number in self._places:
                    raise OSError(errno.EEXIST, "one folder at two places")
                self._beside.setdefault(number, {}).update((os.fsencode(basename(top)), top) for top in tops)
        finally:
            entered.close()

    def alone_now(self) -> dict[str, Row | None]:
        """How the tops looked, when it was last asked, that are no folders, like `ScanMemory.alone`."""
        seen = ((top, self._seen[top]) for top in self.tops.names if top in self._seen)
        return {top: row if mode else None for top, (row, mode, _) in seen if not S_ISDIR(mode)}

    def heard(self) -> dict[str, Row | None]:
        """Those of them that it is told of when they change: not one that has a second name."""
        told = {top for tops in self._beside.values() for top in tops.values() if self._seen[top][2] == 1}
        return {top: row for top, row in self.alone_now().items() if top in told}

    def _found_folders(self) -> dict[str, tuple[int, int] | None]:
        """`_folders_now`, and from now on of the folders around tops that are none."""
        self._looked_at = {top: os.fsencode(self.tops.place(top)) for top in self.tops.names}
        self._around = _around(top for top, folder in self._folders_now().items() if folder is None)
        self._looked_at |= {folder: os.fsencode(self.tops.place(folder)) for folder in self._around}
        return self._folders_now()

    def _folders_now(self) -> dict[str, tuple[int, int] | None]:
        """Which folder each top is, and each around one; None: none. One that comes, goes or is replaced shows here."""
        seen = self._sight.look(HERE, list(self._looked_at.values()))
        self._seen = dict(zip(self._looked_at, seen, strict=True))
        found = self._seen.items()
        return {name: (row[INODE], row[DEVICE]) if S_ISDIR(mode) else None for name, (row, mode, _) in found}


def _unsure(folders: Folders) -> set[bytes]:
    return {path for path, folder in folders.items() if folder.shared or folder.trouble not in {0, ALONE}}


def _around(tops: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for top in tops:
        found.setdefault(dirname(top) or ".", []).append(top)
    return found


def _is_hashed(folders: Folders) -> bool:
    return b"" in folders and folders[b""].kinds[0] in kinds.HASHED


def _is_folder(folders: Folders) -> bool:
    return b"" in folders and folders[b""].trouble != ALONE


def _alone(folders: Folders) -> Row | None:
    return row_at(folders[b""].stats, 0) if folders else None
