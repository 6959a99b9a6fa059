"""Rows to fit the goal judge on: every first change of a file in recorded sessions, and strangers set in between.

    python -m tools.judge_rows FOLDER... [--by TABLE.toml] > rows.jsonl

A folder holds transcripts (`*.jsonl`, those of one repository beside each other) or scripted sessions
(`tests/sessions`). Each session is replayed without rules, by a given table or by one that doubts nothing, never by the
one in force, so that what was fitted on another day has no say. A stranger is the first change of a file in another
session of the same repository, to a file that this one never touches or names, put at a place where this session comes
to a new file itself; it counts as read before, as the client demands. Facts only, no words, no paths.
"""

from __future__ import annotations

import argparse
import json
import os
import posixpath
import random
import sys
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from leeboard.analysis.analyse import analyse
from leeboard.analysis.occasion import terms_wanted
from leeboard.analysis.relation import GIVEN_TEXTS, Relation, relations_of
from leeboard.analysis.ties.weight import GoalTable, goal_table, judging_by
from leeboard.app.handle import SILENT, RunSetting, handle, world_of
from leeboard.app.replay import MOMENTS, open_reader, sniff
from leeboard.model.event import Event, PromptGiven, ToolCall, ToolFinished, ToolProposed
from leeboard.model.fold import fold
from leeboard.model.ledger import Met
from leeboard.model.lookup import Around, Tree
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.model.workspace import Workspace, is_inside
from leeboard.store.memory import MemoryStore
from tools.splice_figures import load

KINDS = ("easy", "hard")
DOUBTS_NOTHING = GoalTable(
    provenance={}, bias=-99.0, speak=99.0, bare=0.0, given=dict.fromkeys(GIVEN_TEXTS.values(), 1.0), curves={}
)
"""Every path belongs, whatever its facts; what is given by hand weighs what it holds."""
_DONORS, _RUN, _TRIES = 12, 3, 2
_LARGEST = 8_000_000


class Played(msgspec.Struct):
    """A recorded session, with what others must not repeat."""

    name: str
    repo: str
    root: str
    events: list[Event]
    touched: frozenset[str]
    spoken: str
    changes: list[tuple[str, ToolCall]]
    """First finished change of each file by an edit of the main agent, in order."""


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.judge_rows", description=__doc__)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--by", type=Path, help="a table: what it doubts is no part of the work that others lie near")
    asked = parser.parse_args(arguments)
    table = msgspec.convert(tomllib.loads(asked.by.read_text("utf-8")), GoalTable) if asked.by else DOUBTS_NOTHING
    for folder in asked.folders:
        for row in rows_of(list(sessions_of(folder)), os.cpu_count() or 1, table):
            sys.stdout.write(json.dumps(row, sort_keys=True) + "\n")


def sessions_of(folder: str) -> Iterator[Played]:
    found = sorted(Path(folder).rglob("*.jsonl"))
    for path in found:
        if path.stat().st_size <= _LARGEST:
            data = path.read_bytes()
            yield _played(data, path.stem, str(path.parent))
    for held_out in (False, True) if not found else ():
        for one in load(folder, held_out=held_out):
            yield _played(b"".join(one.lines), f"{one.name}{'#' if held_out else ''}", one.repo)


def _played(data: bytes, name: str, repo: str) -> Played:
    client = sniff(data[: 1 << 20])
    reader = open_reader(client) if client else None
    events = [*reader.feed(data), *reader.finish()] if reader else []
    root = next((event.cwd for event in events if event.cwd), "").replace("\\", "/")
    place = Workspace(root)
    done = {event.call.id for event in events if isinstance(event, ToolFinished) and event.outcome == "done"}
    changes: dict[str, ToolCall] = {}
    touched: set[str] = set()
    for event in events:
        if isinstance(event, ToolProposed):
            paths = [place.spell(path, event.cwd) for path in event.call.paths]
            touched.update(paths)
            if not event.agent and event.call.action in {"edit", "write"} and event.call.id in done:
                changes |= {path: event.call for path in paths[:1] if is_inside(path) and path not in changes}
    spoken = "\n".join(event.text for event in events if isinstance(event, PromptGiven))
    return Played(name, repo, root, events, frozenset(touched), spoken, list(changes.items()))


def rows_of(sessions: list[Played], jobs: int = 1, table: GoalTable = DOUBTS_NOTHING) -> Iterator[dict[str, Any]]:
    """In the order of the sessions, however many processes play them."""
    _SHARED[:] = sessions
    with ProcessPoolExecutor(jobs) as pool:
        for rows in pool.map(partial(_rows, table), range(len(sessions)), chunksize=2):
            yield from rows


_SHARED: list[Played] = []
"""The processes are forked, so that no session is sent."""


def _rows(table: GoalTable, number: int) -> list[dict[str, Any]]:
    session = _SHARED[number]
    others = [one for one in _SHARED if one.repo == session.repo and one is not session]
    with judging_by(table):
        return list(_Bench(session, others).rows())


class _Bench:
    """One session, replayed event by event; wherever it comes to a new file, strangers are tried as well."""

    def __init__(self, session: Played, others: list[Played]) -> None:
        self._played = session
        self._others = others
        self._chance = random.Random(session.name)  # noqa: S311 - the same rows every time, nothing to guess
        self._store = MemoryStore(keep_rows=False)
        self._setting = RunSetting(workspace=Workspace(session.root), policy=Policy())
        self._here = {"group": session.name, "repo": posixpath.basename(session.repo)}
        self._numbers: dict[str, int] = {}
        self._id = next((event.session for event in session.events if event.session), session.name)

    def rows(self) -> Iterator[dict[str, Any]]:
        events = [replace(event, session=self._id) for event in self._played.events]
        tried = 0
        for number, event in enumerate(events):
            if isinstance(event, ToolProposed) and event.call.action in {"edit", "write", "bash"}:
                relations = self._relations(event)
                found = [one for one in relations if "near" in one.facts]
                again = [one.path for one in relations if one.settled and one.path in self._numbers]
                yield from (self._row(one, {"y": 0, "at": number, "file": self._number(one.path)}) for one in found)
                yield from ({**self._here, "y": 0, "at": number, "again": self._number(path)} for path in again)
                for kind in KINDS * _TRIES if found else ():
                    tried += 1
                    yield from self._weighed_run(kind, self._stranger(kind), tried)
            handle((event,), MOMENTS.get(type(event), SILENT), self._store, self._setting)

    def _number(self, path: str) -> int:
        return self._numbers.setdefault(path, len(self._numbers))

    def _stranger(self, kind: str) -> list[tuple[str, ToolCall]]:
        """Changes of a donor: in a folder that the host touches, or in one it does not."""
        here, chance = self._played, self._chance
        folders = {posixpath.dirname(path) for path in here.touched}
        for donor in chance.sample(self._others, min(_DONORS, len(self._others))):
            run = [
                (path, call)
                for path, call in donor.changes
                if path not in here.touched
                and posixpath.basename(path) not in here.spoken
                and (posixpath.dirname(path) in folders) == (kind == "hard")
            ]
            if run:
                return run[:_RUN]
        return []

    def _weighed_run(self, kind: str, run: list[tuple[str, ToolCall]], at: int) -> Iterator[dict[str, Any]]:
        for nth, (path, call) in enumerate(run):
            own = replace(call, id=f"stranger-{nth}", paths=(posixpath.join(self._played.root, path),))
            event = ToolProposed(session=self._id, call=own, cwd=self._played.root)
            told = {"y": 1, "kind": kind, "pair": f"{self._played.name}:{at}", "nth": nth}
            for one in self._relations(event, read=path if call.action == "edit" else ""):
                if "near" in one.facts:
                    yield self._row(one, told)

    def _relations(self, event: ToolProposed, read: str = "") -> list[Relation]:
        session = self._store.session(self._id) or Session(id=self._id, root=self._played.root)
        analysis = analyse(event, self._setting.workspace)
        session, _mentions = fold(session, analysis)
        world = world_of(analysis, session, self._setting)
        if not session.goals:
            return []
        rows = dict(self._store.rows(self._id, terms_wanted(world)))
        if read:
            rows[read] = rows.get(read, 0) | Met.READ
        return list(relations_of(world, rows, Around(self._store, self._id, Tree())).values())

    def _row(self, relation: Relation, told: dict[str, Any]) -> dict[str, Any]:
        facts = {name: round(value, 4) for name, value in relation.facts.items()}
        worth = goal_table().given
        held = {GIVEN_TEXTS[reason.text]: reason.weight for reason in relation.reasons if reason.text in GIVEN_TEXTS}
        given = {name: round(weight / worth[name], 3) for name, weight in held.items() if worth[name]}
        return {**self._here, "given": given, **told, "facts": facts}


if __name__ == "__main__":
    main(sys.argv[1:])
