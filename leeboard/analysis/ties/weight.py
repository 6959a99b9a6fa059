"""What the facts weigh: curves fitted on sessions with known strangers in them, read from a table.

Each fact has a curve of steps: from an edge on it weighs so much, in log odds of drift. Their sum is the weight of a
path; above zero it is more likely a stranger's than the work's own. `make fit` writes the table.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from leeboard.analysis.ties.fact import MEANINGS, READ_JUST_NOW, Facts, is_spoken_of, is_tie, topic_of
from leeboard.data import load


class Curve(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`weights` has one more than `edges`: below the first, between two, from the last on."""

    edges: tuple[float, ...]
    weights: tuple[float, ...]

    def at(self, value: float) -> float:
        return self.weights[bisect_right(self.edges, value)]


class GoalTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The fitted judge, and where it comes from."""

    provenance: dict[str, str]
    bias: float
    speak: float
    """Evidence of a run from which it is spoken of."""
    bare: float
    """Ties that weigh less than this together are none: where nothing whatever led to a path, that is enough."""
    given: dict[str, float]
    """What no splice can teach, set by hand: ties that common sense knows, and what caution adds."""
    curves: dict[str, Curve]


NEW_FILE = "it is a new file, which nothing could lead to"
_NEARLY, _CLEARLY = 0.75, 1.0
"""Where nothing whatever led to a path it is clearly spoken of; of new files it takes two."""


_IN_FORCE: list[GoalTable] = []


def goal_table() -> GoalTable:
    """The weights that goals are judged by: those that are shipped, or others for as long as somebody tries them."""
    if not _IN_FORCE:
        _IN_FORCE.append(load("judge/goal", GoalTable))
    return _IN_FORCE[-1]


@contextmanager
def judging_by(table: GoalTable) -> Iterator[None]:
    """Another table is in force meanwhile: rows to fit on are taken by one that doubts nothing, a fit is measured."""
    _IN_FORCE.append(table)
    try:
        yield
    finally:
        _IN_FORCE.pop()


class Tie(msgspec.Struct, frozen=True):
    """One fact in words, and what it weighs: above zero it speaks for drift."""

    text: str
    weight: float
    topic: str = ""
    """What it is about; empty where nothing else says the same."""


def weigh(facts: Facts, given: tuple[Tie, ...] = (), *, was_read: bool = False) -> tuple[float, tuple[Tie, ...]]:
    """The weight of a path, and every reason that has one, the heaviest first; `was_read`: at whatever time."""
    table = goal_table()
    reasons = list(given)
    ties = -sum(reason.weight for reason in given if reason.weight < 0 and reason.text != NEW_FILE)
    for name, curve in table.curves.items():
        if name in facts and (worth := curve.at(facts[name])):
            meaning = MEANINGS[name]
            text = meaning.against if worth > 0 else meaning.speaks_for
            if name == "read_early" and worth > 0 and was_read:
                text = READ_JUST_NOW
            reasons.append(Tie(text, worth, topic_of(name)))
            if worth < 0 and is_tie(name, facts):
                ties -= worth
    total = table.bias + sum(reason.weight for reason in reasons)
    if ties < table.bare and not is_spoken_of(facts):
        unknown = any(reason.text == NEW_FILE for reason in reasons)
        total = max(total, table.speak * _NEARLY if unknown else table.speak + _CLEARLY)
    return round(total, 3), tuple(sorted(reasons, key=lambda reason: (-abs(reason.weight), reason.text)))
