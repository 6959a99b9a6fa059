"""A user with a recorded session."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.archive import opened_archive


@pytest.fixture(autouse=True)
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("STATE", "CONFIG", "CACHE", "RUNTIME"):
        monkeypatch.setenv(f"LEEBOARD_{name}_DIR", str(tmp_path / "user" / name.lower()))
    monkeypatch.setenv("LEEBOARD_INDEX", "0")
    monkeypatch.setenv("LEEBOARD_KEEP", "0")
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "repo").mkdir()
    with opened_archive():
        return tmp_path
