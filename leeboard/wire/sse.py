"""Server-sent events as bytes: an answer cut into its frames and nothing lost, and single frames read and written.

A frame is kept with the blank line that ends it, so that all frames and the rest, put together again, are what came.
Lines end with LF, CR LF or CR. A chunk is looked at once, whatever its size: only the last three bytes of what came
before can be part of a blank line that it ends.
"""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from leeboard.clients.transcript_lines import mend_json
from leeboard.errors import WireError

_BLANK_LINE = re.compile(rb"(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r(?=[^\n]))")
"""Where its last byte is a CR, the next byte has to be there: a CR LF is never taken apart."""
_REACH = 3
"""How much of a blank line can lie in the chunk before."""
_EVENT = re.compile(rb"(?:\A(?:\xef\xbb\xbf)?|[\r\n])event(?::[ ]?([^\r\n]*)|(?=[\r\n]|\Z))")
_DATA = re.compile(rb"(?:\A(?:\xef\xbb\xbf)?|[\r\n])data(?::[ ]?([^\r\n]*)|(?=[\r\n]|\Z))")
"""A field may stand without a colon, and a mark of the byte order before the first: some readers skip that."""

DEEPEST = 200
"""Levels of JSON that are read. Arguments of real tools have a handful."""
_LONGEST_COUNT = 20
CUT = "(nested too deeply to be read)"
_NESTING = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[\[\]{}]', re.DOTALL)

TOO_LONG = "leeboard: the answer has a part that is too long to be judged"

COMMENT = b": keep-alive\n\n"
"""What readers of a stream skip, and yet a sign of life."""


class Framer:
    """Cuts chunks into frames, and says where one grows longer than the limit."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0
        self._tail = b""

    @property
    def is_between_frames(self) -> bool:
        return not self._size

    @property
    def is_overfull(self) -> bool:
        """A frame began that is too long to wait for; `rest` has what came of it."""
        return self._size > self._limit

    def split(self, chunk: bytes) -> list[bytes]:
        """The frames that this chunk completes."""
        seam = len(self._tail)
        looked_at = self._tail + chunk if seam else chunk
        first = _BLANK_LINE.search(looked_at)
        if first is None:
            self._keep(chunk)
            return []
        frames = [b"".join((*self._parts, chunk[: first.end() - seam]))]
        start = first.end()
        for blank in _BLANK_LINE.finditer(looked_at, start):
            frames.append(looked_at[start : blank.end()])
            start = blank.end()
        self._drop()
        self._keep(looked_at[start:])
        return frames

    def rest(self) -> bytes:
        """What belongs to no frame yet. It is forgotten here."""
        rest = b"".join(self._parts)
        self._drop()
        return rest

    def _keep(self, piece: bytes) -> None:
        if not piece:
            return
        self._parts.append(piece)
        self._size += len(piece)
        self._tail = (self._tail + piece[-_REACH:])[-_REACH:]

    def _drop(self) -> None:
        self._parts.clear()
        self._size = 0
        self._tail = b""


def event_name(frame: bytes) -> bytes:
    """The name after the last `event:`, as readers take it; empty where the frame has none."""
    found: list[bytes] = _EVENT.findall(frame)
    return found[-1] if found else b""


def payload(frame: bytes) -> bytes:
    """What stands after `data:`, with the lines joined as a reader would; empty for a comment."""
    lines = _DATA.findall(frame)
    return lines[0] if len(lines) == 1 else b"\n".join(lines)


def payloads(raw: bytes) -> list[bytes]:
    """The same of several frames, each with its data in one line."""
    return _DATA.findall(raw)


def read_json(data: bytes | str) -> Any:
    """The value, also where the bytes are no clean UTF-8, since clients read those too. WireError for anything else.

    What is nested deeper than anybody means it to be has `CUT` in its place: clients read that, too.
    """
    try:
        return msgspec.json.decode(data)
    except (ValueError, RecursionError):
        shallow = without_depths(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else _as_utf8(data))
        mended = mend_json(shallow)
    if mended is None:
        raise WireError("a part of a model's traffic is no JSON")
    return json.loads(mended)


def as_int(value: object) -> int | None:
    """A number that counts places, also where it is written as a text or with a point: lenient readers take those."""
    if isinstance(value, str) and value.strip().lstrip("+-").isdecimal():
        return int(value) if len(value) < _LONGEST_COUNT else None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return int(value) if isinstance(value, int) else None


def _as_utf8(data: bytes) -> bytes:
    """JSON may come in UTF-16, in UTF-32, or behind a mark of the byte order; the SDKs take it so."""
    encoding = json.detect_encoding(data)
    return data if encoding == "utf-8" else data.decode(encoding, "replace").encode("utf-8", "replace")


def without_depths(data: bytes) -> bytes:
    """The same JSON with what is nested too deeply cut out; the very bytes where nothing is."""
    if data.count(b"[") + data.count(b"{") <= DEEPEST:
        return data
    kept: list[bytes] = []
    depth = start = 0
    for found in _NESTING.finditer(data):
        if (sign := found[0]) in b"[{":
            depth += 1
            if depth == DEEPEST + 1:
                kept += [data[start : found.start()], b'"%s"' % CUT.encode()]
        elif sign in b"]}":
            depth -= 1
            if depth == DEEPEST:
                start = found.end()
    return b"".join((*kept, data[start:])) if depth <= DEEPEST else data


def read_object(data: bytes | str) -> dict[str, Any]:
    """The same where only an object will do."""
    value = read_json(data)
    if not isinstance(value, dict):
        raise WireError("a part of a model's traffic is no JSON object")
    return value


def write_json(value: object) -> bytes:
    """The value in one line, without a character more than needed."""
    return msgspec.json.encode(value)


def render(name: str, value: object) -> bytes:
    """A frame of its own; without `event:` where the name is empty."""
    head = f"event: {name}\n".encode() if name else b""
    return b"%sdata: %s\n\n" % (head, write_json(value))


def too_long() -> dict[str, Any]:
    """The error that an answer ends with of which nothing may pass unread."""
    return {"type": "error", "error": {"type": "api_error", "message": TOO_LONG, "param": None, "code": None}}


def replace_data(frame: bytes, value: object) -> bytes:
    """The frame with another value: its event line and other fields as they were."""
    lines = list(_DATA.finditer(frame))
    if len(lines) != 1:
        return render(event_name(frame).decode("utf-8", "replace"), value)
    start, end = lines[0].span(1)
    return frame[:start] + write_json(value) + frame[end:]


def replace_number(frame: bytes, key: str, number: int) -> bytes:
    """The frame with another number under a key of its object; the rest byte for byte where that can be done."""
    name = key.encode()
    patched = re.sub(rb'("%s"\s*:\s*)-?\d+' % name, rb"\g<1>%d" % number, frame, count=1)
    value = read_object(payload(frame))
    value[key] = number
    return patched if read_object(payload(patched)) == value else replace_data(frame, value)
