"""Bringing the tables to this version. What was released is never edited: a change is one more at the end."""

from __future__ import annotations

from leeboard.errors import StateError
from leeboard.io.store._database import Database

VERSION = 7
"""How many migrations there are: known without them, since every process asks and few have to migrate."""


def all_migrations() -> tuple[tuple[str, ...], ...]:
    """In order, the first one first."""
    from leeboard.io.store import _first_tables as first  # noqa: PLC0415 - as above
    from leeboard.io.store import _later_tables as later  # noqa: PLC0415 - as above

    return (
        (*first.SESSIONS, *first.STEPS, *first.VERDICTS, *first.PEOPLE),
        later.SIGNALS,
        later.CONTRACTS,
        later.FILES,
        later.KNOWN_FILES,
        later.RECEIPTS,
        later.OUTSIDE,
    )


def migrate(database: Database) -> None:
    """Bring the tables to this version. A database of a newer one is refused before anything is written."""
    if _version(database) == VERSION:
        return
    with database.lock():
        done = _version(database)
        if done < VERSION:
            database.run("PRAGMA journal_mode = WAL")
            _apply(database, done)


def _version(database: Database) -> int:
    row = database.one("PRAGMA user_version")
    version = int(row[0]) if row else 0
    if version > VERSION:
        raise StateError(f"{database.path} was written by a newer Leeboard: update this one")
    return version


def _apply(database: Database, done: int) -> None:
    database.run("BEGIN IMMEDIATE")
    try:
        for migration in all_migrations()[done:]:
            for statement in migration:
                database.run(statement)
        database.run(f"PRAGMA user_version = {VERSION}")
        database.run("COMMIT")
    finally:
        if database.in_transaction:
            database.run("ROLLBACK")
