"""Files that git does not know yet, as the change they would be. Nothing is followed and nothing is waited for."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from hashlib import new as new_digest
from hashlib import sha1

import msgspec

from leeboard.io import system
from leeboard.io.git.output import LINK, SUBMODULE, Side
from leeboard.model.touch import Hunk

LARGEST_TEXT = 2 << 20
"""The lines of a larger file are counted, not kept."""
LARGEST_READ = 1 << 30
"""A larger file is not read at all."""
_CHUNK = 1 << 20
_BINARY_WITHIN = 8_000
"""As git: a NUL further on does not make a file binary."""
_FLAGS = os.O_RDONLY | system.NOFOLLOW | system.NONBLOCK | system.CLOEXEC
_LONG_ID = 64


class Untracked(msgspec.Struct, frozen=True, kw_only=True):
    """What lies at a path that git does not track."""

    path: str
    side: Side
    """With the digest that git would give the content, as long as no filter changes it on its way in."""
    lines: int = 0
    text: str = ""
    """Empty for what is no text, and where there was too much of it (`cut`)."""
    binary: bool = False
    cut: bool = False
    crlf: bool = False
    note: str = ""

    @property
    def submodule(self) -> bool:
        return self.side.mode == SUBMODULE

    @property
    def hunks(self) -> tuple[Hunk, ...]:
        lines = tuple(self.text.removesuffix("\n").split("\n")) if self.text else ()
        return (Hunk(1, lines),) if lines else ()


class UntrackedReader:
    """Keeps at most `most` bytes of text over all files it reads. `id_size` is the length of git's digests here."""

    def __init__(self, root: str, id_size: int, most: int) -> None:
        self._root = os.fsencode(root) + b"/"
        self._algorithm = "sha256" if id_size == _LONG_ID else "sha1"
        self._left = most

    def read(self, path: str) -> Untracked:
        if path.endswith("/"):
            return Untracked(path=path, side=Side(SUBMODULE))
        place = self._root + path.encode("utf-8", "surrogateescape")
        try:
            return self._look(path, place)
        except OSError as error:
            side = Side("100644", "unreadable")
            note = f"{shown(path)} can not be read ({error.strerror}): its lines are not counted"
            return Untracked(path=path, side=side, cut=True, note=note)

    def _look(self, path: str, place: bytes) -> Untracked:
        seen = os.lstat(place)
        if stat.S_ISLNK(seen.st_mode):
            target = os.readlink(place)  # noqa: PTH115 - the bytes themselves: a link may name anything
            text = target.decode("utf-8", "replace")
            return Untracked(path=path, side=Side(LINK, self._digest(len(target), (target,))), lines=1, text=text)
        if not stat.S_ISREG(seen.st_mode):
            note = f"{shown(path)} is not a regular file, so it was not opened"
            return Untracked(path=path, side=Side("special", str(stat.S_IFMT(seen.st_mode))), binary=True, note=note)
        if seen.st_size > LARGEST_READ:
            note = f"{shown(path)} is larger than {LARGEST_READ >> 20} MB: its lines are not counted"
            side = Side("100644", f"{seen.st_size} {seen.st_mtime_ns}")
            return Untracked(path=path, side=side, cut=True, note=note)
        return self._regular(path, place, seen)

    def _regular(self, path: str, place: bytes, seen: os.stat_result) -> Untracked:
        mode = "100755" if seen.st_mode & stat.S_IXUSR else "100644"
        descriptor = os.open(place, _FLAGS)
        try:
            if seen.st_size > min(LARGEST_TEXT, self._left):
                return self._counted(path, mode, seen.st_size, descriptor)
            data = b"".join(_chunks(descriptor))
        finally:
            os.close(descriptor)
        side = Side(mode, self._digest(len(data), (data,)))
        if b"\0" in data[:_BINARY_WITHIN]:
            return Untracked(path=path, side=side, binary=True)
        self._left -= len(data)
        crlf = b"\r\n" in data
        text = data.decode("utf-8", "replace")
        return Untracked(
            path=path,
            side=side,
            lines=data.count(b"\n") + (not data.endswith(b"\n") if data else 0),
            text=text.replace("\r\n", "\n") if crlf else text,
            crlf=crlf,
        )

    def _counted(self, path: str, mode: str, size: int, descriptor: int) -> Untracked:
        """Chunk by chunk: too large to be kept."""
        tally = _Tally()
        blob = self._digest(size, tally.watching(_chunks(descriptor)))
        lines = 0 if tally.binary else tally.lines
        cut = not tally.binary
        return Untracked(path=path, side=Side(mode, blob), lines=lines, binary=tally.binary, cut=cut, crlf=tally.crlf)

    def _digest(self, size: int, parts: tuple[bytes, ...] | Iterator[bytes]) -> str:
        # Git's name of a content, not a protection of it.
        digest = sha1(usedforsecurity=False) if self._algorithm == "sha1" else new_digest(self._algorithm)
        digest.update(b"blob %d\0" % size)
        for part in parts:
            digest.update(part)
        return digest.hexdigest()


def shown(path: str) -> str:
    """For people: nothing in a name breaks the line it stands in."""
    return path if path.isprintable() else ascii(path)


class _Tally:
    """What is to be known of a content while its chunks pass by."""

    def __init__(self) -> None:
        self.lines = 0
        self.binary = False
        self.crlf = False

    def watching(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        last = b"\n"
        for number, chunk in enumerate(chunks):
            self.binary = self.binary or (number == 0 and b"\0" in chunk[:_BINARY_WITHIN])
            self.crlf = self.crlf or b"\r\n" in chunk
            self.lines += chunk.count(b"\n")
            last = chunk[-1:]
            yield chunk
        self.lines += last != b"\n"


def _chunks(descriptor: int) -> Iterator[bytes]:
    while part := os.read(descriptor, _CHUNK):
        yield part
