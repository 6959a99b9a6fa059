"""The folders to look at, and how they are entered."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable
from fnmatch import translate
from functools import lru_cache
from posixpath import basename, dirname, join

import msgspec

from leeboard.truth.digests.folder import OPEN_FOLDER, Descent


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
