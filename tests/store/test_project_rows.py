from __future__ import annotations

from leeboard.model.lookup import Receipt
from leeboard.store import receipts
from leeboard.store.database import Database
from leeboard.store.project_rows import forget_project, project_rows, project_tables
from tests.store.test_forgetting import sizes, write_much
from tests.store_suite import NOON

ROOT = "/work/shop"


def fill(database: Database) -> None:
    with database.writing():
        write_much(database, "s1", NOON)
        receipts.put(database, Receipt(ts=1.0, event="Stop", outcome="allow", session="s1", project=ROOT, client="c"))
        receipts.put(database, Receipt(ts=1.0, event="cli", outcome="allow", project="/elsewhere"))


def test_no_table_is_left_out(database: Database) -> None:
    """A later one must say by its columns whose its rows are."""
    every = {row[0] for row in database.all("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert {name for name, _ in project_tables(database)} == every - {"sqlite_sequence", "sqlite_stat1"}


def test_every_row_of_a_project_is_given_out_and_forgotten_and_no_other(database: Database) -> None:
    fill(database)
    before = sizes(database)
    told = list(project_rows(database, ROOT))
    assert {table for table, _ in told} == set(before)
    assert len(told) == sum(before.values()) - 1
    assert forget_project(database, ROOT) == len(told)
    assert sizes(database) == {"receipts": 1}
    assert list(project_rows(database, ROOT)) == []
