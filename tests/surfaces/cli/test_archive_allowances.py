from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.errors import ConfigError
from leeboard.surfaces.cli.archive import allowance_object, described, how_long, new_allowance, spelled_in_project


def test_a_reason_is_needed() -> None:
    with pytest.raises(ConfigError, match="--reason"):
        new_allowance(rule="circling", reason="  ", until="")


def test_two_of_the_same_have_ids_of_their_own() -> None:
    one, other = (new_allowance(rule="circling", reason="x", until="") for _ in range(2))
    assert one.id != other.id
    assert one.by


def test_what_it_lets_pass_and_how_long() -> None:
    assert described(new_allowance(rule="circling", reason="x", until="")) == "circling on every path"
    assert described(new_allowance(fingerprint="tangent:a.css", reason="x", until="")) == "tangent:a.css"
    forever, short = new_allowance(path="a/", reason="x", until=""), new_allowance(path="a/", reason="x", until="2h")
    assert how_long(forever) == "for good"
    assert how_long(short).startswith("until 2")
    assert allowance_object(forever)["until"] is None


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
