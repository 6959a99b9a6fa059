from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from leeboard.io.places import LENGTH, secret_key


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    return tmp_path / "state"


def test_it_is_made_once_and_only_ours(state: Path) -> None:
    key = secret_key()
    assert len(key) == LENGTH
    assert secret_key() == key
    assert (state / "secret.key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in state.iterdir()] == ["secret.key"]


def test_half_a_key_is_made_anew(state: Path) -> None:
    state.mkdir()
    (state / "secret.key").write_bytes(b"half")
    key = secret_key()
    assert len(key) == LENGTH
    assert secret_key() == key


def test_without_a_place_there_is_none(state: Path) -> None:
    state.write_text("a file")
    assert secret_key() == b""


def test_many_processes_agree(state: Path) -> None:
    code = "from leeboard.io.places import secret_key; print(secret_key().hex())"
    running = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for _ in range(6)]
    keys = {process.communicate()[0] for process in running}
    assert len(keys) == 1
    assert state.exists()
