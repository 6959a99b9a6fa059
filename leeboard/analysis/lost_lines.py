"""Where a change took lines out or put them elsewhere: what was written before may be dangerous since then."""

from __future__ import annotations

from functools import lru_cache

from leeboard.analysis.patch import common_start, lines_of
from leeboard.model.touch import Diff, Span

_MOST_COMPARED = 4_000_000
"""Pairs of lines, from which on a change is taken for one run of lines."""


def has_lost(diff: Diff) -> bool:
    """Whether lines are gone or stand elsewhere now: a check may have been among them."""
    if not diff.before or diff.fragment or diff.before == diff.after:
        return False
    return bool(diff.removed) or not diff.added


def beside_lost(diff: Diff) -> tuple[Span, ...]:
    """The lines that changed, and those on both sides of a place where something is gone."""
    if not has_lost(diff):
        return ()
    return tuple((min(span), max(span)) for span in _changed(diff.before or "", diff.after))


def goes_past(diff: Diff, first: int, last: int) -> bool:
    """Whether something was changed, or taken out, between these lines of the file as it is now."""
    if not has_lost(diff):
        return False
    return any(start <= last and first <= end for start, end in _changed(diff.before or "", diff.after))


@lru_cache(maxsize=4)
def _changed(before: str, after: str) -> tuple[Span, ...]:
    """Where lines were only taken out, the last one before that place stands behind the first one after it, so that
    what goes from one to the other overlaps with it. Each flow of a file asks for the same two texts.
    """
    from difflib import SequenceMatcher  # noqa: PLC0415 - only where a change may have made something dangerous

    old, new = lines_of(before), lines_of(after)
    start = common_start(old, new)
    end = common_start(old[start:][::-1], new[start:][::-1])
    gone, come = old[start : len(old) - end], new[start : len(new) - end]
    if len(gone) * len(come) > _MOST_COMPARED:
        return ((start + 1, start + len(come)),)
    steps = SequenceMatcher(None, gone, come, autojunk=False).get_opcodes()
    return tuple((start + first + 1, start + last) for kind, _, _, first, last in steps if kind != "equal")
