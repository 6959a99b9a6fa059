"""What agents know of files, in both stores."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from leeboard.store.memory import MemoryStore
from leeboard.store.sqlite import SqliteStore, open_store
from tests.known_suite import KnownSuite


class TestSqlite(KnownSuite):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[SqliteStore]:
        store = open_store(str(tmp_path / "state" / "leeboard.db"))
        yield store
        store.close()


class TestMemory(KnownSuite):
    @pytest.fixture
    def store(self) -> MemoryStore:
        return MemoryStore()
