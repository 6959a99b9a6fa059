"""The rewriting of a stream, whichever API it is of.

Frames are read when they come and written when they may be. From the first call that is not ruled on, all frames wait
in the order in which they came; when it is ruled on, they go on up to the next such call. So the order never changes,
and where nothing is withheld every frame goes out as it came in.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from leeboard.errors import WireError
from leeboard.wire.docket import Docket
from leeboard.wire.passages import Passages
from leeboard.wire.seam import HELD_LIMIT, UNCHECKED, CallRuling, Carried, Summary
from leeboard.wire.sse import COMMENT, TOO_LONG, Framer, render, too_long
from leeboard.wire.waiting import Part, WaitingFrames


class Dialect(Protocol):
    """How one API streams an answer: frames read, and written as the rulings want it."""

    passages: Passages

    @property
    def is_plain(self) -> bool:
        """Whether frames go out as they came: no number in them has to follow a change further up."""

    def is_bulk(self, raw: bytes) -> bool:
        """Whether these bytes are whole frames that neither are nor end a call: as a rule, deltas of text."""

    def read(self, frame: bytes) -> Part | None:
        """Takes notice of a frame, and says to which part it belongs that may have to wait. Raises only WireError."""

    def write(self, frame: bytes, part: Part | None) -> bytes:
        """The frame for the client, when its part may go: as it came, changed, or none at all."""

    def finish(self, *, cut: bool) -> None:
        """Upstream has ended: calls that are open are as complete as they will be, or never will be."""


class StreamRewriter:
    """A ResponseRewriter for server-sent events."""

    def __init__(
        self, docket: Docket, dialect: Dialect, limit: int = HELD_LIMIT, unread: CallRuling = UNCHECKED
    ) -> None:
        self._docket = docket
        self._dialect = dialect
        self._limit = limit
        self._unread = unread
        self._framer = Framer(limit)
        self._queue = WaitingFrames()
        self._salvaged: tuple[list[bytes], list[bytes]] = ([], [])
        """What a chunk that could not be taken had ready to be written, and its frames that were not looked at."""
        self._is_blind = False
        self._is_shut = False

    @property
    def holding(self) -> bool:
        return bool(self._queue)

    @property
    def waiting(self) -> frozenset[str]:
        return self._docket.waiting

    @property
    def summary(self) -> Summary:
        return self._docket.summary

    @property
    def keep_alive(self) -> bytes:
        return b"" if self._is_blind else COMMENT

    def feed(self, chunk: bytes) -> Carried:
        if self._is_blind:
            return Carried(b"" if self._is_shut else chunk)
        if self._is_idle and self._dialect.is_bulk(chunk):
            self._dialect.passages.add(chunk)
            return Carried(chunk)
        frames = self._framer.split(chunk)
        written: list[bytes] = []
        try:
            for frame in frames:
                written.append(self._take(frame))  # noqa: PERF401 - what was taken before a failure counts
        except BaseException:
            self._salvaged = (written, frames[len(written) :])
            raise
        if self._framer.is_overfull:
            written.append(self.give_up() if self._unread.verdict == "release" else self._shut())
        return self._carried(written)

    def rule(self, call_id: str, ruling: CallRuling) -> bytes:
        return self._drain() if self._docket.rule(call_id, ruling) else b""

    def close(self, *, cut: bool = False) -> Carried:
        if self._is_blind:
            return Carried()
        rest = self._framer.rest()
        # Half a frame may be a part of a call that waits, or repeat one that was withheld.
        is_harmless = not cut or not (self._queue or self._docket.is_changed)
        written = [self._take(rest)] if rest and is_harmless else []
        self._dialect.finish(cut=cut)
        written.append(self._drain())
        return self._carried(written, at_end=True)

    def give_up(self) -> bytes:
        self._docket.go_blind()
        self._is_blind = True
        kept = self._kept()
        (before, after), self._salvaged = self._salvaged, ([], [])
        return b"".join((*before, *kept, *after, self._framer.rest()))

    def _shut(self) -> bytes:
        """A frame is too long to be read, and nothing may pass unread: the answer ends here."""
        self._docket.hurry(self._unread)
        self._docket.error = TOO_LONG
        self._is_blind = self._is_shut = True
        self._framer.rest()
        return b"".join((*self._kept(), render("error", too_long())))

    def _kept(self) -> Iterator[bytes]:
        """The bytes that wait, without those of calls that were refused."""
        for run in self._queue.take_all():
            if run.part is None or not run.part.is_refused:
                yield from run

    @property
    def _is_idle(self) -> bool:
        return not self._queue and self._framer.is_between_frames and self._dialect.is_plain

    def _take(self, frame: bytes) -> bytes:
        """What can be written now that this frame is there."""
        if not self._queue:
            if self._dialect.is_plain and self._dialect.is_bulk(frame):
                self._dialect.passages.add(frame)
                return frame
            part = self._part(frame)
            if part is None or part.may_go:
                return self._written(frame, part)
        else:
            part = self._part(frame)
        self._queue.add(frame, part)
        if self._queue.size > self._limit:
            self._docket.hurry(self._unread)
        return self._drain()

    def _drain(self) -> bytes:
        return b"".join(self._written(frame, run.part) for run in self._queue.take_ready() for frame in run)

    def _part(self, frame: bytes) -> Part | None:
        try:
            return self._dialect.read(frame)
        except WireError:
            return None  # no client can make anything of it either

    def _written(self, frame: bytes, part: Part | None) -> bytes:
        try:
            return self._dialect.write(frame, part)
        except WireError:
            return frame

    def _carried(self, written: list[bytes], *, at_end: bool = False) -> Carried:
        calls = self._docket.take_fresh()
        reasoning = self._dialect.passages.take() if calls or at_end else ()
        return Carried(b"".join(written), calls, reasoning)
