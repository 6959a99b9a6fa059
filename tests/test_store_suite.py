"""The suite of sessions, records and people, against both stores."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from leeboard.store.memory import MemoryStore
from leeboard.store.sqlite import SqliteStore, open_store
from tests.store_suite import StoreSuite


class TestSqlite(StoreSuite):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[SqliteStore]:
        store = open_store(str(tmp_path / "state" / "leeboard.db"))
        yield store
        store.close()


class TestMemory(StoreSuite):
    @pytest.fixture
    def store(self) -> MemoryStore:
        return MemoryStore()
