"""A place in a text where a secret stands, before and after its line is known."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator

import msgspec
from msgspec.structs import replace


class SecretHit(msgspec.Struct, frozen=True, kw_only=True):
    """`start` is the value's place in the text. What is heard of it is weighed later, by file and line."""

    kind: str
    value: str
    start: int
    confidence: float
    name: str = ""
    note: str = ""
    """Why it may stand: `placeholder`."""

    @property
    def end(self) -> int:
        return self.start + len(self.value)


class Secret(msgspec.Struct, frozen=True, kw_only=True):
    """A secret with its line. `value` lives in memory only: whoever keeps or shows anything takes a keyed digest."""

    kind: str
    name: str
    """The variable, key, header or option in front of it; empty where there is none."""
    value: str
    line: int
    column: int
    """Both count from one."""
    confidence: float
    note: str = ""
    """Why it is at most logged: `placeholder`, `test fixture`, `allowed by a comment`."""


# How much of a very long line is looked at: nobody wrote it, and made for it one could cost minutes.
#
# Up to its share every place counts; behind that nothing is reported, and what is kept of a text leaves the rest out.


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

    def rest(self, at: int) -> SecretHit:
        """From this place, the last one that was asked about, to the end of its line."""
        return SecretHit(kind=UNREAD, value=self._text[at : self._end], start=at, confidence=0.0)

    def _move(self, at: int) -> None:
        self._start = self._text.rfind("\n", 0, at) + 1
        end = self._text.find("\n", at)
        self._end = end + 1 if end >= 0 else len(self._text) + 1
        size = self._end - self._start
        self._left = _LEAST + size // _FOR_EACH if size > LONG else _ENOUGH


# The part of a text that is asked about: whole lines, as places in the text.


class Region:
    """`starts` are those of the lines of the text; `lines` count from one, and what is beyond the text is left out."""

    def __init__(self, text: str, starts: list[int], lines: Iterable[int]) -> None:
        self._text = text
        self.spans: list[tuple[int, int]] = []
        ends = [*starts[1:], len(text) + 1]
        for line in sorted({line for line in lines if 1 <= line <= len(starts)}):
            start, end = starts[line - 1], ends[line - 1]
            if self.spans and self.spans[-1][1] == start:
                start = self.spans.pop()[0]
            self.spans.append((start, end))
        self._firsts = [start for start, _end in self.spans]

    def touches(self, start: int, end: int) -> bool:
        """Whether a character from `start` up to `end`, that one included, lies in it."""
        at = bisect_right(self._firsts, end) - 1
        return at >= 0 and self.spans[at][1] > start

    @property
    def is_plain(self) -> bool:
        """No line of it is so long that a part of it would go unread."""
        return all(
            end - start <= LONG or all(len(line) <= LONG for line in self._text[start:end].split("\n"))
            for start, end in self.spans
        )

    def each(self, find: Callable[[int, int], Iterable[SecretHit]]) -> Iterator[SecretHit]:
        """What is found in each run of its lines, at its place in the whole text."""
        for start, end in self.spans:
            for hit in find(start, end):
                yield replace(hit, start=hit.start + start)
