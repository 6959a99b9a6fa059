from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from leeboard.errors import StateError
from leeboard.store.database import VERSION, Database
from leeboard.store.receipts import newest
from leeboard.store.rows import read_known
from leeboard.store.tables import all_migrations, migrate


def make_file(path: str, *statements: str) -> bytes:
    Path(path).parent.mkdir(parents=True)
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()
    return Path(path).read_bytes()


def test_a_new_database_keeps_a_write_ahead_log(database: Database) -> None:
    assert database.one("PRAGMA journal_mode") == ("wal",)
    assert database.one("PRAGMA user_version") == (VERSION,)


def test_migrating_again_changes_nothing(database: Database) -> None:
    before = database.one("PRAGMA schema_version")
    migrate(database)
    assert database.one("PRAGMA schema_version") == before


def test_a_newer_database_is_refused_and_not_written(path: str) -> None:
    newer = make_file(path, f"PRAGMA user_version = {VERSION + 1}", "CREATE TABLE later (x)")
    database = Database(path, f"{path}.lock")
    with pytest.raises(StateError, match="newer Leeboard"):
        migrate(database)
    database.close()
    assert Path(path).read_bytes() == newer


def test_a_database_of_another_kind_is_refused_whole(path: str) -> None:
    make_file(path, "CREATE TABLE steps (mine TEXT)", "INSERT INTO steps VALUES ('kept')")
    database = Database(path, f"{path}.lock")
    with pytest.raises(StateError, match="already exists"):
        migrate(database)
    assert database.all("SELECT name FROM sqlite_master") == [("steps",)]
    assert database.all("SELECT mine FROM steps") == [("kept",)]
    assert database.one("PRAGMA user_version") == (0,)
    database.close()


def test_what_agents_knew_before_there_were_work_trees_in_the_key_is_kept(path: str) -> None:
    row = "'s1', '', 'a.py', '/shop', 'd1', 'p1', x'00', 1, '[[1,1]]', '[]', 5.0, 1, '', '', 0, ''"
    before = (statement for migration in all_migrations()[:4] for statement in migration)
    make_file(path, *before, f"INSERT INTO known VALUES ({row})", "PRAGMA user_version = 4")
    database = Database(path, f"{path}.lock")
    migrate(database)
    found = read_known(database, "s1", "", "/shop", "a.py")
    assert found is not None
    assert (found.digest, found.seen, found.wrote, found.lines) == ("d1", ((1, 1),), True, b"\0")
    database.close()


def test_a_receipt_of_before_places_were_kept_is_read(path: str) -> None:
    before = (statement for migration in all_migrations()[:5] for statement in migration)
    row = "1, 5.0, 's1', 'cli', 0.0, 'self_allowance', 'refused'"
    make_file(path, *before, f"INSERT INTO receipts VALUES ({row})", "PRAGMA user_version = 5")
    database = Database(path, f"{path}.lock")
    migrate(database)
    (found,) = newest(database, 9)
    assert (found.session, found.note, found.project) == ("s1", "refused", "")
    database.close()


def test_the_version_counts_the_migrations() -> None:
    assert len(all_migrations()) == VERSION
