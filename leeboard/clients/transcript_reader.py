"""The part that readers of session files share: bytes in, events out, counts kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from leeboard.clients.transcript_lines import LineBuffer
from leeboard.model.event import Event, PromptGiven

Told = Sequence[tuple[int, list[Event]]]
"""Of each line of a session file its length and what it tells."""


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


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """Which lines of a session file may be believed, by the file itself."""

    until: int
    """How many lines may be read on."""
    untold: frozenset[int] = frozenset()
    """Lines that tell nothing: made up, or below one that is."""
    made_up: tuple[PromptGiven, ...] = ()
    unshown: tuple[PromptGiven, ...] = ()
    """Prompts that no record of the chain holds."""

    def believed(self, told: Told) -> list[tuple[int, list[Event]]]:
        """The lines that may be read, with what of them counts."""
        doubted = {id(prompt) for prompt in self.unshown}
        return [
            (length, [event for event in events if position not in self.untold and id(event) not in doubted])
            for position, (length, events) in enumerate(told[: self.until])
        ]
