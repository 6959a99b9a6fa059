"""The folders to look at, and how they are entered."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable
from fnmatch import translate
from functools import lru_cache
from posixpath import basename, dirname, join
from typing import NamedTuple

import msgspec


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
        outside = os.open(start, OPEN_FOLDER & ~os.O_NOFOLLOW)
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


# Folders below a top, opened one name at a time relative to the one above: no link is followed on the way.


OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
DEEPEST = 200
"""Each folder on the way is a descriptor that stays open."""


class Descent:
    """Keeps the folders above the last one open, so that going on to its neighbour is one call. Close it."""

    def __init__(self, top: int) -> None:
        self._top = top
        self._open: list[tuple[bytes, int]] = []

    def open(self, path: bytes) -> int:
        """The folder of this path below the top; empty for the top itself. It is open until the next call."""
        while self._open and not (path + b"/").startswith(self._open[-1][0] + b"/"):
            os.close(self._open.pop()[1])
        above, folder = self._open[-1] if self._open else (b"", self._top)
        if path == above:
            return folder
        for name in path[len(above) + 1 if above else 0 :].split(b"/"):
            if len(self._open) >= DEEPEST:
                raise OSError(errno.ENAMETOOLONG, "it lies too deep")
            folder = os.open(name, OPEN_FOLDER, dir_fd=folder)
            above = above + b"/" + name if above else name
            self._open.append((above, folder))
        return folder

    def close(self) -> None:
        while self._open:
            os.close(self._open.pop()[1])


# What is remembered of one folder: its names, and of each file how it looked when it was hashed.


ALONE = -2
"""Trouble of a top that is no folder but one file: the only name in it is that of the top."""


class FolderDigests(NamedTuple):
    """Plain values, in this order, so that they are written and sent to a worker as they are."""

    path: bytes
    """Below its top; empty for the top itself."""
    identity: bytes
    """When it was listed; empty where the list can not be relied on."""
    names: bytes
    """Of all that is no folder, sorted, with NUL in between."""
    stats: bytes
    """Their identities in columns; blank where the digest can not be relied on."""
    subs: bytes = b""
    """Names of the folders in it, like `names`."""
    shas: bytes = b""
    """A digest for each name; the number of the error where there is none."""
    kinds: bytes = b""
    """One of `kinds` for each name."""
    mark: bytes = b""
    """Of names, kinds and digests: equal marks are equal contents."""
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


# What a name of a folder stands for. The first three have a digest; that of a link is the digest of its text.


TEXT, BINARY, LINK, SPECIAL, UNREADABLE, CHANGING, UNSEEN = b"tblsuc?"
"""`CHANGING`: it never held still while it was read. `UNSEEN`: the time ran out before it."""
GONE = 0
HASHED = frozenset((TEXT, BINARY, LINK))
DIGEST = 32
NO_DIGEST = bytes(DIGEST)
