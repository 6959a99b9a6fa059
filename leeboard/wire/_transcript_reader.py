"""The part that readers of session files share: bytes in, events out, counts kept."""

from __future__ import annotations

from typing import Protocol

from leeboard.model.event import Event
from leeboard.wire._transcript_lines import LineBuffer


class Teller(Protocol):
    """Knows one client's lines, and appends what they tell to `told`."""

    told: list[Event]

    def tell(self, line: bytes) -> bool:
        """Read one line; False when it is no JSON object."""

    def close(self) -> None:
        """Tell what is still open: no line follows."""


class SessionReader:
    """Feed it a session file in pieces of any size."""

    def __init__(self, teller: Teller) -> None:
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
