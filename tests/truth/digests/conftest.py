from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

Naive = Callable[[Path], dict[str, str]]


@pytest.fixture(autouse=True)
def state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path_factory.mktemp("state")
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(place))
    return place


@pytest.fixture(scope="session")
def naive() -> Naive:
    """Every file below a folder, and its digest, the plain way."""
    return _naive


def _naive(top: Path) -> dict[str, str]:
    if top.is_symlink() or top.is_file():
        return {top.name: _digest(top)}
    found = {}
    for folder, folders, files in os.walk(top):
        linked = [name for name in folders if Path(folder, name).is_symlink()]
        for name in (*files, *linked):
            path = Path(folder, name)
            if path.is_symlink() or path.is_file():
                found[f"{top.name}{str(path).removeprefix(str(top))}"] = _digest(path)
    return found


def _digest(path: Path) -> str:
    data = os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()
    return hashlib.sha256(data).hexdigest()
