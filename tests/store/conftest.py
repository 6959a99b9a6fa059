from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from leeboard.store.database import Database
from leeboard.store.sqlite import SqliteStore, open_store
from leeboard.store.tables import migrate


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "state" / "leeboard.db")


@pytest.fixture
def store(path: str) -> Iterator[SqliteStore]:
    store = open_store(path)
    yield store
    store.close()


@pytest.fixture
def database(path: str) -> Iterator[Database]:
    """With all tables, and nothing in them."""
    database = Database(path, f"{path}.lock")
    migrate(database)
    yield database
    database.close()
