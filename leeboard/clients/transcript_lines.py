"""Lines, times and broken JSON of session files, whichever client wrote them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Protocol

import msgspec

from leeboard.model.event import Event, PromptGiven
from leeboard.model.text import lazy

LONGEST_LINE = 64 * 1024 * 1024
_AROUND = b"\x00\xef\xbb\xbf \t\r\n"
"""A crash leaves NUL bytes, an editor a byte order mark."""
_MOST_DIGITS = 4000
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
    """The same JSON as strict UTF-8 without lone surrogates, control characters, NaN and endless numbers.

    None when it is no JSON.
    """
    try:
        text = line.decode("utf-8", "replace")
        parsed = json.loads(text, strict=False, parse_constant=lambda _: None, parse_int=_bounded_int)
        text = json.dumps(parsed, ensure_ascii=False)
    except (ValueError, RecursionError):
        return None
    return _LONE_SURROGATE.sub("\ufffd", text).encode()


def _bounded_int(digits: str) -> int | None:
    """Nothing for a number of thousands of digits, which Python refuses to read and other languages do not."""
    return int(digits) if len(digits) <= _MOST_DIGITS else None


def epoch_seconds(timestamp: object) -> float:
    """Seconds since 1970 of an ISO 8601 time, UTC where it names no zone; 0.0 for anything else."""
    if not isinstance(timestamp, str):
        return 0.0
    try:
        moment = datetime.fromisoformat(timestamp)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return 0.0


# The part that readers of session files share: bytes in, events out, counts kept.


TranscriptEvents = Sequence[tuple[int, list[Event]]]
"""The length of each line of a session file, and what it tells."""


class LineTeller(Protocol):
    """Knows one client's lines, and appends what they tell to `told`."""

    told: list[Event]

    def tell(self, line: bytes) -> bool:
        """Read one line; False when it is no JSON object."""

    def close(self) -> None:
        """Tell what is still open: no line follows."""


class SessionReader:
    """Feed it a session file in pieces of any size."""

    def __init__(self, teller: LineTeller) -> None:
        self._teller = teller
        self._buffer = LineBuffer()
        self._unreadable = 0

    @property
    def lines(self) -> int:
        """Complete lines, blank ones included."""
        return self._buffer.lines

    @property
    def consumed(self) -> int:
        """Bytes of complete lines: where a later reader may go on."""
        return self._buffer.consumed

    @property
    def skipped(self) -> int:
        """Complete lines that were no JSON objects, or too long."""
        return self._unreadable + self._buffer.too_long

    def feed(self, data: bytes) -> list[Event]:
        """Events of the lines that are complete now; a half line waits."""
        tell = self._teller.tell
        for line in self._buffer.feed(data):
            if not tell(line):
                self._unreadable += 1
        return self._take()

    def finish(self) -> list[Event]:
        """Events of a last line without an end, if it is whole, and the end of every open turn."""
        line = self._buffer.take_half()
        if line:
            self._teller.tell(line)
        self._teller.close()
        return self._take()

    def _take(self) -> list[Event]:
        told, self._teller.told = self._teller.told, []
        return told


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """Which lines of a session file may be believed, by the file itself."""

    until: int
    """How many lines may be read on."""
    untold: frozenset[int] = frozenset()
    """Lines that tell nothing: made up, or below one that is."""
    made_up: tuple[PromptGiven, ...] = ()
    unshown: tuple[PromptGiven, ...] = ()
    """Prompts that no record of the chain holds."""

    def believed(self, told: TranscriptEvents) -> list[tuple[int, list[Event]]]:
        """The lines that may be read, with what of them counts."""
        doubted = {id(prompt) for prompt in self.unshown}
        return [
            (length, [event for event in events if position not in self.untold and id(event) not in doubted])
            for position, (length, events) in enumerate(told[: self.until])
        ]
