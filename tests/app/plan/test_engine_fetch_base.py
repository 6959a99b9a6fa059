"""The branch that work is merged into is fetched from where it is reviewed; a line that is dead is no answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.plan.engine import fetch_base
from tests.git_repository import ENVIRONMENT, GitRepository


def test_the_base_is_fetched_and_without_a_remote_nothing_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    mine = GitRepository(tmp_path / "mine")
    mine.write("a.txt", "a\n")
    begun = mine.commit("begin")
    assert not fetch_base(mine.root, "main")
    mine.run("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    mine.run("remote", "add", "origin", str(tmp_path / "bare.git"))
    assert fetch_base(mine.root, "main")
    assert mine.run("rev-parse", "refs/remotes/origin/main") == begun
    mine.run("remote", "set-url", "origin", str(tmp_path / "gone.git"))
    assert not fetch_base(mine.root, "main")
