"""Additive curves over the facts of rows, learnt by boosted stumps.

Each round takes the one step of one curve that helps most, in the direction common sense allows; the sums of these
steps are the curves. Sums are exact and chance has a seed, so that the same rows give the same curves to the last bit.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from leeboard.analysis.ties.fact import is_tie

ROUNDS, RATE, RIDGE, BINS, SHARE, LEAST = 300, 0.07, 2.0, 5, 0.6, 15.0
SCRIPTED, PART_SCRIPTED = "scripted", 0.4
"""What a row of a scripted session weighs beside one of a recording."""
Row = dict[str, Any]


class Sums(NamedTuple):
    """Over some of the rows: how far they pull, how the pull bends, how many there are."""

    pull: float
    bend: float
    amount: float

    def less(self, other: Sums) -> Sums:
        return Sums(*(mine - its for mine, its in zip(self, other, strict=True)))

    @property
    def step(self) -> float:
        return self.pull / (self.bend + RIDGE)


class Step(NamedTuple):
    """From an edge of a curve on it weighs `high` more, below it `low`."""

    name: str
    edge: int
    low: float
    high: float


class Column(msgspec.Struct):
    """One fact of all rows, and the curve it is learning."""

    sign: int
    edges: list[float]
    bins: list[list[int]]
    """The rows below the first edge, between two, from the last on. Rows that do not have the fact are in none."""
    curve: list[float]

    def best(self, name: str, at: Sequence[Sums]) -> tuple[float, Step | None]:
        """The step that gains most; `at` has the sums of each bin."""
        whole = _total(at)
        best, step = 0.0, None
        for edge in range(len(self.edges)):
            above = _total(at[edge + 1 :])
            below = whole.less(above)
            if min(above.amount, below.amount) < LEAST or (above.step - below.step) * self.sign <= 0:
                continue
            gain = below.pull * below.step + above.pull * above.step
            if gain > best:
                best, step = gain, Step(name, edge, below.step, above.step)
        return best, step


class Fit:
    """Curves by the name of their fact, and the bias."""

    def __init__(self, rows: Sequence[Row], signs: Mapping[str, int]) -> None:
        self.columns = {
            name: _column(name, rows, signs[name]) for name in sorted({n for r in rows for n in r["facts"]})
        }
        self.bias = 0.0
        self._learn([float(row["y"]) for row in rows], weights(rows))

    def _learn(self, y: list[float], w: list[float]) -> None:
        chance = random.Random(1)  # noqa: S311 - the same curves every time, nothing to guess
        margin = [0.0] * len(y)
        for _round in range(ROUNDS):
            odds = [1 / (1 + math.exp(-one)) for one in margin]
            pull = [each * (so - p) for each, so, p in zip(w, y, odds, strict=True)]
            bend = [each * p * (1 - p) for each, p in zip(w, odds, strict=True)]
            found = [
                column.best(name, [_sums(rows, pull, bend, w) for rows in column.bins])
                for name, column in self.columns.items()
                if chance.random() <= SHARE
            ]
            step = max(found, key=lambda one: one[0], default=(0.0, None))[1]
            if step is not None:
                self._take(step, margin)
            shift = RATE * math.fsum(
                each * (so - 1 / (1 + math.exp(-one))) for each, so, one in zip(w, y, margin, strict=True)
            )
            shift /= math.fsum(bend)
            margin = [one + shift for one in margin]
            self.bias += shift

    def _take(self, step: Step, margin: list[float]) -> None:
        column = self.columns[step.name]
        for at, rows in enumerate(column.bins):
            worth = RATE * (step.high if at > step.edge else step.low)
            column.curve[at] += worth
            for row in rows:
                margin[row] += worth

    def weigh(self, row: Row, given: Mapping[str, float]) -> tuple[float, float]:
        """The weight of a row with what is given by hand, and what its ties weigh together: being new is none."""
        worth = [given[name] * so for name, so in row["given"].items()]
        ties = [given[name] * so for name, so in row["given"].items() if name != "new_file" and given[name] < 0]
        for name, value in row["facts"].items():
            if name in self.columns:
                column = self.columns[name]
                worth.append(column.curve[bisect_right(column.edges, value)])
                ties += [min(0.0, worth[-1])] if is_tie(name, row["facts"]) else []
        return self.bias + math.fsum(worth), -math.fsum(ties)


def _column(name: str, rows: Sequence[Row], sign: int) -> Column:
    values = [(at, float(row["facts"][name])) for at, row in enumerate(rows) if name in row["facts"]]
    edges = edges_of([value for _at, value in values])
    bins: list[list[int]] = [[] for _ in range(len(edges) + 1)]
    for at, value in values:
        bins[bisect_right(edges, value)].append(at)
    return Column(sign, edges, bins, [0.0] * len(bins))


def _sums(rows: list[int], *columns: list[float]) -> Sums:
    return Sums(*(math.fsum(map(column.__getitem__, rows)) for column in columns))


def _total(sums: Sequence[Sums]) -> Sums:
    return Sums(*(math.fsum(column) for column in zip(*sums, strict=True)))


def edges_of(values: Sequence[float]) -> list[float]:
    """Where a curve may step: between the few values there are, or at quantiles of many."""
    found = sorted({round(value, 4) for value in values})
    if len(found) > BINS + 1:
        ordered = sorted(values)
        above = [value for value in ordered if value > ordered[0]]
        picked = [quantile(ordered, at / (BINS + 1)) for at in range(BINS + 2)]
        found = sorted({round(value, 3) for value in (*picked, *(quantile(above, at) for at in (0.0, 0.3, 0.6)))})
    return found[1:]


def quantile(ordered: Sequence[float], share: float) -> float:
    """Between the two values next to that place."""
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def weights(rows: Sequence[Row]) -> list[float]:
    """Own and foreign rows weigh the same, and scripted sessions less than recorded ones."""
    amount: dict[tuple[str, int], int] = defaultdict(int)
    for row in rows:
        amount[row["project"], row["y"]] += 1
    scale = {project: PART_SCRIPTED if project == SCRIPTED else 1.0 for project, _y in amount}
    w = [scale[row["project"]] * amount[row["project"], 0] / amount[row["project"], row["y"]] for row in rows]
    whole = math.fsum(w)
    return [one / whole * len(rows) for one in w]
