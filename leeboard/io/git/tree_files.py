"""The files of a work tree as they are now, read once each. What is no text or too large is unknown."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterable, Mapping

from leeboard.io import clock, system
from leeboard.model.known import NoText, Stamp

RACY_SECONDS = 0.1
"""Two changes so near to each other may leave a file looking the same."""
LARGEST = 2 << 20
LARGEST_LOCK = 256 << 20
GIT_SECONDS = 2.0


class DiskFiles:
    """Paths are relative to the root. Nothing outside it is read, not even through a link; `lies_at` only looks."""

    def __init__(self, root: str, is_large: Callable[[str], bool] | None = None) -> None:
        """`is_large` tells files that are read although they are larger than people write: lock files."""
        self._root = system.realpath(root) if root else ""
        self._is_large = is_large
        self._texts: dict[str, str | None] = {}
        self._stamps: dict[str, Stamp] = {}
        self._no_text: dict[str, NoText] = {}
        self._inside: dict[str, bool] = {}
        """Folders that were asked about, and whether they lie in the root: one call may look at a thousand files."""
        self.root = root

    def text(self, path: str) -> str | None:
        if path not in self._texts:
            self._texts[path] = self._read(path)
        return self._texts[path]

    def no_text(self, path: str) -> NoText | None:
        return self._no_text.get(path) if self.text(path) is None else None

    def exists(self, path: str) -> bool | None:
        place = self._place(path)
        return os.path.lexists(place) if place else None

    def lies_at(self, place: str) -> bool | None:
        known = place.startswith(("/", "~/")) and "\0" not in place
        return os.path.lexists(os.path.expanduser(place)) if known else None  # noqa: PTH111 - hooks import no pathlib

    def ignored(self, path: str) -> bool | None:
        if not self._place(path):
            return None
        from leeboard.io.git.ask import ended  # noqa: PLC0415 - costs a hook process a third of its start, and few ask

        done = ended(self._root, ("check-ignore", "--quiet", "--", path), GIT_SECONDS)
        return {0: True, 1: False}.get(done.code) if done is not None and done.code is not None else None

    def look(self, path: str) -> Stamp | None:
        """How it looks from outside: as it did when its text was read, where that was done."""
        place = self._place(path)
        if path in self._stamps or not place:
            return self._stamps.get(path)
        try:
            return _stamp(os.lstat(place))
        except FileNotFoundError:
            return ()
        except (OSError, ValueError):
            return None

    def look_again(self) -> None:
        self._texts.clear()
        self._stamps.clear()
        self._no_text.clear()
        self._inside.clear()

    def settled(self, stamp: Stamp) -> bool:
        return bool(stamp) and clock.now() - stamp[2] / 1e9 > RACY_SECONDS

    def ignored_of(self, paths: tuple[str, ...]) -> frozenset[str]:
        from leeboard.io.git.ask import ignored_of  # noqa: PLC0415 - starts a process, and few ask

        return ignored_of(self._root, paths)

    def committed(self, paths: tuple[str, ...], since: float) -> Mapping[str, str]:
        from leeboard.io.git.ask import committed  # noqa: PLC0415 - as above

        return committed(self._root, paths, since)

    def head_moved(self, since: float) -> bool:
        from leeboard.io.git.ask import head_moved  # noqa: PLC0415 - as above

        return head_moved(self._root, since)

    def _place(self, path: str) -> str:
        if not self._root or not path or "\0" in path or path.startswith("/"):
            return ""
        folder = path.rpartition("/")[0]
        inside = self._inside.get(folder)
        if inside is None:
            real = system.realpath(f"{self._root}/{folder}")
            inside = self._inside[folder] = real == self._root or real.startswith(self._root + "/")
        return f"{self._root}/{path}" if inside else ""

    def _read(self, path: str) -> str | None:
        place = self._place(path)
        if not place:
            return None
        try:
            descriptor = os.open(place, os.O_RDONLY | system.NOFOLLOW | system.NONBLOCK | system.CLOEXEC)
        except (OSError, ValueError) as refused:
            if isinstance(refused, OSError) and refused.errno == errno.ELOOP:
                self._no_text[path] = "link"
            return None
        try:
            seen = os.fstat(descriptor)
            self._stamps[path] = _stamp(seen)
            most = LARGEST_LOCK if self._is_large is not None and self._is_large(path) else LARGEST
            data = _regular(descriptor, seen, most)
        except OSError:
            return None
        finally:
            os.close(descriptor)
        if len(data) <= most and b"\0" not in data:
            return data.decode("utf-8", "replace")
        is_large = stat.S_ISREG(seen.st_mode) and max(seen.st_size, len(data)) > LARGEST
        self._no_text[path] = "large" if is_large else "other"
        return None


def _stamp(seen: os.stat_result) -> Stamp:
    return seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino


def _regular(descriptor: int, seen: os.stat_result, most: int) -> bytes:
    """What a file holds; nothing can be read from a folder, a pipe or a device, and too much is told by its length."""
    if not stat.S_ISREG(seen.st_mode) or seen.st_size > most:
        return b"\0"
    parts = []
    while part := os.read(descriptor, most + 1):
        parts.append(part)
    return b"".join(parts)


class CommittedFiles:
    """The same files as they were last committed, each read by a process of its own: few are ever asked for.

    `revision` names another commit; empty: what is staged.
    """

    def __init__(self, root: str, revision: str = "HEAD") -> None:
        self._root = system.realpath(root) if root else ""
        self._revision = revision
        self._texts: dict[str, str | None] = {}

    def text(self, path: str) -> str | None:
        if path not in self._texts:
            self._texts[path] = self._read(path)
        return self._texts[path]

    def exists(self, path: str) -> bool | None:
        return True if self.text(path) is not None else None

    def lies_at(self, place: str) -> bool | None:  # noqa: ARG002 - a commit tells of its own tree alone
        return None

    def ignored(self, path: str) -> bool | None:
        """What is in a commit is not ignored; of the rest nobody knows what was."""
        return False if self.text(path) is not None else None

    def _read(self, path: str) -> str | None:
        if not self._root or not path or "\0" in path or path.startswith(("/", "../")):
            return None
        from leeboard.io.git.ask import ended  # noqa: PLC0415 - starts a process, and few ask

        done = ended(self._root, ("cat-file", "blob", f"{self._revision}:./{path}"), GIT_SECONDS)
        known = done is not None and done.code == 0 and len(done.out) <= LARGEST and b"\0" not in done.out
        return done.out.decode("utf-8", "replace") if done is not None and known else None


class StagedFiles(DiskFiles):
    """The files of a work tree, those among `paths` as they are staged. A lock file is read from the disk."""

    def __init__(self, root: str, paths: Iterable[str], is_large: Callable[[str], bool] | None = None) -> None:
        super().__init__(root, is_large)
        self._index = CommittedFiles(root, "")
        self._staged = frozenset(paths)

    def text(self, path: str) -> str | None:
        is_large = self._is_large is not None and self._is_large(path)
        return self._index.text(path) if path in self._staged and not is_large else super().text(path)
