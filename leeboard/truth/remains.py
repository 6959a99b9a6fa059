"""Whether a text that was changed still has in it what somebody had written there.

Formatters break lines, rename quotes and move commas; people and agents go on with what is there. None of that takes
anything away. A text in which neither lines nor words of it are left has been put in its place.
"""

from __future__ import annotations

from collections.abc import Iterable

from leeboard.model.text import lazy

LINES_LEFT = 0.3
"""With so many of the lines it is the same text, gone on with."""
WORDS_LEFT = 0.5
"""With so many of the words it was written anew from what was there."""
_MOST_LINES = 5_000
_LONGEST = 2_000_000
_WORD = lazy(r"\w+")


def has_left(before: str, base: str, now: str) -> bool:
    """`before` is what somebody had; `base` what they had it from, and empty where they wrote all of it."""
    if now == base:
        return False
    old = {_squeezed(line) for line in base.splitlines()}
    lines = before.splitlines()[:_MOST_LINES]
    own = dict.fromkeys(line for line in lines if line.strip() and _squeezed(line) not in old)
    if not own:
        return True  # they only took something out, and it is not back as a whole
    return _share(map(_squeezed, own), now) >= LINES_LEFT or _words_left(own, base, now) >= WORDS_LEFT


def _share(lines: Iterable[str], now: str) -> float:
    wanted, text = list(lines), now[:_LONGEST]
    there = {_squeezed(line) for line in text.splitlines()}
    whole = _squeezed(text)
    return sum(line in there or (len(line) > 1 and line in whole) for line in wanted) / len(wanted)


def _words_left(own: Iterable[str], base: str, now: str) -> float:
    wanted = {*_WORD.findall(" ".join(own))} - {*_WORD.findall(base[:_LONGEST])}
    return len(wanted & {*_WORD.findall(now[:_LONGEST])}) / len(wanted) if wanted else 0.0


def _squeezed(line: str) -> str:
    return "".join(line.split()).replace("'", '"')
