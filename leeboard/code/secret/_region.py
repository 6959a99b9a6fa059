"""The part of a text that is asked about: whole lines, as places in the text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from leeboard.code.secret._long_line import LONG
from leeboard.code.secret.hit import Hit


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

    def each(self, find: Callable[[int, int], Iterable[Hit]]) -> Iterator[Hit]:
        """What is found in each run of its lines, at its place in the whole text."""
        for start, end in self.spans:
            for hit in find(start, end):
                yield replace(hit, start=hit.start + start)
