from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from leeboard.app.team_files import (
    forget_roots,
    held_name,
    kept_policy,
    policy_file,
    project_name,
    root_file,
    steps_file,
)
from leeboard.settings.team import TeamSettings


def test_a_project_is_known_by_its_folder_in_every_work_tree_of_it(tmp_path: Path) -> None:
    shop, beside = tmp_path / "shop", tmp_path / "beside"
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-C", str(shop))
    subprocess.run(("git", "init", "-q", str(shop)), check=True)
    subprocess.run((*git, "commit", "-q", "--allow-empty", "-m", "first"), check=True)
    subprocess.run((*git, "worktree", "add", "-q", str(beside)), check=True)
    team = TeamSettings(url="postgresql://db/x", projects={"shop": str(shop)})
    assert [project_name(team, str(one)) for one in (shop, beside, tmp_path)] == ["shop", "shop", ""]
    assert project_name(None, str(shop)) == ""


def test_what_lies_there_and_is_no_policy_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path))
    assert kept_policy("shop") is None
    place = Path(policy_file("shop"))
    place.parent.mkdir()
    place.write_text("anything")
    assert kept_policy("shop") is None
    assert steps_file("shop").endswith("/team/shop.db")


def test_where_a_policy_was_taken_is_known_until_the_project_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path))
    assert held_name("/work/shop") == ""
    for name in ("shop", "bank"):
        place = Path(root_file(name))
        place.parent.mkdir(exist_ok=True)
        place.write_text(f"/work/{name}")
    assert [held_name(root) for root in ("/work/shop", "/work/bank", "/work", "")] == ["shop", "bank", "", ""]
    forget_roots({"bank"})
    assert [held_name(root) for root in ("/work/shop", "/work/bank")] == ["", "bank"]
