"""The one way to open a file for writing where a repository or an agent could have put another one.

A link at its name is never followed, and nothing but a regular file is written to: a line meant for a log of ours must
not end in somebody's start file, nor wait for whoever reads a FIFO.
"""

from __future__ import annotations

import errno
import os
import stat
from posixpath import islink, realpath


def open_written(path: str, flags: int, mode: int = 0o644) -> int:
    """A descriptor, which the caller closes. OSError where the name leads elsewhere or is no regular file."""
    file = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY, mode)
    if stat.S_ISREG(os.fstat(file).st_mode):
        return file
    os.close(file)
    raise OSError(errno.EINVAL, "not a regular file", path)


def own_folder(path: str) -> None:
    """OSError where a folder that we make inside of a repository is a link to another place."""
    if islink(path):
        raise OSError(errno.ELOOP, "it is a link; nothing is written through it", path)


def leads_out(path: str, root: str) -> bool:
    """Whether a file of the project at `root` really lies outside of it, through a link at any part of its name."""
    real, inside = realpath(path), realpath(root)
    return not f"{real}/".startswith(f"{inside}/") and f"{path}/".startswith(f"{root}/")
