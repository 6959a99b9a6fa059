from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from leeboard.app.misses import note_miss
from leeboard.app.views.guard import health_of
from leeboard.io.places import socket_path
from leeboard.surfaces.cli.project.checks.state import check_database, check_misses, check_socket, check_state_dir


@pytest.fixture(autouse=True)
def _own_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_RUNTIME_DIR", str(tmp_path / "run"))


def test_a_missing_state_folder_is_made(tmp_path: Path) -> None:
    found = check_state_dir()
    assert found.repair is not None
    found.repair()
    assert check_state_dir().state == "ok"
    (tmp_path / "state").chmod(0o755)
    opened = check_state_dir()
    assert opened.state == "note"
    assert opened.repair is not None
    opened.repair()
    assert check_state_dir().state == "ok"


def test_a_damaged_database_is_moved_aside_and_never_removed(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    assert check_database().state == "ok"
    (tmp_path / "state" / "leeboard.db").write_bytes(b"no database" * 500)
    found = check_database()
    assert found.state == "failed"
    assert found.repair is not None
    found.repair()
    (aside,) = (tmp_path / "state").iterdir()
    assert aside.read_bytes() == b"no database" * 500
    assert check_database().state == "ok"


def test_a_sound_database_stays(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    connection = sqlite3.connect(tmp_path / "state" / "leeboard.db")
    connection.execute("CREATE TABLE t (a)")
    connection.close()
    assert check_database().state == "ok"


def test_misses_are_counted(tmp_path: Path) -> None:
    assert check_misses(health_of(str(tmp_path))).state == "ok"
    note_miss(str(tmp_path / "state"), "PreToolUse", ValueError("x"))
    found = check_misses(health_of(str(tmp_path)))
    assert found.state == "note"
    assert "PreToolUse" in found.detail


def test_a_socket_open_to_others_fails(tmp_path: Path) -> None:
    health = health_of(str(tmp_path))
    assert check_socket(health).state == "ok"
    Path(socket_path()).write_text("")
    Path(socket_path()).chmod(0o666)
    assert check_socket(health).state == "failed"
