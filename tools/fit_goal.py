"""Fit the goal judge: additive curves over the facts of rows that `tools.judge_rows` wrote, into a table.

    python -m tools.fit_goal ROWS.jsonl TABLE.toml      (numpy; `make fit` has an environment for it)

Boosted stumps: each round takes the one step of one curve that helps most, in the direction common sense allows. The
sums of these steps are the curves. No chance beyond a seed, no threads: the same rows give the same bytes. The
evidence from which to speak is the least that leaves all but a given share of the ordinary sessions in peace, each of
them judged by a fit that has not seen it.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np  # type: ignore[import-not-found]  # lives in the environment of `make fit` alone

from leeboard.analysis.ties.doubt import DOUBTED, doubts_after, evidence_of
from leeboard.analysis.ties.fact import MEANINGS, is_spoken_of
from leeboard.model.session import Doubt

ROUNDS, RATE, RIDGE, BINS, SHARE, LEAST = 300, 0.07, 2.0, 5, 0.6, 15.0
FOLDS = 5
SCRIPTED, PART_SCRIPTED = "scripted", 0.4
"""What a row of a scripted session weighs beside one of a recording."""
LOUD = (0.035, 0.08)
"""Share of the ordinary sessions that may be spoken to: of recordings, and of scripted ones."""
NOTHING_LED, NEW_FILE = 9.0, 1.4
"""What a path weighs that nothing whatever led to: one that is there, and one that is only now written."""
SETTLED = -9.0
BARE = 0.3
"""Ties that weigh less together are none."""
Row = dict[str, Any]


class Fit:
    """Curves by name: edges, and what lies below, between and above them weighs."""

    def __init__(self, rows: list[Row], signs: dict[str, int], given: dict[str, float]) -> None:
        self.names = sorted({name for row in rows for name in row["facts"]})
        self.signs = signs
        self.given = given
        self.edges: dict[str, np.ndarray] = {}
        self.curves: dict[str, np.ndarray] = {}
        self.bias = 0.0
        self._learn(rows)

    def _learn(self, rows: list[Row]) -> None:
        values, y, w = self._matrix(rows), np.array([float(row["y"]) for row in rows]), weights(rows)
        chance = np.random.RandomState(1)
        known, above = {}, {}
        for at, name in enumerate(self.names):
            column = values[:, at]
            known[name] = ~np.isnan(column)
            self.edges[name] = edges_of(column[known[name]])
            self.curves[name] = np.zeros(len(self.edges[name]) + 1)
            above[name] = [known[name] & (np.nan_to_num(column, nan=-9.0) >= edge) for edge in self.edges[name]]
        margin = np.zeros(len(rows))
        for _round in range(ROUNDS):
            p = 1 / (1 + np.exp(-margin))
            pull, bend = w * (y - p), w * p * (1 - p)
            step = self._best_step(known, above, (pull, bend, w), chance.rand(len(self.names)) <= SHARE)
            if step is not None:
                name, edge, low, high = step
                margin += RATE * np.where(above[name][edge], high, np.where(known[name], low, 0.0))
                self.curves[name][: edge + 1] += RATE * low
                self.curves[name][edge + 1 :] += RATE * high
            shift = RATE * (w * (y - 1 / (1 + np.exp(-margin)))).sum() / bend.sum()
            margin += shift
            self.bias += shift

    def _best_step(
        self, known: dict[str, Any], above: dict[str, Any], sums: tuple[Any, Any, Any], tried: Any
    ) -> tuple[str, int, float, float] | None:
        pull, bend, w = sums
        best, step = 0.0, None
        for at, name in enumerate(self.names):
            if not tried[at]:
                continue
            here = known[name]
            all_pull, all_bend, all_w = pull[here].sum(), bend[here].sum(), w[here].sum()
            for edge, rows in enumerate(above[name]):
                up_pull, up_bend, up_w = pull[rows].sum(), bend[rows].sum(), w[rows].sum()
                if up_w < LEAST or all_w - up_w < LEAST:
                    continue
                low, high = (all_pull - up_pull) / (all_bend - up_bend + RIDGE), up_pull / (up_bend + RIDGE)
                if (high - low) * self.signs[name] <= 0:
                    continue
                gain = (all_pull - up_pull) * low + up_pull * high
                if gain > best:
                    best, step = gain, (name, edge, low, high)
        return step

    def _matrix(self, rows: list[Row]) -> np.ndarray:
        return np.array([[row["facts"].get(name, np.nan) for name in self.names] for row in rows])

    def margin(self, rows: list[Row]) -> tuple[np.ndarray, np.ndarray]:
        """The weight of each row with what is given by hand, and what its ties weigh together."""
        given = [[self.given[name] * so for name, so in row["given"].items()] for row in rows]
        total = np.array([self.bias + sum(worth) for worth in given])
        ties = np.array([-sum(one for one in worth if one < 0) for worth in given])
        values = self._matrix(rows)
        for at, name in enumerate(self.names):
            column = values[:, at]
            there = ~np.isnan(column)
            worth = self.curves[name][np.searchsorted(self.edges[name], column[there], side="right")]
            total[there] += worth
            ties[there] -= np.minimum(worth, 0.0)
        return total, ties


def edges_of(values: np.ndarray) -> np.ndarray:
    """Where a curve may step: between the few values there are, or at quantiles of many."""
    found = np.unique(np.round(values, 4))
    if len(found) > BINS + 1:
        positive = values[values > values.min()]
        quantiles = np.quantile(values, np.linspace(0, 1, BINS + 2)), np.quantile(positive, [0, 0.3, 0.6])
        found = np.unique(np.round(np.concatenate(quantiles), 3))
    return found[1:]


def weights(rows: list[Row]) -> np.ndarray:
    """Own and foreign rows weigh the same, and scripted sessions less than recorded ones."""
    amount: dict[tuple[str, int], int] = defaultdict(int)
    for row in rows:
        amount[row["project"], row["y"]] += 1
    own = {project: amount[project, 0] for project, _y in amount}
    scale = {one: PART_SCRIPTED if one == SCRIPTED else 1.0 for one in own}
    w = np.array([scale[row["project"]] * own[row["project"]] / amount[row["project"], row["y"]] for row in rows])
    return w / w.sum() * len(rows)


def held_out(rows: list[Row], signs: dict[str, int], given: dict[str, float]) -> np.ndarray:
    """The weight of each row by a fit that has seen nothing of its session."""
    groups = sorted({row["group"] for row in rows})
    fold = {group: int(hashlib.sha256(group.encode()).hexdigest(), 16) % FOLDS for group in groups}
    found, ties = np.zeros(len(rows)), np.zeros(len(rows))
    for number in range(FOLDS):
        rest = [row for row in rows if fold[row["group"]] != number]
        here = [at for at, row in enumerate(rows) if fold[row["group"]] == number]
        if here and rest:
            found[here], ties[here] = Fit(rest, signs, given).margin([rows[at] for at in here])
    bare = (ties < BARE) & np.array([not is_spoken_of(row["facts"]) for row in rows])
    led = np.array([NOTHING_LED if "found" in row["facts"] else NEW_FILE for row in rows])
    return np.where(bare, np.maximum(found, led), found)


Run = list[tuple[int, int, float]]
"""When, which file, what it weighs; a file that comes again weighs nothing of its own."""


def runs(rows: list[Row], margin: np.ndarray) -> tuple[dict[str, Run], dict[tuple[str, str], Run]]:
    """The changes of each ordinary session, and of each run of strangers."""
    own: dict[str, Run] = defaultdict(list)
    foreign: dict[tuple[str, str], Run] = defaultdict(list)
    for row, weight in zip(rows, margin, strict=True):
        if row["y"]:
            foreign[row["kind"], row["pair"]].append((row["nth"], row["nth"], weight))
        elif "again" in row:
            own[row["group"]].append((row["at"], row["again"], float("nan")))
        else:
            own[row["group"]].append((row["at"], row["file"], weight))
    return own, foreign


def most(run: Run, speak: float) -> float:
    """The most evidence a run comes to."""
    doubts: tuple[Doubt, ...] = ()
    best = 0.0
    for _at, file, weight in sorted(run, key=lambda one: one[:2]):
        path, known = str(file), {doubt.path: doubt.weight for doubt in doubts}
        worth = known.get(path, SETTLED) if np.isnan(weight) else float(weight)
        doubts = doubts_after(doubts, (Doubt(path, worth),), speak)
        if worth > DOUBTED:
            best = max(best, evidence_of(doubts))
    return best


def loud(found: dict[Any, Run], speak: float) -> float:
    """The share of the runs that are spoken of."""
    return float(np.mean([most(run, speak) >= speak for run in found.values()])) if found else 0.0


def least_to_speak(own: dict[str, Run], share: float) -> float:
    """The least evidence to speak at that leaves all but a share of the ordinary sessions in peace."""
    return next(speak / 100 for speak in range(60, 900) if loud(own, speak / 100) <= share)


def figures(own: dict[str, Run], foreign: dict[tuple[str, str], Run], speak: float) -> str:
    parts = [f"{len(own)} sessions, spoken to {100 * loud(own, speak):.1f} %"]
    for kind in ("easy", "hard"):
        here = {key: run for key, run in foreign.items() if key[0] == kind}
        parts.append(f"{kind} {100 * loud(here, speak):.0f} % of {len(here)}" if here else f"{kind} none")
    return ", ".join(parts)


def table_text(fit: Fit, speak: float, provenance: dict[str, str], given: dict[str, float]) -> str:
    lines = ["# Written by `make fit`. What is under [given] is set by hand and kept.", ""]
    lines += [f"bias = {fit.bias:.3f}", f"speak = {speak:.2f}", f"bare = {BARE}", "", "[provenance]"]
    lines += [f"{key} = {json.dumps(value)}" for key, value in provenance.items()]
    lines += ["", "[given]", *(f"{key} = {value}" for key, value in given.items())]
    for name in fit.names:
        weights_ = [round(float(one), 3) + 0.0 for one in fit.curves[name]]
        if any(weights_):
            edges, kept = [], [weights_[0]]
            for edge, worth in zip(fit.edges[name], weights_[1:], strict=True):
                if worth != kept[-1]:
                    edges.append(float(edge))
                    kept.append(worth)
            lines += ["", f"[curves.{name}]", f"edges = {edges}", f"weights = {kept}"]
    return "\n".join(lines) + "\n"


def main(source: str, table: str) -> None:
    data = Path(source).read_bytes()
    rows = [json.loads(line) for line in data.splitlines()]
    for row in rows:
        row["project"] = SCRIPTED if "/" in row["group"] else row["repo"]
    weighed, repeats = ([row for row in rows if ("again" in row) is so] for so in (False, True))
    old = tomllib.loads(Path(table).read_text(encoding="utf-8"))
    signs = {name: meaning.sign for name, meaning in MEANINGS.items()}
    margin = np.concatenate([held_out(weighed, signs, old["given"]), np.full(len(repeats), np.nan)])
    told = np.array([row["project"] for row in (*weighed, *repeats)])
    projects = {one: pick([*weighed, *repeats], margin, told == one) for one in sorted(set(told))}
    speak = max(least_to_speak(own, LOUD[one == SCRIPTED]) for one, (own, _foreign) in projects.items())
    for project, (own, foreign) in projects.items():
        for more in (-0.4, -0.2, 0.0, 0.2, 0.4):
            print(f"{speak + more:.2f}", project, figures(own, foreign, speak + more))
    fit = Fit(weighed, signs, old["given"])
    provenance = {
        "made_by": "make fit",
        "rows": f"{len(weighed)} rows of {len({row['group'] for row in weighed})} sessions",
        "digest": hashlib.sha256(data).hexdigest()[:16],
        "speaks": f"to {100 * LOUD[0]:.1f} % at most of the ordinary recorded sessions that change files, to "
        f"{100 * LOUD[1]:.1f} % of the scripted ones, each judged by a fit that has not seen it",
    }
    Path(table).write_text(table_text(fit, speak, provenance, old["given"]), encoding="utf-8")


def pick(rows: list[Row], margin: np.ndarray, chosen: np.ndarray) -> tuple[dict[str, Run], dict[tuple[str, str], Run]]:
    return runs([row for row, so in zip(rows, chosen, strict=True) if so], margin[chosen])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
