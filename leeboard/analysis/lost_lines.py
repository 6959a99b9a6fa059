"""Where a change took lines out or put them elsewhere: what was written before may be dangerous since then."""

from __future__ import annotations

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
    return tuple((min(span), max(span)) for span in _changed(diff)) if has_lost(diff) else ()


def goes_past(diff: Diff, first: int, last: int) -> bool:
    """Whether something was changed, or taken out, between these lines of the file as it is now."""
    return has_lost(diff) and any(start <= last and first <= end for start, end in _changed(diff))


def _changed(diff: Diff) -> tuple[Span, ...]:
    """Where lines were only taken out, the last one before that place stands behind the first one after it, so that
    what goes from one to the other overlaps with it.
    """
    from difflib import SequenceMatcher  # noqa: PLC0415 - only where a change may have made something dangerous

    old, new = lines_of(diff.before or ""), lines_of(diff.after)
    start = common_start(old, new)
    end = common_start(old[start:][::-1], new[start:][::-1])
    gone, come = old[start : len(old) - end], new[start : len(new) - end]
    if len(gone) * len(come) > _MOST_COMPARED:
        return ((start + 1, start + len(come)),)
    steps = SequenceMatcher(None, gone, come, autojunk=False).get_opcodes()
    return tuple((start + first + 1, start + last) for kind, _, _, first, last in steps if kind != "equal")
