from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from leeboard.errors import EffectError, StateError
from leeboard.store.database import Database


@pytest.fixture
def numbers(database: Database) -> Database:
    """A table of our own, to write to."""
    database.run("CREATE TABLE numbers (number INTEGER PRIMARY KEY, name TEXT)")
    return database


def count(database: Database) -> int:
    row = database.one("SELECT count(*) FROM numbers")
    assert row is not None
    return int(row[0])


def test_files_and_folder_are_the_users_alone(numbers: Database) -> None:
    folder = Path(numbers.path).parent
    with numbers.writing():
        numbers.run("INSERT INTO numbers VALUES (1, 'one')")
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()} == {
        "leeboard.db": 0o600,
        "leeboard.db-wal": 0o600,
        "leeboard.db-shm": 0o600,
        "leeboard.db.lock": 0o600,
    }


def test_what_a_failed_writer_wrote_is_taken_back(numbers: Database) -> None:
    def fail_halfway() -> None:
        with numbers.writing():
            numbers.run("INSERT INTO numbers VALUES (1, 'one')")
            raise KeyError

    with pytest.raises(KeyError):
        fail_halfway()
    assert count(numbers) == 0
    with numbers.writing():
        numbers.run_each("INSERT INTO numbers VALUES (?, ?)", [(1, "one"), (2, "two")])
    assert count(numbers) == 2


def test_statements_tell_what_they_did(numbers: Database) -> None:
    assert numbers.put("INSERT INTO numbers (name) VALUES (?)", ("one",)) == 1
    assert numbers.run("UPDATE numbers SET name = 'uno'") == 1
    assert numbers.all("SELECT * FROM numbers") == [(1, "uno")]


def test_halves_of_letters_are_written_as_question_marks(numbers: Database) -> None:
    numbers.run("INSERT INTO numbers VALUES (1, ?)", ("a\udcff",))
    numbers.run_each("INSERT OR REPLACE INTO numbers VALUES (?, ?)", [(2, "b"), (3, "\ud800c")])
    assert numbers.all("SELECT name FROM numbers") == [("a?",), ("b",), ("?c",)]


def test_a_transaction_inside_a_transaction_is_a_mistake(numbers: Database) -> None:
    with numbers.writing(), pytest.raises(RuntimeError), numbers.writing():
        pass


def test_a_full_disk_is_said_and_nothing_half_written(numbers: Database) -> None:
    pages = numbers.one("PRAGMA page_count")
    assert pages is not None
    numbers.run(f"PRAGMA max_page_count = {pages[0] + 2}")
    rows = [(1, "small"), (2, "x" * 100_000)]
    with pytest.raises(EffectError, match="the disk is full"), numbers.writing():
        numbers.run_each("INSERT INTO numbers VALUES (?, ?)", rows)
    numbers.run("PRAGMA max_page_count = 100000")
    assert count(numbers) == 0
    with numbers.writing():
        numbers.run("INSERT INTO numbers VALUES (3, 'room again')")
    assert count(numbers) == 1


def test_a_database_that_can_not_be_written_is_said(numbers: Database) -> None:
    numbers.run("PRAGMA query_only = ON")
    with pytest.raises(EffectError, match="can not be written"), numbers.writing():
        numbers.run("INSERT INTO numbers VALUES (1, 'one')")


def test_a_database_somebody_else_holds_is_said(numbers: Database) -> None:
    numbers.run("PRAGMA busy_timeout = 1")
    other = sqlite3.connect(numbers.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(EffectError, match="another program holds it locked"), numbers.writing():
        pass
    other.execute("ROLLBACK")
    other.close()
    with numbers.writing():
        pass


def test_a_folder_that_can_not_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EffectError, match="can not make"):
        Database(str(tmp_path / "file" / "leeboard.db"), str(tmp_path / "lock"))


def test_a_folder_in_place_of_the_database_is_said(tmp_path: Path) -> None:
    with pytest.raises(EffectError, match="can not be opened"):
        Database(str(tmp_path), str(tmp_path / "lock"))


def test_missing_tables_are_a_matter_of_state(database: Database) -> None:
    with pytest.raises(StateError, match="does not have the tables"):
        database.all("SELECT * FROM nowhere")
