"""Fit the goal judge: additive curves over the facts of rows that `tools.judge_rows` wrote, into a table.

    python -m tools.fit_goal ROWS.jsonl TABLE.toml
    python -m tools.fit_goal ROWS.jsonl TABLE.toml --unseen

The same rows give the same bytes. The evidence from which to speak is the least that leaves all but a given share of
the ordinary sessions in peace, each of them judged by a fit that has not seen it. `--unseen` writes nothing: it tells
how fits of the same kind do, with the table's own evidence, on the other half of the recorded sessions and on the
project that was left out whole.
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from leeboard.analysis.ties.doubt import DOUBTED, doubts_after, evidence_of
from leeboard.analysis.ties.fact import MEANINGS, is_spoken_of
from leeboard.model.session import Doubt
from tools.curves import SCRIPTED, Fit, Row

FOLDS = 5
LOUD = (0.03, 0.08)
"""Share of the ordinary sessions that may be spoken to: of recordings that change files, and of scripted ones.

Scripted ones are harder. Silence goes first: what is noticed follows from it, and has no say in it.
"""
NOTHING_LED, NEW_FILE = 9.0, 1.4
"""What a path weighs that nothing whatever led to: one that is there, and one that is only now written."""
SETTLED = -9.0
BARE = 0.4
"""Ties that weigh less together are none."""
SIGNS = {name: meaning.sign for name, meaning in MEANINGS.items()}
AGAIN = math.nan
"""The weight of a row that is no first change."""


def read_rows(data: bytes) -> list[Row]:
    """The rows of a file, each with its project."""
    rows: list[Row] = [json.loads(line) for line in data.splitlines()]
    for row in rows:
        row["project"] = SCRIPTED if "/" in row["group"] else row["repo"]
    return rows


def held_out(rows: Sequence[Row], given: Mapping[str, float]) -> list[float]:
    """The weight of each row by a fit that has seen nothing of its session."""
    fold = {group: int(hashlib.sha256(group.encode()).hexdigest(), 16) % FOLDS for group in {r["group"] for r in rows}}
    found = [AGAIN] * len(rows)
    rests = [[row for row in rows if fold[row["group"]] != number and "again" not in row] for number in range(FOLDS)]
    with ProcessPoolExecutor(FOLDS) as pool:
        fits = list(pool.map(partial(Fit, signs=SIGNS), rests))
    for at, row in enumerate(rows):
        if "again" not in row:
            found[at] = _weight(fits[fold[row["group"]]], row, given)
    return found


def _weight(fit: Fit, row: Row, given: Mapping[str, float]) -> float:
    weight, ties = fit.weigh(row, given)
    if ties >= BARE or is_spoken_of(row["facts"]):
        return weight
    return max(weight, NOTHING_LED if "found" in row["facts"] else NEW_FILE)


Run = list[tuple[int, int, float]]
"""When, which file, what it weighs; a file that comes again weighs nothing of its own."""


def runs(rows: list[Row], margin: Sequence[float]) -> tuple[dict[str, Run], dict[tuple[str, str], Run]]:
    """The changes of each ordinary session, and of each run of strangers."""
    own: dict[str, Run] = defaultdict(list)
    foreign: dict[tuple[str, str], Run] = defaultdict(list)
    for row, weight in zip(rows, margin, strict=True):
        if row["y"]:
            foreign[row["kind"], row["pair"]].append((row["nth"], row["nth"], weight))
        elif "again" in row:
            own[row["group"]].append((row["at"], row["again"], AGAIN))
        else:
            own[row["group"]].append((row["at"], row["file"], weight))
    return own, foreign


def most(run: Run, speak: float) -> float:
    """The most evidence a run comes to."""
    doubts: tuple[Doubt, ...] = ()
    best = 0.0
    for _at, file, weight in sorted(run, key=lambda one: one[:2]):
        path, known = str(file), {doubt.path: doubt.weight for doubt in doubts}
        worth = known.get(path, SETTLED) if math.isnan(weight) else float(weight)
        doubts = doubts_after(doubts, (Doubt(path, worth),), speak)
        if worth > DOUBTED:
            best = max(best, evidence_of(doubts))
    return best


def loud(found: dict[Any, Run], speak: float) -> float:
    """The share of the runs that are spoken of."""
    return sum(most(run, speak) >= speak for run in found.values()) / len(found) if found else 0.0


def least_to_speak(own: dict[str, Run], share: float) -> float:
    """The least evidence to speak at that leaves all but a share of the ordinary sessions in peace."""
    return next(speak / 100 for speak in range(60, 900) if loud(own, speak / 100) <= share)


def figures(own: dict[str, Run], foreign: dict[tuple[str, str], Run], speak: float) -> str:
    parts = [f"{len(own)} sessions, spoken to {100 * loud(own, speak):.1f} %"]
    for kind in ("easy", "hard"):
        here = {key: run for key, run in foreign.items() if key[0] == kind}
        parts.append(f"{kind} {100 * loud(here, speak):.0f} % of {len(here)}" if here else f"{kind} none")
    return ", ".join(parts)


def table_text(fit: Fit, speak: float, provenance: Mapping[str, str], given: Mapping[str, float]) -> str:
    lines = ["# Written by `make fit`. What is under [given] is set by hand and kept.", ""]
    lines += [f"bias = {fit.bias:.3f}", f"speak = {speak:.2f}", f"bare = {BARE}", "", "[provenance]"]
    lines += [f"{key} = {json.dumps(value)}" for key, value in provenance.items()]
    lines += ["", "[given]", *(f"{key} = {value}" for key, value in given.items())]
    for name, column in fit.columns.items():
        weights = [round(one, 3) + 0.0 for one in column.curve]
        if any(weights):
            edges, kept = [], [weights[0]]
            for edge, worth in zip(column.edges, weights[1:], strict=True):
                if worth != kept[-1]:
                    edges.append(edge)
                    kept.append(worth)
            lines += ["", f"[curves.{name}]", f"edges = {edges}", f"weights = {kept}"]
    return "\n".join(lines) + "\n"


def fitted(data: bytes, given: Mapping[str, float], speak: float | None = None) -> str:
    """The table that rows give. Without `speak` it is found, and what it costs to move it is printed."""
    rows = read_rows(data)
    weighed = [row for row in rows if "again" not in row]
    if speak is None:
        speak = _speak(rows, held_out(rows, given))
    provenance = {
        "made_by": "make fit",
        "rows": f"{len(weighed)} rows of {len({row['group'] for row in weighed})} sessions",
        "digest": hashlib.sha256(data).hexdigest()[:16],
        "speaks": f"to {100 * LOUD[0]:.1f} % at most of the ordinary recorded sessions that change files, to "
        f"{100 * LOUD[1]:.1f} % of the scripted ones, each judged by a fit that has not seen it",
    }
    return table_text(Fit(weighed, SIGNS), speak, provenance, given)


def _speak(rows: Sequence[Row], margin: Sequence[float]) -> float:
    projects = {}
    for project in sorted({row["project"] for row in rows}):
        here = [(row, weight) for row, weight in zip(rows, margin, strict=True) if row["project"] == project]
        projects[project] = runs([row for row, _weight in here], [weight for _row, weight in here])
    speak = max(least_to_speak(own, LOUD[one == SCRIPTED]) for one, (own, _foreign) in projects.items())
    for project, (own, foreign) in projects.items():
        for more in (-0.4, -0.2, 0.0, 0.2, 0.4):
            print(f"{speak + more:.2f}", project, figures(own, foreign, speak + more))
    return speak


def unseen(rows: Sequence[Row], given: Mapping[str, float], speak: float) -> Iterator[str]:
    """Figures on what a fit has not seen: each half of the recorded sessions, and each project."""
    recorded = sorted({row["group"] for row in rows if row["project"] != SCRIPTED})
    projects = sorted({row["project"] for row in rows})
    parts = [(f"half {at + 1} of the recorded sessions", set(recorded[at::2])) for at in (0, 1)]
    if len(projects) > 1:
        parts += [(f"all of {one}", {row["group"] for row in rows if row["project"] == one}) for one in projects]
    for name, left_out in parts:
        fit = Fit([row for row in rows if row["group"] not in left_out and "again" not in row], SIGNS)
        here = [row for row in rows if row["group"] in left_out]
        margin = [AGAIN if "again" in row else _weight(fit, row, given) for row in here]
        yield f"{name}, never seen: {figures(*runs(here, margin), speak)}"


def main(source: str, table: str, *asked: str) -> None:
    place = Path(table)
    old = tomllib.loads(place.read_text(encoding="utf-8"))
    data = Path(source).read_bytes()
    if "--unseen" in asked:
        for line in unseen(read_rows(data), old["given"], old["speak"]):
            print(line, flush=True)
        return
    place.write_text(fitted(data, old["given"]), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
