"""The words of a project's history, found by SQLite's own full-text search.

It is a cache in a file of its own, brought up to date by whoever asks: no event pays for it. A session whose version
has moved is taken in anew; a session that was forgotten goes with the file, which `purge` throws away. Only the newest
matches are ranked, by SQLite's own `bm25`: a word counts by how few passages have it, and less in a long one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from posixpath import join
from typing import Literal, NamedTuple

from leeboard.errors import EffectError, StateError
from leeboard.io import places
from leeboard.model.text import digest
from leeboard.store.database import STEP, Database
from leeboard.text.words import content_words

SHAPE = 1
"""The shape of the tables. A file of another shape is made anew."""
NEWEST = 200
"""So many of the newest matches are ranked."""
LONGEST = 4_000
"""Characters of a passage that are taken in."""
DAY = 86_400.0

PassageKind = Literal["step", "decision", "task"]

_TABLES = (
    "CREATE TABLE taken (session TEXT PRIMARY KEY, version INTEGER NOT NULL, updated REAL NOT NULL) WITHOUT ROWID",
    "CREATE INDEX taken_updated ON taken (updated)",
    "CREATE TABLE passage (id INTEGER PRIMARY KEY, session TEXT NOT NULL, kind TEXT NOT NULL, place INTEGER NOT NULL)",
    "CREATE INDEX passage_session ON passage (session)",
    "CREATE VIRTUAL TABLE words USING fts5(text, tokenize = 'unicode61 remove_diacritics 2')",
    f"PRAGMA user_version = {SHAPE}",
)
_MOVED = "SELECT session_id, version, updated FROM session_hot WHERE project = ? AND updated >= ? ORDER BY updated"
_STEPS = STEP.select(
    ", seq FROM (SELECT seq, step_id FROM step_order WHERE session_id = ?) CROSS JOIN steps ON id = step_id "
    "WHERE is_validated OR is_key_decision ORDER BY seq"
)
_DECISIONS = "SELECT seq, key, text FROM registry WHERE session_id = ? AND kind = 'decided' ORDER BY seq"
_GOAL = "SELECT original_goal FROM session_states WHERE session_id = ? AND original_goal IS NOT NULL"
_FIND = (
    "SELECT kind, place, session, score FROM passage JOIN "
    "(SELECT rowid AS hit, rank AS score FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?) ON id = hit "
    "ORDER BY id DESC"
)


class PastPassage(NamedTuple):
    """Something that was recorded: a step or a decision by its place in the order of commits, a task by its session."""

    kind: PassageKind
    place: int
    session: str = ""


def index_folder() -> str:
    return join(places.cache_dir(), "words")


def throw_away() -> None:
    """The words of every project; the next question takes them in anew."""
    try:
        names = os.listdir(index_folder())  # noqa: PTH208 - paths are strings here
    except OSError:
        return
    for name in names:
        _unlink(join(index_folder(), name))


def has_word_search(database: Database) -> bool:
    """Whether the SQLite of this Python was built with it; nearly every one was."""
    return database.one("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'") is not None


def find_passages(database: Database, project: str, words: Iterable[str], limit: int) -> list[PastPassage]:
    """What was recorded in the project with these words, the best first. StateError where SQLite can not."""
    if not has_word_search(database):
        raise StateError("the SQLite of this Python has no full-text search (FTS5): words were not looked for")
    terms = [word for word in words if word.isalnum()]
    path = join(index_folder(), f"{digest(f'{database.path} {project}')}.db")
    try:
        return _found(path, database, project, terms, limit)
    except StateError:
        for ending in ("", "-wal", "-shm", "-journal"):
            _unlink(path + ending)
        return _found(path, database, project, terms, limit)


def _found(path: str, database: Database, project: str, terms: list[str], limit: int) -> list[PastPassage]:
    index = _opened(path)
    try:
        with index.writing():
            _catch_up(index, database, project)
        if not terms:
            return []
        every, some = (
            index.all(_FIND, (f" {how} ".join(f'"{term}"' for term in terms), NEWEST)) for how in ("AND", "OR")
        )
        scores = {PastPassage(*row[:3]): float(row[3]) for row in (*every, *some)}
        return sorted(scores, key=scores.__getitem__)[:limit]  # the best is the lowest
    finally:
        index.close()


def _opened(path: str) -> Database:
    index = Database(path, f"{path}.lock")
    try:
        if _shape(index) != SHAPE:
            with index.writing():
                _make_tables(index)
    except BaseException:
        index.close()
        raise
    return index


def _shape(index: Database) -> int:
    row = index.one("PRAGMA user_version")
    return int(row[0]) if row else 0


def _make_tables(index: Database) -> None:
    """Somebody else may have made them while we waited."""
    shape = _shape(index)
    if shape not in {0, SHAPE}:
        raise StateError(f"{index.path} is of another version")
    for statement in () if shape else _TABLES:
        index.run(statement)


def _catch_up(index: Database, database: Database, project: str) -> None:
    """Clocks of events may go back a little: sessions of the last day are looked at again."""
    last = index.one("SELECT max(updated) FROM taken")
    since = (last[0] - DAY) if last and last[0] is not None else 0.0
    known = dict(index.all("SELECT session, version FROM taken WHERE updated >= ?", (since,)))
    for session, version, updated in database.all(_MOVED, (project, since)):
        if known.get(session) != version:
            _take_in(index, database, session)
            index.run("INSERT OR REPLACE INTO taken VALUES (?, ?, ?)", (session, version, updated))


def _take_in(index: Database, database: Database, session: str) -> None:
    old = index.all("SELECT id FROM passage WHERE session = ?", (session,))
    index.run_each("DELETE FROM words WHERE rowid = ?", old)
    index.run_each("DELETE FROM passage WHERE id = ?", old)
    for kind, place, text in _passages(database, session):
        row = index.put("INSERT INTO passage (session, kind, place) VALUES (?, ?, ?)", (session, kind, place))
        index.run("INSERT INTO words (rowid, text) VALUES (?, ?)", (row, " ".join(content_words(text[:LONGEST]))))


def _passages(database: Database, session: str) -> Iterator[tuple[PassageKind, int, str]]:
    goal = database.one(_GOAL, (session,))
    if goal is not None:
        yield "task", 0, str(goal[0])
    for row in database.all(_STEPS, (session,)):
        step = STEP.read(row)
        told = (*step.files, step.command, step.correction_given, step.reasoning)
        yield "step", int(row[-1]), "\n".join(text for text in told if text)
    for seq, key, text in database.all(_DECISIONS, (session,)):
        yield "decision", int(seq), f"{key}\n{text}"


def _unlink(path: str) -> None:
    try:
        os.unlink(path)  # noqa: PTH108 - paths are strings here
    except FileNotFoundError:
        return
    except OSError as error:
        raise EffectError(f"can not remove {path}: {error.strerror}") from error
