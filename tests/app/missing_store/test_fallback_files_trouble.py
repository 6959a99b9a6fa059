from __future__ import annotations

import os
from pathlib import Path

import pytest

from leeboard.app.missing_store import fallback_files
from leeboard.io import clock


@pytest.fixture(autouse=True)
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_RUNTIME_DIR", str(tmp_path / "r"))
    return tmp_path / "state" / "spare"


def test_it_is_news_once_until_it_is_over() -> None:
    assert [fallback_files.is_news(busy=False, asked=False) for _ in range(3)] == [True, False, False]
    fallback_files.is_over()
    assert fallback_files.last_met() is None
    assert fallback_files.is_news(busy=False, asked=False)


def test_it_is_news_again_after_a_day(world: Path) -> None:
    fallback_files.is_news(busy=False, asked=False)
    os.utime(world / "trouble.told", (1, 1))
    assert [fallback_files.is_news(busy=False, asked=False) for _ in range(2)] == [True, False]


def test_busy_is_news_when_it_lasts(world: Path) -> None:
    assert not fallback_files.is_news(busy=True, asked=True)
    os.utime(world / "trouble.began", (1, 1))
    assert [fallback_files.is_news(busy=True, asked=True) for _ in range(2)] == [True, False]


def test_who_waited_in_vain_is_not_waited_after(world: Path) -> None:
    assert fallback_files.patience(fallback_files.last_met()) == fallback_files.PATIENCE
    fallback_files.is_news(busy=True, asked=False)
    assert fallback_files.patience(fallback_files.last_met()) == fallback_files.HASTE
    os.utime(world / "trouble.lately", (1, 1))
    assert fallback_files.patience(fallback_files.last_met()) == fallback_files.PATIENCE


def test_a_store_that_others_write_to_is_waited_for(world: Path) -> None:
    fallback_files.is_news(busy=True, asked=False)
    os.utime(world / "trouble.lately", (now := clock.now() - 5, now))
    database = world.parent / "leeboard.db"
    database.touch()
    assert fallback_files.patience(fallback_files.last_met()) == fallback_files.PATIENCE
    os.utime(database, (1, 1))
    assert fallback_files.patience(fallback_files.last_met()) == fallback_files.HASTE
    (world.parent / "leeboard.db-wal").touch()
    assert fallback_files.patience(fallback_files.last_met()) == fallback_files.PATIENCE


@pytest.mark.parametrize("asked", [True, False])
def test_where_nothing_can_be_noted_it_is_told_where_a_person_is(
    monkeypatch: pytest.MonkeyPatch,
    asked: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    for name in ("LEEBOARD_STATE_DIR", "LEEBOARD_RUNTIME_DIR"):
        monkeypatch.setenv(name, "/dev/null/x")
    assert [fallback_files.is_news(busy=False, asked=asked) for _ in range(2)] == [asked, asked]
