"""One file of an intent as it is now: its digest and its text. No link is followed on the way or at the end."""

from __future__ import annotations

import os
import stat
from hashlib import sha256
from posixpath import basename, dirname

from leeboard.model.truth import ABSENT
from leeboard.plan.disk.folder import PlanFolder

_PIECE = 1 << 20
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def digest_of(folder: PlanFolder, path: str) -> str | None:
    """SHA-256 of what lies there, of a link's own text; `absent` for nothing, None for what can not be read."""
    try:
        with folder.opened(dirname(path)) as around:
            seen = os.stat(basename(path), dir_fd=around, follow_symlinks=False)
            if stat.S_ISLNK(seen.st_mode):
                return sha256(os.fsencode(os.readlink(basename(path), dir_fd=around))).hexdigest()
            if not stat.S_ISREG(seen.st_mode):
                return None
            file = os.open(basename(path), _READ, dir_fd=around)
    except (FileNotFoundError, NotADirectoryError):
        return ABSENT
    except (OSError, ValueError):
        return None
    return _hashed(file)


def _hashed(file: int) -> str | None:
    digest = sha256()
    try:
        while piece := os.read(file, _PIECE):
            digest.update(piece)
    except OSError:
        return None
    finally:
        os.close(file)
    return digest.hexdigest()


def text_of(folder: PlanFolder, path: str, sha: str, most: int) -> str | None:
    """The text whose digest this is; None for a link, what is too large, no UTF-8, or another content by now."""
    try:
        with folder.opened(dirname(path)) as around:
            file = os.open(basename(path), _READ, dir_fd=around)
        with open(file, "rb") as opened:  # noqa: PTH123 - a descriptor, not a path
            if not stat.S_ISREG(os.fstat(file).st_mode):
                return None
            data = opened.read(most + 1)
    except (OSError, ValueError):
        return None
    if len(data) > most or b"\0" in data or sha256(data).hexdigest() != sha:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None
