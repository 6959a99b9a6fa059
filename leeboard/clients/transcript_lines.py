"""Lines, times and broken JSON of session files, whichever client wrote them."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from leeboard.model.pattern import lazy

LONGEST_LINE = 64 * 1024 * 1024
_AROUND = b"\x00\xef\xbb\xbf \t\r\n"
"""A crash leaves NUL bytes, an editor a byte order mark."""
_LONE_SURROGATE = lazy("[\ud800-\udfff]")


class LineBuffer:
    """Cuts a byte stream into lines, however it was chunked."""

    def __init__(self, longest: int = LONGEST_LINE) -> None:
        self.lines = 0
        """Complete lines seen."""
        self.consumed = 0
        """Bytes of complete lines, line ends included."""
        self.too_long = 0
        """Complete lines that were dropped because of their length."""
        self._longest = longest
        self._half: list[bytes] = []
        self._half_size = 0

    def feed(self, data: bytes) -> list[bytes]:
        """Complete lines without their ends and surrounding blanks; empty and overlong ones left out."""
        pieces = data.split(b"\n")
        last = pieces.pop()
        if pieces:
            self.lines += len(pieces)
            self.consumed += self._half_size + len(data) - len(last)
            pieces = self._completed(pieces)
        self._keep(last)
        return [line for piece in pieces if (line := piece.strip(_AROUND))]

    def _completed(self, pieces: list[bytes]) -> list[bytes]:
        self._keep(pieces[0])
        fits = self._half_size <= self._longest
        pieces[0] = self._complete()
        fitting = [piece for piece in pieces if len(piece) <= self._longest]
        self.too_long += len(pieces) - len(fitting) + (not fits)
        return fitting

    def take_half(self) -> bytes:
        """The line begun and not yet ended; it is forgotten here."""
        return strip_line(self._complete())

    def _complete(self) -> bytes:
        line = b"".join(self._half)
        self._half.clear()
        self._half_size = 0
        return line

    def _keep(self, piece: bytes) -> None:
        self._half_size += len(piece)
        if self._half_size > self._longest:
            self._half.clear()
        elif piece:
            self._half.append(piece)


def strip_line(line: bytes) -> bytes:
    """The line without the blanks, NUL bytes and byte order mark around it."""
    return line.strip(_AROUND)


def mend_json(line: bytes) -> bytes | None:
    """The same JSON as strict UTF-8 without lone surrogates, control characters and NaN; None when it is no JSON."""
    try:
        parsed = json.loads(line.decode("utf-8", "replace"), strict=False, parse_constant=lambda _: None)
        text = json.dumps(parsed, ensure_ascii=False)
    except (ValueError, RecursionError):
        return None
    return _LONE_SURROGATE.sub("\ufffd", text).encode()


def epoch_seconds(timestamp: object) -> float:
    """Seconds since 1970 of an ISO 8601 time, UTC where it names no zone; 0.0 for anything else."""
    if not isinstance(timestamp, str):
        return 0.0
    try:
        moment = datetime.fromisoformat(timestamp)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return 0.0
