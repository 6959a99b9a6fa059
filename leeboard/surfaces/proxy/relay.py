"""The two ways an answer goes to the client: as the bytes that came, or read and written anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from leeboard.surfaces.proxy.coding import Coding
from leeboard.surfaces.proxy.relay_head import answer_head, head_bytes, with_length
from leeboard.surfaces.proxy.watch import WatchedAnswer
from leeboard.wire.http1 import BodyReader, Framing, Head, chunk, last_chunk


class Outlet(Protocol):
    """The connection of the client, as far as an answer needs it."""

    is_old: bool
    """Whether it speaks HTTP/1.0, which knows no chunks."""
    will_close: bool
    """Whether the client ends the connection after this answer."""

    def write(self, data: bytes) -> None:
        """Send these bytes as they are."""


class PlainRelay:
    """Passes on the very bytes, the framing of the body included."""

    def __init__(self, outlet: Outlet, head: Head, reader: BodyReader, done: Callable[[bool], None]) -> None:
        self._outlet, self._done = outlet, done
        framing = reader.framing
        self._unframed = framing.kind == "chunked" and outlet.is_old
        if self._unframed:
            framing = Framing("close")
        self.ends_by_connection = framing.kind == "close"
        self.ends_connection = outlet.will_close or self.ends_by_connection
        outlet.write(head_bytes(answer_head(head, framing, ends_connection=self.ends_connection)))

    def take(self, payload: bytes, raw: bytes) -> None:
        self._outlet.write(payload if self._unframed else raw)

    def end(self, *, cut: bool) -> None:
        self._done(cut)


class WatchedRelay:
    """Has the answer read by a watch, and frames and compresses what that lets through."""

    def __init__(
        self, outlet: Outlet, head: Head, reader: BodyReader, watch: WatchedAnswer, done: Callable[[bool], None]
    ) -> None:
        self._outlet, self._head, self._reader, self._done = outlet, head, reader, done
        self._watch = watch
        self._coding: Coding | None = None
        self._whole: list[bytes] = []
        """The answer, where it has to be complete before its head can tell its length."""
        self._has_begun = False
        self._framing = Framing("close" if outlet.is_old else "chunked")
        self.ends_by_connection = outlet.is_old
        self.ends_connection = outlet.will_close or outlet.is_old

    def begin(self, coding: Coding) -> None:
        self._coding = coding
        self._watch.begin(self, coding)
        if self._watch.is_stream:
            self._begin_stream()

    def take(self, payload: bytes, raw: bytes) -> None:  # noqa: ARG002 - as the plain one
        self._watch.feed(payload)

    def end(self, *, cut: bool) -> None:
        self._watch.close(cut=cut)

    # What the watch calls.

    def write_part(self, text: bytes) -> None:
        assert self._coding is not None  # noqa: S101 - begun before
        self._write(self._coding.encode(text))

    def finish(self, *, cut: bool) -> None:
        assert self._coding is not None  # noqa: S101 - begun before
        if not cut:
            self._write(self._coding.encode(b"", final=True))
        if not self._watch.is_stream:
            self._write_whole(cut=cut)
            self._done(cut)
            return
        self._begin_stream()
        if not cut and self._framing.kind == "chunked":
            self._outlet.write(last_chunk(self._reader.trailers))
        self._done(cut)

    def _write(self, data: bytes) -> None:
        if not self._watch.is_stream:
            self._whole.append(data)
        elif data:
            self._begin_stream()
            self._outlet.write(chunk(data) if self._framing.kind == "chunked" else data)

    def _begin_stream(self) -> None:
        """The head goes out as soon as it is known to be one."""
        if not self._has_begun:
            self._has_begun = True
            self._write_head(answer_head(self._head, self._framing, ends_connection=self.ends_connection))

    def _write_whole(self, *, cut: bool) -> None:
        """A body that broke off keeps the length it was said to have, so that the client notices."""
        body = b"".join(self._whole)
        said = self._reader.framing
        if said.kind == "chunked" and not self._outlet.is_old:
            self._write_head(answer_head(self._head, said, ends_connection=self.ends_connection))
            self._outlet.write(chunk(body) + (b"" if cut else last_chunk(self._reader.trailers)))
            return
        length = said.length if cut and said.kind == "length" else len(body)
        head = with_length(self._head, length)
        self._write_head(answer_head(head, Framing("length", length), ends_connection=self.ends_connection))
        self._outlet.write(body)

    def _write_head(self, head: Head) -> None:
        self._outlet.write(head_bytes(head))


Relay = PlainRelay | WatchedRelay
