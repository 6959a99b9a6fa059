"""What is still to be copied to a team's database, noted by SQLite itself in the transaction that wrote it.

Triggers put the key of each written row here; they are there only while a team is configured, so that nobody else pays
for them. Two things are noted by a person's command instead: an allowance that is shared, and that the team is to
forget a project. When the triggers are made, all that the store holds is noted too.

Events pay for one more row at the end of a table without an index, and for nothing else. Contents are read when they
are shipped: a row that was written ten times is shipped once, at the place of its last writing, and what was forgotten
in the meantime is shipped no more.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from leeboard.model.contract import Allowance
from leeboard.store.database import Database

BATCH = 2_000

_TABLES = (
    """
    CREATE TABLE IF NOT EXISTS outbox_notes (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      key TEXT NOT NULL,
      session TEXT NOT NULL
    )
    """,
    "CREATE TABLE IF NOT EXISTS outbox_state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """
    CREATE TABLE IF NOT EXISTS shared_allowances (
      id TEXT PRIMARY KEY,
      root TEXT NOT NULL,
      rule TEXT NOT NULL,
      path TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      reason TEXT NOT NULL,
      until REAL NOT NULL,
      by TEXT NOT NULL,
      revoked INTEGER NOT NULL DEFAULT 0
    )
    """,
)
FORGET = "forget"
"""The kind of a note that the team's database is to forget what it has of a project from here."""


class _Copied(msgspec.Struct, frozen=True):
    """A table that is copied: what a row is known by, and whose it is, as SQL over the columns of `row`."""

    table: str
    key: str
    session: str
    find: str
    """How the row of a key is found again."""
    by_root: bool = False
    """Whether it is noted with the root of its project, in place of a session."""


_KINDS = {
    "step": _Copied("steps", "row.id", "row.session_id", "id = ?1"),
    "verdict": _Copied("verdicts", "row.id", "row.session", "id = ?1"),
    "finding": _Copied(
        "findings",
        "row.verdict_id || ' ' || row.fingerprint",
        "coalesce((SELECT session FROM verdicts WHERE id = row.verdict_id), '')",
        "verdict_id = substr(?1, 1, instr(?1, ' ') - 1) AND fingerprint = substr(?1, instr(?1, ' ') + 1)",
    ),
    "correction": _Copied(
        "corrections",
        "row.id || ' ' || row.session",
        "row.session",
        "id = substr(?1, 1, instr(?1, ' ') - 1) AND session = substr(?1, instr(?1, ' ') + 1)",
    ),
    "task": _Copied("captures", "row.session_id", "row.session_id", "session_id = ?1"),
    "allowance": _Copied("shared_allowances", "row.id", "row.root", "id = ?1", by_root=True),
}


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """A row to be copied, as it is now."""

    seq: int
    """Grows with every writing: of two copies of one row the higher one is the newer."""
    kind: str
    key: str
    session: str
    project: str
    """As the team calls it; empty where the project is not copied, or where the row is gone."""
    row: dict[str, Any]


def is_open(database: Database) -> bool:
    return _is_noted(database, _KINDS["allowance"])  # the last that is made


def _is_noted(database: Database, one: _Copied) -> bool:
    return database.one("SELECT 1 FROM sqlite_master WHERE name = ?", (f"note_{one.table}_insert",)) is not None


def open_outbox(database: Database) -> None:
    """From here on every row is noted that is to be copied, and those that are there already."""
    if is_open(database):
        return
    with database.writing():
        if is_open(database):
            return
        for statement in _TABLES:
            database.run(statement)
        _replace_earlier(database)
        for kind, one in _KINDS.items():
            if _is_noted(database, one):
                continue
            _backfill(database, kind, one)
            for event in ("insert", "update"):
                database.run(_trigger(kind, one, event))
        origin = (os.urandom(8).hex(),)
        database.run("INSERT OR IGNORE INTO outbox_state VALUES ('origin', ?)", origin)


def _replace_earlier(database: Database) -> None:
    """The outbox of earlier versions goes. Its numbers go on, since the team's database knows rows by them."""
    if database.one("SELECT 1 FROM sqlite_master WHERE name = 'outbox'") is None:
        return
    for one in _KINDS.values():
        for event in ("insert", "update"):
            database.run(f"DROP TRIGGER IF EXISTS outbox_{one.table}_{event}")
    last = database.one("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'")
    forgotten = database.all("SELECT kind, key, session FROM outbox WHERE kind = ?", (FORGET,))
    database.run("DROP TABLE outbox")
    if last:
        database.run("INSERT INTO outbox_notes VALUES (?, '', '', '')", last)
        database.run("DELETE FROM outbox_notes")
    database.run_each("INSERT INTO outbox_notes (kind, key, session) VALUES (?, ?, ?)", forgotten)


def note_all(database: Database) -> None:
    """All that the store holds waits again, in the order in which it came: for a team's database that lost it."""
    with database.writing():
        database.run("DELETE FROM outbox_notes")
        for kind, one in _KINDS.items():
            _backfill(database, kind, one)


def close_outbox(database: Database) -> None:
    """Nothing is noted any more, and what waited waits no longer."""
    if not is_open(database):
        return
    with database.writing():
        for one in _KINDS.values():
            for event in ("insert", "update"):
                database.run(f"DROP TRIGGER IF EXISTS note_{one.table}_{event}")
        database.run("DELETE FROM outbox_notes")


def _backfill(database: Database, kind: str, one: _Copied) -> None:
    database.run(
        f"INSERT INTO outbox_notes (kind, key, session) SELECT '{kind}', {one.key}, {one.session} "  # noqa: S608 - our own names
        f"FROM {one.table} AS row ORDER BY row.rowid"
    )


def _trigger(kind: str, one: _Copied, event: str) -> str:
    key, session = (text.replace("row.", "NEW.") for text in (one.key, one.session))
    return (
        f"CREATE TRIGGER note_{one.table}_{event} AFTER {event.upper()} ON {one.table} BEGIN "  # noqa: S608 - our own names
        f"INSERT INTO outbox_notes (kind, key, session) VALUES ('{kind}', {key}, {session}); END"
    )


def origin(database: Database) -> str:
    """The random name of this database, by which the team's tells its rows from those of another."""
    return state(database).get("origin", "")


def state(database: Database) -> dict[str, str]:
    """What is kept beside the outbox; empty where there never was one."""
    if database.one("SELECT 1 FROM sqlite_master WHERE name = 'outbox_state'") is None:
        return {}
    return {str(name): str(value) for name, value in database.all("SELECT name, value FROM outbox_state")}


def keep_state(database: Database, **values: str) -> None:
    with database.writing():
        database.run_each("INSERT OR REPLACE INTO outbox_state VALUES (?, ?)", list(values.items()))


def has_waiting(database: Database) -> bool:
    return is_open(database) and database.one("SELECT 1 FROM outbox_notes LIMIT 1") is not None


def count_waiting(database: Database) -> int:
    """Rows, however often each was written."""
    counted = "SELECT count(*) FROM (SELECT DISTINCT kind, key FROM outbox_notes)"
    row = database.one(counted) if is_open(database) else None
    return int(row[0]) if row else 0


def next_batch(database: Database, projects: Mapping[str, str], limit: int = BATCH) -> list[Waiting]:
    """The oldest that wait, as they are now, each at the place of its last writing among them; `projects` has the
    team's name for each root that is copied.
    """
    database.run("BEGIN")  # one moment for all: a row and its place in the outbox belong together
    try:
        noted = database.all("SELECT seq, kind, key, session FROM outbox_notes ORDER BY seq LIMIT ?", (limit,))
        last = {row[1:3]: row for row in noted}
        return [_waiting(database, row, projects) for row in sorted(last.values())]
    finally:
        database.run("ROLLBACK")


def _waiting(database: Database, noted: Any, projects: Mapping[str, str]) -> Waiting:
    seq, kind, key, session = noted
    if kind == FORGET:
        return Waiting(seq=seq, kind=kind, key=key, session="", project=projects.get(session, ""), row={})
    one = _KINDS.get(kind)
    if one is not None and one.by_root:
        project, session = projects.get(session, ""), ""
    else:
        root = database.one("SELECT project FROM session_hot WHERE session_id = ?", (session,))
        project = projects.get(str(root[0]), "") if root else ""
    row = _contents(database, one, key) if project and one else {}
    return Waiting(seq=seq, kind=kind, key=key, session=session, project=project if row else "", row=row)


def _contents(database: Database, one: _Copied, key: str) -> dict[str, Any]:
    columns = [str(row[1]) for row in database.all(f"PRAGMA table_info({one.table})")]
    row = database.one(f"SELECT {', '.join(columns)} FROM {one.table} WHERE {one.find}", (key,))  # noqa: S608 - as above
    return dict(zip(columns, row, strict=True)) if row else {}


def done(database: Database, shipped: Sequence[Waiting]) -> None:
    """A row that was written anew meanwhile has another place, and waits on."""
    if shipped:
        with database.writing():
            database.run("DELETE FROM outbox_notes WHERE seq <= ?", (shipped[-1].seq,))


# What people have the team told.


def share(database: Database, allowance: Allowance, root: str) -> None:
    """It waits to be told to the team, for everybody in the project."""
    open_outbox(database)
    with database.writing():
        database.run(
            "INSERT OR REPLACE INTO shared_allowances VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)",
            (
                *(allowance.id, root, allowance.rule, allowance.path, allowance.fingerprint),
                *(allowance.reason, allowance.until, allowance.by),
            ),
        )


def refused(database: Database) -> tuple[str, ...]:
    """The ids of allowances that this role was not let share."""
    told = state(database).get("refused", "")
    return tuple(told.split(", ")) if told else ()


def shared_from_here(database: Database) -> dict[str, str]:
    """What the team knows of each allowance that was shared from here and not taken back."""
    if not is_open(database):
        return {}
    waiting = {str(row[0]) for row in database.all("SELECT key FROM outbox_notes WHERE kind = 'allowance'")}
    known = [str(row[0]) for row in database.all("SELECT id FROM shared_allowances WHERE revoked = 0")]
    denied = refused(database)
    return {one: "waits" if one in waiting else "refused" if one in denied else "shared" for one in known}


def take_back(database: Database, allowance_id: str) -> bool:
    """Whether it had been shared from here; the team is told."""
    if not is_open(database):
        return False
    with database.writing():
        return database.run("UPDATE shared_allowances SET revoked = 1 WHERE id = ?", (allowance_id,)) > 0


def have_forgotten(database: Database, root: str) -> None:
    """The team is told to forget what came from this member of a project; what waits of it is told no more."""
    open_outbox(database)
    with database.writing():
        database.run("INSERT INTO outbox_notes (kind, key, session) VALUES (?, ?, ?)", (FORGET, root, root))
