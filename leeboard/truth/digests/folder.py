"""What is remembered of one folder, what a name in it stands for, and how folders below a top are opened.

Nothing but the standard library is imported: the second process of a scan starts without any other package.
"""

from __future__ import annotations

import errno
import os

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


# What a name of a folder stands for. The first three have a digest; that of a link is the digest of its text.


TEXT, BINARY, LINK, SPECIAL, UNREADABLE, CHANGING, UNSEEN = b"tblsuc?"
"""`CHANGING`: it never held still while it was read. `UNSEEN`: the time ran out before it."""
GONE = 0
HASHED = frozenset((TEXT, BINARY, LINK))
DIGEST = 32
NO_DIGEST = bytes(DIGEST)
