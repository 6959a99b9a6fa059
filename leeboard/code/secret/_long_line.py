"""How much of a very long line is looked at: nobody wrote it, and made for it one could cost minutes.

Up to its share every place counts; behind that nothing is reported, and what is kept of a text leaves the rest out.
"""

from __future__ import annotations

from leeboard.code.secret.hit import Hit

UNREAD = "unread"
"""The kind of what nobody looked at: no secret is known there, and none is known not to be."""
LONG = 8_000
_LEAST, _FOR_EACH, _LARGE = 50, 600, 100
_ENOUGH = 1 << 60


class Share:
    """Counts the places of one text that were looked at, line by line; it need not be asked in their order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._start = self._end = 0
        self._left = 0
        self._has_long_lines = len(text) > LONG

    def is_spent(self, at: int, size: int = 0) -> bool:
        """Whether the line has had its share; else this place takes a part of it, and more where much stands there."""
        if not self._has_long_lines:
            return False
        if not self._start <= at < self._end:
            self._move(at)
        self._left -= 1 + size // _LARGE
        return self._left < 0

    def rest(self, at: int) -> Hit:
        """From this place, the last one that was asked about, to the end of its line."""
        return Hit(kind=UNREAD, value=self._text[at : self._end], start=at, confidence=0.0)

    def _move(self, at: int) -> None:
        self._start = self._text.rfind("\n", 0, at) + 1
        end = self._text.find("\n", at)
        self._end = end + 1 if end >= 0 else len(self._text) + 1
        size = self._end - self._start
        self._left = _LEAST + size // _FOR_EACH if size > LONG else _ENOUGH
