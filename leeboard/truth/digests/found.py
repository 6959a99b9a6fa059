"""What a scan found: the files with their digests, and whatever nobody could look at."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

import msgspec

from leeboard.truth.digests import folder as kinds
from leeboard.truth.digests.cache import Folders
from leeboard.truth.digests.identity import MTIME, SIZE, nanoseconds, row_at
from leeboard.truth.digests.remembered import ALONE, FolderDigests

_HASHED = bytes(sorted(kinds.HASHED))
_OTHERS = bytes(range(256)).translate(None, _HASHED)
_NO_FILE = "it is no ordinary file"
_REASONS = {
    kinds.SPECIAL: _NO_FILE,
    kinds.CHANGING: "it changed again and again while it was read",
}


class Digest(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    sha256: str
    bytes: int
    mtime_ns: int
    is_binary: bool
    is_link: bool
    """Then the digest is that of its text."""


class FileDigests(Mapping[str, Digest]):
    """By path: the top as it was asked for, then the names below it, spelled as `os.fsdecode` does.

    It is a view of what was found: nothing is made of a file that is not asked for.
    """

    def __init__(self, tops: Mapping[str, Folders]) -> None:
        self._tops = tops
        self._numbers: dict[tuple[str, bytes], dict[bytes, int]] = {}

    def __getitem__(self, path: str) -> Digest:
        top = path
        while top and top not in self._tops:
            top = top.rpartition("/")[0]
        folders = self._tops.get(top)
        above, _, name = os.fsencode(path[len(top) + 1 :]).rpartition(b"/")
        folder = folders.get(above) if folders else None
        if folder is None or (folder.trouble == ALONE) != (path == top):
            raise KeyError(path)
        number = 0 if path == top else self._number(top, folder, name)
        if number < 0 or folder.kinds[number] not in kinds.HASHED:
            raise KeyError(path)
        return _digest(folder, number)

    def __iter__(self) -> Iterator[str]:
        for top, folders in self._tops.items():
            for folder in folders.values():
                yield from (path for path, kind, _ in _each(top, folder) if kind in kinds.HASHED)

    def __len__(self) -> int:
        return self._count

    @cached_property
    def _count(self) -> int:
        return sum(
            len(folder.kinds.translate(None, _OTHERS)) for folders in self._tops.values() for folder in folders.values()
        )

    def _number(self, top: str, folder: FolderDigests, name: bytes) -> int:
        numbers = self._numbers.get((top, folder.path))
        if numbers is None:
            numbers = {each: number for number, each in enumerate(folder.all_names)}
            self._numbers[top, folder.path] = numbers
        return numbers.get(name, -1)


class Scan:
    """`hashed`: files that were read. `unchanged`: each file is as it was remembered, and none came or went."""

    def __init__(
        self, tops: Mapping[str, Folders], unseen: Mapping[str, set[bytes]], hashed: int, *, unchanged: bool
    ) -> None:
        self._tops = {
            top: {path: folder for path, folder in folders.items() if path not in unseen.get(top, ())}
            for top, folders in tops.items()
        }
        self._unseen = {_place(top, path) for top, paths in unseen.items() for path in paths}
        self._fingerprints: dict[str, str] = {}
        self.hashed = hashed
        self.unchanged = unchanged
        self.files = FileDigests(self._tops)

    @cached_property
    def unread(self) -> dict[str, str]:
        """Path of a file or folder that could not be read, and why. What lies there is not gone."""
        found = {}
        for top, folders in self._tops.items():
            for folder in folders.values():
                if folder.trouble not in {0, ALONE}:
                    found[_place(top, folder.path)] = _strerror(folder.trouble)
                elif folder.kinds.translate(None, _HASHED):
                    found |= {path: why for path, kind, sha in _each(top, folder) if (why := _why(kind, sha))}
        return found

    @cached_property
    def unseen(self) -> frozenset[str]:
        """Files, and folders with all that lies in them, that the time ran out before."""
        files = {
            path
            for top, folders in self._tops.items()
            for folder in folders.values()
            if kinds.UNSEEN in folder.kinds
            for path, kind, _ in _each(top, folder)
            if kind == kinds.UNSEEN
        }
        return frozenset(files | self._unseen)

    @property
    def ran_out(self) -> bool:
        return bool(self.unseen)

    def knows(self, path: str) -> bool:
        """Whether a path that is not among the files is really gone: nothing on the way was left out.

        A pipe, a socket or a device in its place is no file.
        """
        while path and self.unread.get(path, _NO_FILE) == _NO_FILE and path not in self.unseen:
            path = path.rpartition("/")[0]
        return not path

    def fingerprint(self, *tops: str) -> str:
        """Equal for equal paths and contents below these tops; empty while some of them are unseen."""
        if any(path == top or path.startswith(f"{top}/") for path in self.unseen for top in tops):
            return ""
        return hashlib.sha256("\n".join(map(self._fingerprint, tops)).encode()).hexdigest()

    def shas(self, *tops: str) -> dict[str, str]:
        """Path to digest, of all files below these tops: for comparing many at once."""
        return {
            path: sha.hex()
            for top in tops
            for folder in self._tops[top].values()
            for path, kind, sha in _each(top, folder)
            if kind in kinds.HASHED
        }

    def _fingerprint(self, top: str) -> str:
        found = self._fingerprints.get(top)
        if found is None:
            whole = hashlib.sha256(os.fsencode(top))
            for path, folder in self._tops[top].items():
                if folder.names or folder.trouble:
                    whole.update(b"%d %d %b" % (len(path), folder.trouble, path) + folder.mark)
            found = self._fingerprints[top] = whole.hexdigest()
        return found


def _each(top: str, folder: FolderDigests) -> Iterator[tuple[str, int, bytes]]:
    """Path, kind and digest of each file in it."""
    if folder.trouble == ALONE:
        spell: Callable[[bytes], str] = lambda _name: top  # noqa: E731 - one of two
    else:
        prefix = _place(top, folder.path) + "/"
        spell = lambda name: prefix + os.fsdecode(name)  # noqa: E731 - as above
    for number, (name, kind) in enumerate(zip(folder.all_names, folder.kinds, strict=True)):
        yield spell(name), kind, folder.sha(number)


def _place(top: str, path: bytes) -> str:
    return f"{top}/{os.fsdecode(path)}" if path else top


def _digest(folder: FolderDigests, number: int) -> Digest:
    row = row_at(folder.stats, number)
    kind = folder.kinds[number]
    return Digest(
        sha256=folder.sha(number).hex(),
        bytes=row[SIZE],
        mtime_ns=nanoseconds(row, MTIME),
        is_binary=kind == kinds.BINARY,
        is_link=kind == kinds.LINK,
    )


def _why(kind: int, sha: bytes) -> str:
    return _strerror(int.from_bytes(sha, "big")) if kind == kinds.UNREADABLE else _REASONS.get(kind, "")


def _strerror(number: int) -> str:
    return os.strerror(number) if number > 0 else "it can not be read"
