"""A text to the digests that are kept of it."""

from __future__ import annotations

from _blake2 import blake2b
from collections.abc import Iterable
from functools import lru_cache

from leeboard.code.known.plain import LARGEST_PLAIN, plain_of
from leeboard.model.known import LINE_BYTES, FileState, Ranges
from leeboard.model.pattern import lazy

MOST_LINES = 5_000
_DIGEST_BYTES = 12
_NUMBERED = lazy(r"[ \t]{0,8}\d{1,7}[\t→|]")


def lines_of(text: str) -> list[str]:
    """How lines end, and a mark of the encoding in front of them, make no difference to who reads."""
    return text.removeprefix("\ufeff").splitlines()


@lru_cache(maxsize=6)
def state_of(text: str, key: bytes) -> FileState:
    """`key` is the user's own; without it nothing may be kept. One call asks several times about the same text."""
    lines = lines_of(text)
    few = len(lines) <= MOST_LINES
    return FileState(
        digest=_keyed("\n".join(lines), key),
        plain=_keyed(plain_of(text), key) if len(text) <= LARGEST_PLAIN else "",
        lines=b"".join(line_digest(line, key) for line in lines) if few else b"",
        count=len(lines),
    )


def line_digest(line: str, key: bytes) -> bytes:
    return blake2b(line.encode("utf-8", "surrogatepass"), digest_size=LINE_BYTES, key=key).digest()


def shown_in(lines: list[str], output: str, within: tuple[int, int] = (0, 0)) -> Ranges:
    """Which lines of a file stand in what an agent was given to read; empty ones go with their neighbours.

    `within` is the first and the last line that can have been shown; last zero: to the end.
    """
    given = set(unnumbered(output))
    first, last = max(within[0], 1), within[1] or len(lines)
    ranges: list[tuple[int, int]] = []
    start = 0
    for number in range(first, min(last, len(lines)) + 1):
        line = lines[number - 1]
        if line in given or not line.strip():
            start = start or number
        elif start:
            ranges.append((start, number - 1))
            start = 0
    if start:
        ranges.append((start, min(last, len(lines))))
    return tuple(found for found in ranges if any(line.strip() for line in lines[found[0] - 1 : found[1]]))


def joined(*some: Ranges) -> Ranges:
    """The ranges of all, those that touch as one."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(one for ranges in some for one in ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return tuple(merged)


def unnumbered(output: str) -> Iterable[str]:
    """The lines, without the numbers that some programs and clients put in front of them."""
    lines = lines_of(output)
    if not lines or not _NUMBERED.match(lines[0]):
        return lines
    return [line[found.end() :] if (found := _NUMBERED.match(line)) else line for line in lines]


def _keyed(text: str, key: bytes) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES, key=key).hexdigest()
