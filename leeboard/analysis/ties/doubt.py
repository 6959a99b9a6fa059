"""A run of doubtful changes: one may be an accident, several are a direction.

The evidence of a run is its heaviest doubt and a part of the others. They are not independent (a new corner of the work
makes all its files look strange), so they are never simply added up. A change that belongs lets all of them fade.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from leeboard.model.session import DOUBT_WINDOW, PATH_ROOM, Doubt

_PART = 0.4
"""Of each further doubt."""
_FURTHER = 3
_AGAIN = 0.25
"""A second change of a doubted file adds so much."""
_FADES = 0.8
CLEARED = -1.0
"""A doubted path stays so until something clearly ties it to the work: the next small edit of it says little."""
_MOST = 9.0
_ALONE, _SURE = 0.1, 0.4
"""One change alone stays just below what is spoken of, unless it weighs so much more than that: the least by which no
session of the fit is spoken to that would not be otherwise."""
DOUBTED = 0.5
"""The weight above which a path is in doubt: a little more than even odds."""
UNSURE = -0.5
"""The weight above which a path is kept in mind: its next change is weighed again, with all that was written so far."""


def in_doubt(doubts: Iterable[Doubt]) -> set[str]:
    """The paths that are more likely a stranger's than the work's."""
    return {doubt.path for doubt in doubts if doubt.weight > DOUBTED}


def evidence_of(doubts: Iterable[Doubt]) -> float:
    """What a run of doubts amounts to; zero for none."""
    weights = sorted((doubt.weight for doubt in doubts if doubt.weight > DOUBTED), reverse=True)
    return weights[0] + _PART * sum(weights[1 : 1 + _FURTHER]) if weights else 0.0


def doubts_after(doubts: tuple[Doubt, ...], weighed: Iterable[Doubt], speak: float) -> tuple[Doubt, ...]:
    """The run after one action: its paths with their weights, the heavier ones in doubt.

    `speak` is the evidence from which a run is spoken of.
    """
    known = {doubt.path: doubt for doubt in doubts}
    for change in weighed:
        before = known.pop(change.path, None)
        if before is not None and before.weight > DOUBTED and change.weight > CLEARED:
            known[change.path] = replace(before, weight=min(_MOST, max(change.weight, before.weight) + _AGAIN))
            continue
        if change.weight <= DOUBTED:
            known = {path: _faded(doubt) for path, doubt in known.items()}
        if change.weight > UNSURE and len(change.path) <= PATH_ROOM:
            known[change.path] = replace(change, weight=_at_first(change.weight, speak))
    heavy, light = ([path for path, one in known.items() if (one.weight > DOUBTED) is so] for so in (True, False))
    kept = {*heavy[-DOUBT_WINDOW:], *light[-DOUBT_WINDOW:]}
    return tuple(replace(doubt, weight=round(doubt.weight, 3)) for doubt in known.values() if doubt.path in kept)


def _at_first(weight: float, speak: float) -> float:
    return min(_MOST, weight) if weight >= speak + _SURE else min(weight, speak - _ALONE)


def _faded(doubt: Doubt) -> Doubt:
    return replace(doubt, weight=doubt.weight * _FADES) if doubt.weight > DOUBTED else doubt
