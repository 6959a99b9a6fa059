from __future__ import annotations

import socket
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from leeboard.io.places import socket_path
from leeboard.surfaces.cli._health import health_of, hooks_at, resident_answers
from leeboard.surfaces.cli._hook_place import Place

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_what_the_store_knows_of_this_project(monkeypatch: pytest.MonkeyPatch, drifted: Desk) -> None:
    for name, value in drifted.env.items():
        monkeypatch.setenv(name, value)
    health = health_of(str(drifted.repo))
    assert health.installed
    assert health.stored.session is not None
    assert health.stored.receipts[0].event == "Stop"
    assert health_of("/elsewhere").stored.receipts == ()


def test_a_resident_is_one_that_accepts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path))
    monkeypatch.setenv("LEEBOARD_RUNTIME_DIR", str(tmp_path / "run"))
    assert not resident_answers()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(socket_path())
        listener.listen()
        assert resident_answers()
    assert not resident_answers()


def test_settings_that_can_not_be_read_are_a_problem_not_a_crash(tmp_path: Path) -> None:
    broken = tmp_path / "settings.json"
    broken.write_text("{")
    assert "settings.json: line 1" in hooks_at(Place("local", str(broken))).problem


def test_a_store_that_can_not_be_read_is_a_problem_not_a_crash(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path))
    (tmp_path / "leeboard.db").write_bytes(b"no database" * 200)
    assert "damaged" in health_of(str(tmp_path)).stored.problem
