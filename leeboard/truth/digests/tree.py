"""What a scan looks at and what it finds: the tops, what is remembered of each folder below them, and the digests."""

from __future__ import annotations

import errno
import hashlib
import os
import re
from collections.abc import Callable, Iterator, Mapping
from fnmatch import translate
from functools import cached_property, lru_cache
from posixpath import basename, dirname, join
from typing import NamedTuple

import msgspec

from leeboard.io import system
from leeboard.truth.digests import hashing as kinds
from leeboard.truth.digests.hashing import DIGEST, OPEN_FOLDER, Descent
from leeboard.truth.digests.identity import MTIME, SIZE, nanoseconds, row_at

ALONE = -2
"""Trouble of a top that is no folder but one file: the only name in it is that of the top."""


class FolderDigests(NamedTuple):
    """What is remembered of one folder: its names, and of each file how it looked when it was hashed.

    Plain values, in this order, so that they are written and sent to a worker as they are.
    """

    path: bytes
    """Below its top; empty for the top itself."""
    identity: bytes
    """When it was listed; empty where the list can not be relied on."""
    names: bytes
    """The names of all that is no folder, sorted, with NUL in between."""
    stats: bytes
    """Their identities in columns; blank where the digest can not be relied on."""
    subs: bytes = b""
    """Names of the folders in it, like `names`."""
    shas: bytes = b""
    """A digest for each name; the number of the error where there is none."""
    kinds: bytes = b""
    """One of `kinds` for each name."""
    mark: bytes = b""
    """The digest of names, kinds and digests: equal marks are equal contents."""
    trouble: int = 0
    """The number of the error when it could not be listed; `ALONE`."""
    shared: bool = False
    """One of the files has a second name, through which it can be written unseen from here."""

    @property
    def all_names(self) -> list[bytes]:
        return self.names.split(b"\0") if self.names else []

    @property
    def all_subs(self) -> list[bytes]:
        return self.subs.split(b"\0") if self.subs else []

    def sha(self, number: int) -> bytes:
        return self.shas[number * DIGEST : (number + 1) * DIGEST]


def below(path: bytes, name: bytes) -> bytes:
    return path + b"/" + name if path else name


Folders = dict[bytes, FolderDigests]
"""By path, in the order of a walk."""
Tree = dict[str, Folders]
"""The folders of each top."""


# The folders to look at, and how they are entered.


class Tops(msgspec.Struct, frozen=True, kw_only=True):
    names: tuple[str, ...]
    """Relative to `below`, without a slash at the end. None may lie within another."""
    below: str = ""
    """No link is followed from here on; on the way to it they are. Empty: from the folder around each top on."""
    ignore: tuple[str, ...] = ()
    """Globs of names, of files and folders at any depth, that are not looked at."""

    def place(self, top: str) -> str:
        return join(self.below, top)

    def skips(self) -> Callable[[str], object]:
        return _matcher(self.ignore)


class Entered(msgspec.Struct, frozen=True, kw_only=True):
    """A top that was looked for: it is a folder, or one file, or neither."""

    folder: int = -1
    """The descriptor, when it is a folder."""
    around: int = -1
    """The descriptor of the folder it lies in, when it is something else."""
    trouble: int = 0
    """The number of the error when nobody can tell."""

    def close(self) -> None:
        for file in (self.folder, self.around):
            if file >= 0:
                os.close(file)


def enter(tops: Tops, top: str) -> Entered:
    """Its folder, opened without following any link below `tops.below`."""
    start, rest = (tops.below, top) if tops.below else (dirname(top) or ".", basename(top) or ".")
    try:
        outside = os.open(start, OPEN_FOLDER & ~system.NOFOLLOW)
    except FileNotFoundError:
        return Entered()
    except OSError as error:
        return Entered(trouble=error.errno or -1)
    descent = Descent(outside)
    try:
        return _entered(os.dup(descent.open(os.fsencode(dirname(rest)))), os.fsencode(basename(rest)))
    except FileNotFoundError:
        return Entered()
    except OSError as error:
        return Entered(trouble=error.errno or -1)
    finally:
        descent.close()
        os.close(outside)


def _entered(around: int, name: bytes) -> Entered:
    try:
        folder = os.open(name, OPEN_FOLDER, dir_fd=around)
    except OSError as error:
        if error.errno in {errno.ENOTDIR, errno.ELOOP}:
            return Entered(around=around)
        os.close(around)
        raise
    os.close(around)
    return Entered(folder=folder)


@lru_cache(maxsize=8)
def _matcher(globs: tuple[str, ...]) -> Callable[[str], object]:
    return re.compile("|".join(map(translate, globs))).match if globs else _nothing


def _nothing(_name: str) -> object:
    return None


# What a scan found: the files with their digests, and whatever nobody could look at.


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
