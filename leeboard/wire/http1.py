"""The framing of HTTP/1.1: where a head ends, what it says of the body, and where that ends. Bytes in, values out.

Strict on purpose. What two readers could understand in two ways (two lengths, a length beside chunks, a folded line) is
an error: a peer that sends it is broken or hostile, and forwarding it would let somebody else decide what it means.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from leeboard.errors import WireError

HEAD_LIMIT = 64 * 1024
"""Bytes of a head, its first line and the blank line included."""
FIELD_LIMIT = 256
_LINE_LIMIT = 4096
"""Bytes of the line before a chunk."""
_TRAILER_LIMIT = 16 * 1024

_FIELD = re.compile(rb"([!#$%&'*+\-.^_`|~0-9A-Za-z]++):([^\r\n\0]*+)")
_REQUEST = re.compile(rb"([!#$%&'*+\-.^_`|~0-9A-Za-z]+) ([\x21-\x7e\x80-\xff]+) HTTP/1\.([01])")
_STATUS = re.compile(rb"HTTP/1\.([01]) ([1-5][0-9]{2})(?: [^\r\n\0]*)?")
_LENGTH = re.compile(rb"[0-9]{1,18}")
_SIZE = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n\0]*)?")

Field = tuple[bytes, bytes]
"""Name and value, as they were spelled."""


class HeadTooLongError(WireError):
    """A head, or a line of a body, that goes on for longer than anybody means it to."""


class Head(msgspec.Struct, frozen=True):
    """The first line and the fields of a message, in their order."""

    first: bytes
    fields: tuple[Field, ...]

    def values(self, name: bytes) -> list[bytes]:
        """All values of that field; the name in lower case."""
        return [value for spelled, value in self.fields if spelled.lower() == name]

    def tokens(self, name: bytes) -> set[bytes]:
        """The members of a comma-separated field, in lower case."""
        return {part.strip().lower() for value in self.values(name) for part in value.split(b",")} - {b""}


class RequestLine(msgspec.Struct, frozen=True):
    method: bytes
    target: bytes
    minor: int
    """The second part of the HTTP version: 0 or 1."""


class Framing(msgspec.Struct, frozen=True):
    """How the end of a body is known."""

    kind: Literal["none", "length", "chunked", "close"]
    length: int = 0


def head_end(data: bytes | bytearray, searched: int = 0) -> int:
    """Where the body would begin; 0 while the head is not complete. `HeadTooLongError` where it never will be.

    `searched` bytes were looked at before, in vain.
    """
    at = data.find(b"\r\n\r\n", max(searched - 3, 0), HEAD_LIMIT)
    if at >= 0:
        return at + 4
    if len(data) >= HEAD_LIMIT:
        raise HeadTooLongError(f"the head is longer than {HEAD_LIMIT} bytes")
    return 0


def parse_head(data: bytes) -> Head:
    """A whole head, up to its blank line."""
    first, *lines = data[:-4].split(b"\r\n")
    if len(lines) > FIELD_LIMIT:
        raise HeadTooLongError(f"the head has more than {FIELD_LIMIT} fields")
    return Head(first, tuple(_field(line) for line in lines))


def _field(line: bytes) -> Field:
    found = _FIELD.fullmatch(line)
    if found is None:
        raise WireError("a line of the head is no field")
    return found[1], found[2].strip(b" \t")


def parse_request(head: Head) -> RequestLine:
    found = _REQUEST.fullmatch(head.first)
    if found is None:
        raise WireError("the first line is no request of HTTP/1.0 or 1.1")
    return RequestLine(found[1], found[2], int(found[3]))


def parse_status(head: Head) -> tuple[int, int]:
    """The status of an answer, and the minor version it is written in."""
    found = _STATUS.fullmatch(head.first)
    if found is None:
        raise WireError("the first line is no status of HTTP/1.0 or 1.1")
    return int(found[2]), int(found[1])


def request_framing(head: Head) -> Framing:
    return _framing(head) or Framing("none")


def answer_framing(head: Head, method: bytes) -> Framing:
    """The framing of the body that follows an answer to that method."""
    status, _ = parse_status(head)
    if method == b"HEAD" or status < 200 or status in {204, 304}:
        return Framing("none")
    return _framing(head) or Framing("close")


def _framing(head: Head) -> Framing | None:
    codings = [value.strip().lower() for value in head.values(b"transfer-encoding")]
    lengths = {part.strip() for value in head.values(b"content-length") for part in value.split(b",")}
    if codings and lengths:
        raise WireError("a length and a transfer coding contradict each other")
    if codings:
        if codings != [b"chunked"]:
            raise WireError("the only transfer coding that is understood is chunked")
        return Framing("chunked")
    if not lengths:
        return None
    told = lengths.pop()
    if lengths or not _LENGTH.fullmatch(told):
        raise WireError("the length of the body is not one number")
    return Framing("length", int(told))


class BodyReader:
    """Follows a body to its end, whichever way it is cut into pieces."""

    def __init__(self, framing: Framing) -> None:
        self.framing = framing
        self._left = framing.length
        """Bytes to come: of the body, or of this chunk."""
        self._line = b""
        """The beginning of a line that is not complete."""
        self._part: Literal["size", "data", "data_end", "trailer"] = "size"
        self._trailer_bytes = 0
        self.trailers: list[bytes] = []
        self.done = framing.kind == "none" or (framing.kind == "length" and not framing.length)
        self.error: WireError | None = None
        """Why nothing can be read any more. What came before is as good as ever, so that it is not raised."""

    @property
    def ends_with_connection(self) -> bool:
        return self.framing.kind == "close"

    def feed(self, data: bytes) -> tuple[bytes, int]:
        """The payload in `data`, and how many bytes of it belong to this body."""
        if self.done or self.error is not None:
            return b"", 0
        if self.framing.kind == "chunked":
            return self._feed_chunks(data)
        if self.framing.kind == "close":
            return data, len(data)
        payload = data[: self._left]
        self._left -= len(payload)
        self.done = not self._left
        return payload, len(payload)

    def _feed_chunks(self, data: bytes) -> tuple[bytes, int]:
        payload: list[bytes] = []
        at, end = 0, len(data)
        while at < end and not self.done:
            if self._part == "data":
                piece = data[at : at + self._left]
                payload.append(piece)
                at += len(piece)
                self._left -= len(piece)
                if not self._left:
                    self._part = "data_end"
                continue
            try:
                at = self._feed_line(data, at)
            except WireError as error:
                self.error = error
                break
        return payload[0] if len(payload) == 1 else b"".join(payload), at

    def _feed_line(self, data: bytes, at: int) -> int:
        """Read a line of the framing, or what there is of it; where to go on."""
        end = data.find(b"\n", at)
        if end < 0:
            self._line += data[at:]
            if len(self._line) > (_TRAILER_LIMIT if self._part == "trailer" else _LINE_LIMIT):
                raise HeadTooLongError("a line of the body's framing does not end")
            return len(data)
        line, self._line = self._line + data[at : end + 1], b""
        if not line.endswith(b"\r\n"):
            raise WireError("a line of the body's framing ends without a carriage return")
        self._take_line(line[:-2])
        return end + 1

    def _take_line(self, line: bytes) -> None:
        if self._part == "data_end":
            if line:
                raise WireError("a chunk is longer than it was said to be")
            self._part = "size"
        elif self._part == "size":
            found = _SIZE.fullmatch(line)
            if found is None or len(line) > _LINE_LIMIT:
                raise WireError("the size of a chunk is no number")
            self._left = int(found[1], 16)
            self._part = "data" if self._left else "trailer"
        elif not line:
            self.done = True
        else:
            self._trailer_bytes += len(line)
            if self._trailer_bytes > _TRAILER_LIMIT:
                raise HeadTooLongError(f"the trailers are longer than {_TRAILER_LIMIT} bytes")
            _field(line)
            self.trailers.append(line)


def chunk(payload: bytes) -> bytes:
    """The payload as one chunk; nothing for nothing, since an empty chunk would end the body."""
    return b"%x\r\n%b\r\n" % (len(payload), payload) if payload else b""


def last_chunk(trailers: list[bytes]) -> bytes:
    return b"0\r\n" + b"".join(line + b"\r\n" for line in trailers) + b"\r\n"
