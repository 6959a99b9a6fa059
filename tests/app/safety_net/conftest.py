from __future__ import annotations

from pathlib import Path

import pytest

from tests.netted_repository import NettedRepository, use_state


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> NettedRepository:
    """One for all tests; each gets a copy."""
    repository = NettedRepository(tmp_path_factory.mktemp("net") / "first")
    repository.make()
    return repository


@pytest.fixture
def net(made: NettedRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> NettedRepository:
    use_state(tmp_path, monkeypatch)
    monkeypatch.setenv("HOME", str(tmp_path))
    return made.fresh(tmp_path / "work")
