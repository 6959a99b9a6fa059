"""How far a long task is: one line on stderr that is written over, and gone at the end. No escape codes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

_SECONDS = 0.1
"""Between two writings: a terminal is slower than the work."""
_LONG = 200
"""Things from which on a person waits."""


@contextmanager
def progress(doing: str, total: int, noun: str = "files") -> Iterator[Callable[[], None]]:
    """What to call for each thing that is done. Silent where nobody sees it, and where it is over at once."""
    if total < _LONG or not sys.stderr.isatty():
        yield _nothing
        return
    line = _Line(doing, total, noun)
    line.write()
    try:
        yield line.advance
    finally:
        line.clear()


class _Line:
    def __init__(self, doing: str, total: int, noun: str) -> None:
        self._doing, self._total, self._noun = doing, total, noun
        self._done, self._written, self._width = 0, 0.0, 0

    def advance(self) -> None:
        self._done += 1
        if monotonic() - self._written >= _SECONDS:
            self.write()

    def write(self) -> None:
        self._written = monotonic()
        share = 100 * self._done // self._total
        text = f"{self._doing} {self._done} of {self._total} {self._noun} ({share} %)"
        self._width = max(self._width, len(text))
        sys.stderr.write(f"\r{text}")
        sys.stderr.flush()

    def clear(self) -> None:
        sys.stderr.write(f"\r{' ' * self._width}\r")
        sys.stderr.flush()


def _nothing() -> None:
    """Nobody watches."""
