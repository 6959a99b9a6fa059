from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from leeboard.app import kept_store
from leeboard.app.kept_store import keep_open, let_go, store_at
from leeboard.errors import BusyError, StateError
from leeboard.io.file import file_lock
from leeboard.model.lookup import Receipt
from leeboard.store.database import VERSION
from leeboard.store.sqlite import SqliteStore, open_store

TOLD = Receipt(ts=1.0, event="Stop", outcome="allow")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(kept_store, "_kept", kept_store._Kept())
    keep_open()
    yield str(tmp_path / "leeboard.db")
    let_go()


def receipts_at(path: str) -> int:
    with closing(open_store(path)) as store:
        return len(store.receipts(99))


def test_it_is_the_same_from_one_hook_to_the_next(path: str) -> None:
    with store_at(path, 4.0) as first:
        first.receipt(TOLD)
    with store_at(path, 4.0) as second:
        assert second is first
        second.receipt(TOLD)
    assert receipts_at(path) == 2
    let_go()
    with store_at(path, 4.0) as third:
        assert third is not first


def test_a_database_that_was_moved_away_is_never_written_to(path: str) -> None:
    with store_at(path, 4.0) as store:
        store.receipt(TOLD)
    aside = Path(path).rename(f"{path}.aside")
    before = aside.read_bytes()
    with store_at(path, 4.0) as store:
        store.receipt(TOLD)
        store.receipt(TOLD)
    let_go()
    assert receipts_at(path) == 2
    assert aside.read_bytes() == before


def test_one_that_a_newer_version_changed_meanwhile_is_refused(path: str) -> None:
    with store_at(path, 4.0) as store:
        store.receipt(TOLD)
    with closing(sqlite3.connect(path)) as newer:
        newer.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(StateError, match="newer Leeboard"), store_at(path, 4.0):
        pass


def refused_once(path: str) -> SqliteStore:
    """A hook that found the store locked for longer than it could wait."""
    with suppress(BusyError), store_at(path, 4.0) as store, file_lock(f"{path}.lock", 1.0):
        store._database.wait_for(0.0)
        store.receipt(TOLD)
    return store


def test_after_a_failure_it_is_opened_anew_and_its_patience_counts_anew(path: str) -> None:
    first = refused_once(path)
    with store_at(path, 4.0) as second:
        assert second is not first
        second.receipt(TOLD)
        second._database._patience = 0.0
    with store_at(path, 4.0) as third:
        assert third is second
        assert third._database._patience == 4.0


def test_who_answers_one_hook_keeps_nothing(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_store, "_kept", kept_store._Kept())
    with store_at(path, 4.0) as store:
        store.receipt(TOLD)
    assert not Path(f"{path}-wal").exists()
