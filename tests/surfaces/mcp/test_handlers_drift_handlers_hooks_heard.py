from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.io import clock, places
from leeboard.surfaces import edge
from leeboard.surfaces.mcp.handlers import LATELY_SECONDS, heard_lately
from tests.git_repository import GitRepository
from tests.hook_process import hook_payload


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path / "config"))
    return GitRepository(tmp_path / "home").path


def heard(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    edge.answer(
        hook_payload("UserPromptSubmit", cwd=str(folder), prompt="go on"), {"LEEBOARD_INDEX": "0", "LEEBOARD_KEEP": "0"}
    )


def test_a_project_without_hooks(home: Path, tmp_path: Path) -> None:
    assert not heard_lately(str(home), clock.now())
    heard(GitRepository(tmp_path / "home-next-door").path)
    assert not heard_lately(str(home), clock.now())


def test_a_project_in_which_they_were_heard(home: Path) -> None:
    heard(home)
    assert heard_lately(str(home), clock.now())
    assert not heard_lately(str(home), clock.now() + LATELY_SECONDS + 60)


def test_in_the_tree_of_a_unit(home: Path) -> None:
    heard(GitRepository(home / ".haiku/worktrees/x/unit-01").path)
    assert heard_lately(str(home), clock.now())


def test_a_store_that_can_not_be_read_says_nothing(home: Path) -> None:
    heard(home)
    Path(places.database()).write_bytes(b"no database" * 1000)
    assert not heard_lately(str(home), clock.now())
