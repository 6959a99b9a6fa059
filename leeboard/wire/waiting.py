"""What waits of an answer: frames in their order, and the arguments of a call put together from their pieces.

A call is written in pieces of a few letters, each in a frame of its own, so that a file of some megabytes waits as
hundreds of thousands of small objects. Frames that belong together are folded: joined, and compressed, which takes away
nearly all of what they repeat.
"""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Iterator
from typing import Protocol

from leeboard.wire.sse import Framer

_FOLDED_FROM = 128 * 1024
"""Less than that is not worth the time: most calls are shorter."""
_JOINED_FROM = 4096


class Part(Protocol):
    """What a frame belongs to that may have to wait."""

    @property
    def may_go(self) -> bool:
        """Whether it is known what becomes of it."""

    @property
    def is_refused(self) -> bool:
        """Whether the client must not see it as it came."""


class FrameRun:
    """Frames that follow each other and belong to one part, or to none."""

    def __init__(self, part: Part | None) -> None:
        self.part = part
        self.size = 0
        self._folded: list[bytes] = []
        self._frames: list[bytes] = []
        self._loose = 0

    def add(self, frame: bytes) -> None:
        self._frames.append(frame)
        self._loose += len(frame)
        self.size += len(frame)
        if self._loose > _FOLDED_FROM:
            self._folded.append(zlib.compress(b"".join(self._frames), 1))
            self._frames.clear()
            self._loose = 0

    def __iter__(self) -> Iterator[bytes]:
        """The frames as they were added, whatever they were folded to."""
        for folded in self._folded:
            framer = Framer(self.size)
            yield from framer.split(zlib.decompress(folded))
            if rest := framer.rest():
                yield rest
        yield from self._frames


class WaitingFrames:
    """The runs that wait, the oldest first."""

    def __init__(self) -> None:
        self._runs: deque[FrameRun] = deque()
        self.size = 0
        """In bytes, as they came."""

    def __bool__(self) -> bool:
        return bool(self._runs)

    def add(self, frame: bytes, part: Part | None) -> None:
        if not self._runs or self._runs[-1].part is not part:
            self._runs.append(FrameRun(part))
        self._runs[-1].add(frame)
        self.size += len(frame)

    def take_ready(self) -> Iterator[FrameRun]:
        """The runs that may go, up to the first that may not."""
        while self._runs and ((part := self._runs[0].part) is None or part.may_go):
            yield self._take()

    def take_all(self) -> Iterator[FrameRun]:
        while self._runs:
            yield self._take()

    def _take(self) -> FrameRun:
        run = self._runs.popleft()
        self.size -= run.size
        return run


class PiecedText:
    """A text that comes in many small pieces."""

    def __init__(self) -> None:
        self._joined: list[str] = []
        self._pieces: list[str] = []

    def add(self, piece: str) -> None:
        self._pieces.append(piece)
        if len(self._pieces) >= _JOINED_FROM:
            self._joined.append("".join(self._pieces))
            self._pieces.clear()

    def __str__(self) -> str:
        return "".join((*self._joined, *self._pieces))
