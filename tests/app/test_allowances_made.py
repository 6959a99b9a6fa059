from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.allowances import new_allowance, spelled_in_project
from leeboard.errors import ConfigError


def test_a_reason_is_needed() -> None:
    with pytest.raises(ConfigError, match="--reason"):
        new_allowance(rule="circling", reason="  ", until="")


def test_two_of_the_same_have_ids_of_their_own() -> None:
    one, other = (new_allowance(rule="circling", reason="x", until="") for _ in range(2))
    assert one.id != other.id
    assert one.by


def test_paths_are_spelled_from_the_top(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "src" / "auth").mkdir(parents=True)
    (tmp_path / "docs").mkdir()
    root = str(tmp_path)
    monkeypatch.chdir(tmp_path / "src")
    assert spelled_in_project("auth/", root) == "src/auth"
    assert spelled_in_project("src/auth/", root) == "src/auth"
    assert spelled_in_project("docs/", root) == "docs"
    assert spelled_in_project("**/*.css", root) == "src/**/*.css"
    assert spelled_in_project(root, root) == "**"
    with pytest.raises(ConfigError, match="outside"):
        spelled_in_project("/etc", root)
