"""Lines of a text against lines of another, in linear time: a real diff of two long files takes seconds."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence

from leeboard.model.diff import Span

_TELLING = 3
"""Characters a line must have to be found again by itself."""


def lines_of(text: str) -> list[str]:
    """Without their ends; the empty piece behind the last line end is no line."""
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def compare(before: str, after: str) -> tuple[tuple[Span, ...], str]:
    """Lines of `after` that are new, and the lines of `before` that are gone. A line that only moved is neither."""
    old, new = lines_of(before), lines_of(after)
    start = common_start(old, new)
    end = common_start(old[start:][::-1], new[start:][::-1])
    gone, come = old[start : len(old) - end], new[start : len(new) - end]
    added = _unmatched(come, gone)
    removed = "\n".join(gone[at] for at in _unmatched(gone, come))
    return spans(start + at + 1 for at in added), removed


def common_start(one: Sequence[object], other: Sequence[object]) -> int:
    """How many lines both begin with."""
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        count += 1
    return count


def _unmatched(lines: list[str], others: list[str]) -> list[int]:
    left = Counter(others)
    unmatched: list[int] = []
    for at, line in enumerate(lines):
        if left[line] > 0:
            left[line] -= 1
        else:
            unmatched.append(at)
    return unmatched


def spans(lines: Iterable[int]) -> tuple[Span, ...]:
    """Runs of ascending line numbers as first and last."""
    found: list[Span] = []
    for line in lines:
        if found and line == found[-1][1] + 1:
            found[-1] = (found[-1][0], line)
        else:
            found.append((line, line))
    return tuple(found)


def all_of(text: str) -> tuple[Span, ...]:
    count = len(lines_of(text))
    return ((1, count),) if count else ()


def locate(text: str, written: Iterable[tuple[str, str]]) -> tuple[Span, ...]:
    """Where in a text the new lines of some edits (old, new) stand, as far as they are found there in order."""
    lines = lines_of(text)
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines, start=1):
        places.setdefault(line, []).append(number)
    found: set[int] = set()
    for old, new in written:
        fresh = lines_of(new)
        found |= set(_in_order([fresh[at] for at in _unmatched(fresh, lines_of(old))], places))
    return spans(sorted(found))


def _in_order(wanted: list[str], places: dict[str, list[int]]) -> list[int]:
    """Nothing where one of the telling lines is missing: then somebody has changed them since."""
    last = 0
    numbers: list[int] = []
    for line in wanted:
        if len(line.strip()) < _TELLING:
            continue
        candidates = places.get(line, [])
        at = bisect_right(candidates, last)
        if at == len(candidates):
            return []
        last = candidates[at]
        numbers.append(last)
    return numbers
