"""What is kept, a page at a time: what a page costs does not grow with what lies before and after it.

A place is where a page ended; whoever hands it back gets what follows. No clock orders the rows of a session: their
numbers do, which only grow.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from leeboard.model.outcome import Judged, Step
from leeboard.model.session import Session
from leeboard.model.verdict import Finding, Verdict
from leeboard.store.database import FINDING, JUDGED, STEP, VERDICT, Database
from leeboard.store.rows import readable_session

MOST_AT_ONCE = 400
"""Rows that are named in one statement at most."""
_LAST = (1 << 63) - 1

_NEXT_PROJECT = "SELECT min(project) FROM session_hot WHERE project > ?"
_SESSION_PAGE = "SELECT session_id, updated, rowid FROM session_hot WHERE {} ORDER BY updated DESC, rowid DESC LIMIT ?"
_VERDICTS_BEFORE = VERDICT.select(
    ", timestamp, rowid FROM verdicts WHERE session = ? AND rowid < ? ORDER BY rowid DESC LIMIT ?"
)
_VERDICTS_AFTER = VERDICT.select(
    ", timestamp, rowid FROM verdicts WHERE session = ? AND rowid > ? ORDER BY rowid LIMIT ?"
)
_SPOKEN = VERDICT.select(
    ", timestamp, rowid FROM verdicts WHERE session = ? AND (rules != '[]' OR score > 0) ORDER BY rowid LIMIT ?"
)
_JUDGED_BEFORE = JUDGED.select(", rowid FROM signals WHERE session = ? AND rowid < ? ORDER BY rowid DESC LIMIT ?")


class SessionPlace(msgspec.Struct, frozen=True):
    """Where a page of sessions ended."""

    updated: float
    row: int


class SessionSlice(msgspec.Struct, frozen=True, kw_only=True):
    """A page of sessions, the newest first."""

    sessions: tuple[Session, ...]
    unreadable: int = 0
    """Those of the page that this version can not read."""
    following: SessionPlace | None = None
    """Where the next page begins; None: there is none."""


class PlacedVerdict(msgspec.Struct, frozen=True, kw_only=True):
    verdict: Verdict
    time: float
    row: int


class SessionFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which sessions are asked for; empty: whichever."""

    project: str = ""
    status: str = ""


def projects(database: Database) -> tuple[str, ...]:
    """Every project that a session was recorded in, by a step through the index for each."""
    found: list[str] = []
    while (row := database.one(_NEXT_PROJECT, (found[-1] if found else "",))) and row[0]:
        found.append(str(row[0]))
    return tuple(found)


def session_slice(database: Database, wanted: SessionFilter, after: SessionPlace | None, limit: int) -> SessionSlice:
    terms, values = ["1"], list[object]()
    for column, value in (("project", wanted.project), ("status", wanted.status)):
        if value:
            terms.append(f"{column} = ?")
            values.append(value)
    if after is not None:
        terms.append("(updated, rowid) < (?, ?)")
        values += [after.updated, after.row]
    rows = database.all(_SESSION_PAGE.format(" AND ".join(terms)), (*values, limit + 1))
    shown = rows[:limit]
    found = [readable_session(database, str(row[0])) for row in shown]
    last = shown[-1] if len(rows) > limit else None
    return SessionSlice(
        sessions=tuple(session for session in found if session is not None),
        unreadable=found.count(None),
        following=SessionPlace(float(last[1]), int(last[2])) if last else None,
    )


def verdicts_before(database: Database, session: str, row: int, limit: int) -> tuple[PlacedVerdict, ...]:
    """Newest first; `row` 0: from the newest on."""
    return _placed(database.all(_VERDICTS_BEFORE, (session, row or _LAST, limit)))


def verdicts_after(database: Database, session: str, row: int, limit: int) -> tuple[PlacedVerdict, ...]:
    """What came since, oldest first."""
    return _placed(database.all(_VERDICTS_AFTER, (session, row, limit)))


def judged_verdicts(database: Database, session: str, limit: int) -> tuple[PlacedVerdict, ...]:
    """Those that scored something or found something, oldest first."""
    return _placed(database.all(_SPOKEN, (session, limit)))


def signals_before(database: Database, session: str, row: int, limit: int) -> tuple[tuple[Judged, int], ...]:
    """Newest first, each with its place; `row` 0: from the newest on."""
    rows = database.all(_JUDGED_BEFORE, (session, row or _LAST, limit))
    return tuple((JUDGED.read(found), int(found[-1])) for found in rows)


def steps_named(database: Database, ids: Sequence[str]) -> dict[str, Step]:
    rows = _among(database, STEP.select("FROM steps WHERE id IN ({})"), ids)
    return {step.id: step for step in map(STEP.read, rows)}


def findings_named(database: Database, verdicts: Sequence[str]) -> dict[str, tuple[Finding, ...]]:
    """The findings of these verdicts, by the verdict they belong to."""
    found: dict[str, tuple[Finding, ...]] = {}
    for row in _among(database, FINDING.select(", verdict_id FROM findings WHERE verdict_id IN ({})"), verdicts):
        found[str(row[-1])] = (*found.get(str(row[-1]), ()), FINDING.read(row))
    return found


def changes_seen(database: Database) -> int:
    """A number that changes whenever another process has committed something."""
    row = database.one("PRAGMA data_version")
    return int(row[0]) if row else 0


def _placed(rows: Sequence[Sequence[object]]) -> tuple[PlacedVerdict, ...]:
    return tuple(
        PlacedVerdict(verdict=VERDICT.read(row), time=float(str(row[-2])), row=int(str(row[-1]))) for row in rows
    )


def _among(database: Database, statement: str, names: Sequence[str]) -> list[Sequence[object]]:
    found: list[Sequence[object]] = []
    for start in range(0, len(names), MOST_AT_ONCE):
        some = names[start : start + MOST_AT_ONCE]
        found += database.all(statement.format(", ".join("?" * len(some))), some)
    return found
