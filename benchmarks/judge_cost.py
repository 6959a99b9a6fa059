"""What judging one Write of a 2,000-line file costs, against parsing it with ast-grep alone; and each rule."""

from __future__ import annotations

import argparse
import http.server
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path

from ast_grep_py import SgRoot

from benchmarks import rule_cost
from benchmarks.measure import Ratio, in_turns, milliseconds
from leeboard.app.replay import RecordedFiles
from leeboard.model.event import PromptGiven, TextEdit, ToolCall, ToolFinished, ToolProposed
from leeboard.model.workspace import Workspace
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import ScenarioPlace, tell
from leeboard.testing.scenario_lines import ROOT, SESSION

LINES = 2_000
ROUNDS = 9
SOURCES = {"ordinary code": argparse, "a web server": http.server}

_numbers = count()


def measure() -> Iterator[Ratio]:
    """Every text is another one: nothing is answered from memory."""
    for name, module in SOURCES.items():
        text = two_thousand_lines(module.__file__ or "")
        judged = _Judged(text)
        parts: dict[str, Callable[[], object]] = {
            "parse": partial(_parse, text),
            "proposed": judged.propose,
            "finished": judged.finish,
        }
        taken = in_turns(parts, ROUNDS)
        for part in ("proposed", "finished"):
            detail = f"{milliseconds(taken[part])} / {milliseconds(taken['parse'])}"
            ratio = taken[part] / taken["parse"]
            yield Ratio(name=f"judging a Write {part}, {name} / parsing it", ratio=ratio, aim=3, detail=detail)
    yield from rule_cost.measure()


def two_thousand_lines(path: str) -> str:
    lines = Path(path).read_text(encoding="utf-8").split("\n")
    while len(lines) < LINES:
        lines = [*lines, *lines]
    return "\n".join(lines[:LINES])


def _parse(text: str) -> None:
    SgRoot(f"{text}\n# {next(_numbers)}", "python").root().kind()


class _Judged:
    """A session of its own for each Write; the finished one is that of the proposed one before it."""

    def __init__(self, text: str) -> None:
        self._text = text

    def propose(self) -> None:
        number = next(_numbers)
        edits = (TextEdit("", f"{self._text}\n# {number}"),)
        self._call = ToolCall(id=f"t{number}", tool="Write", action="write", paths=("src/mod.py",), edits=edits)
        self._store = MemoryStore()
        self._files = RecordedFiles(Workspace(ROOT).spell, {})
        self._place = ScenarioPlace(files=self._files, first=RecordedFiles(Workspace(ROOT).spell, {}))
        tell(PromptGiven(session=SESSION, key="p", cwd=ROOT, text="add the module"), self._store, place=self._place)
        proposed = ToolProposed(session=SESSION, key="c", cwd=ROOT, call=self._call)
        tell(proposed, self._store, place=self._place)

    def finish(self) -> None:
        finished = ToolFinished(session=SESSION, key="r", cwd=ROOT, call=self._call, outcome="done")
        self._files.observe(finished)
        tell(finished, self._store, place=self._place)
