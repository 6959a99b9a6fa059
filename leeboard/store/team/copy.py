"""The newest steps of a team's other members, copied to this machine: a cache that a background process keeps.

One file for each project. An answer is a few seeks, as in the own history, and nobody waits for a network.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import msgspec

from leeboard.errors import StateError
from leeboard.model.outcome import TeamStep
from leeboard.store.database import Database
from leeboard.store.history import PER_QUERY, distinct, top

NEWEST, DECISIONS = 2_000, 200
"""So many steps, and key decisions among older ones, are kept of a project."""
SHAPE = 1
_TABLES = (
    "CREATE TABLE step (seq INTEGER PRIMARY KEY, decisive INTEGER NOT NULL, content BLOB NOT NULL)",
    "CREATE INDEX step_decisive ON step (seq) WHERE decisive",
    "CREATE TABLE term (list TEXT, term TEXT, seq INTEGER, PRIMARY KEY (list, term, seq)) WITHOUT ROWID",
    "CREATE INDEX term_seq ON term (seq)",
    "CREATE TABLE mark (content BLOB NOT NULL)",
    f"PRAGMA user_version = {SHAPE}",
)
_LISTS = ("files", "folders", "keywords")
_STALE = (
    "SELECT seq FROM step WHERE seq < (SELECT seq FROM step ORDER BY seq DESC LIMIT 1 OFFSET ?) AND NOT (decisive AND "
    "seq >= coalesce((SELECT seq FROM step WHERE decisive ORDER BY seq DESC LIMIT 1 OFFSET ?), 0))"
)


class TeamMark(msgspec.Struct, frozen=True):
    """Up to where a project's steps were asked for."""

    transaction: int = 0
    purges: int = 0
    """What was forgotten there by then: after more of that everything is asked for anew."""


class TeamNews(msgspec.Struct, frozen=True):
    mark: TeamMark
    anew: bool
    """Whether this is all there is, in place of what was kept before."""
    steps: tuple[tuple[int, TeamStep], ...]
    """Each with its place in the order of the team's database."""


@contextmanager
def team_copy(path: str) -> Iterator[TeamCopy]:
    database = Database(path, f"{path}.lock", patience=1.0)
    try:
        yield TeamCopy(database)
    finally:
        database.close()


class TeamCopy:
    def __init__(self, database: Database) -> None:
        """StateError for a file of another shape: whoever finds one throws it away."""
        self._database = database
        row = database.one("PRAGMA user_version")
        shape = int(row[0]) if row else 0
        if shape not in {0, SHAPE}:
            raise StateError(f"{database.path} is of another version")
        if not shape:
            with database.writing():
                for statement in _TABLES:
                    database.run(statement)

    def mark(self) -> TeamMark:
        row = self._database.one("SELECT content FROM mark")
        return msgspec.json.decode(row[0], type=TeamMark) if row else TeamMark()

    def count(self) -> int:
        row = self._database.one("SELECT count(*) FROM step")
        return int(row[0]) if row else 0

    def take(self, news: TeamNews) -> None:
        """What is neither validated nor a decision is not told again, as of the own history."""
        with self._database.writing():
            if news.anew:
                self._database.run("DELETE FROM step")
                self._database.run("DELETE FROM term")
            for seq, step in news.steps:
                self._drop(seq)
                if step.is_validated or step.is_key_decision:
                    self._keep(seq, step)
            for (seq,) in self._database.all(_STALE, (NEWEST, DECISIONS)):
                self._drop(seq)
            self._database.run("DELETE FROM mark")
            self._database.run("INSERT INTO mark VALUES (?)", (msgspec.json.encode(news.mark),))

    def _keep(self, seq: int, step: TeamStep) -> None:
        row = (seq, step.is_key_decision, msgspec.json.encode(step))
        self._database.run("INSERT INTO step VALUES (?, ?, ?)", row)
        if step.is_validated:
            terms = [(name, term, seq) for name in _LISTS for term in dict.fromkeys(getattr(step, name))]
            self._database.run_each("INSERT INTO term VALUES (?, ?, ?)", terms)

    def _drop(self, seq: int) -> None:
        self._database.run("DELETE FROM step WHERE seq = ?", (seq,))
        self._database.run("DELETE FROM term WHERE seq = ?", (seq,))

    def past_steps(self, files: Iterable[str], folders: Iterable[str], keywords: Iterable[str]) -> tuple[TeamStep, ...]:
        """By the four questions, and in their order. Decisions are those that the other three lead to: of all that a
        team decided most is about something else.
        """
        answers = [self._with(name, terms) for name, terms in zip(_LISTS, (files, folders, keywords), strict=True)]
        steps = {seq: step for seq in top(*answers) if (step := self._at(seq)) is not None}
        return tuple(sorted(steps.values(), key=lambda step: not step.is_key_decision))

    def _with(self, name: str, terms: Iterable[str]) -> list[int]:
        sql = "SELECT seq FROM term WHERE list = ? AND term = ? ORDER BY seq DESC LIMIT ?"
        places = {seq for term in distinct(terms) for (seq,) in self._database.all(sql, (name, term, PER_QUERY))}
        return sorted(places, reverse=True)[:PER_QUERY]

    def _at(self, seq: int) -> TeamStep | None:
        row = self._database.one("SELECT content FROM step WHERE seq = ?", (seq,))
        return msgspec.json.decode(row[0], type=TeamStep) if row else None
