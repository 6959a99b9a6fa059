from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from leeboard.app.team_files import (
    forget_roots,
    held_name,
    kept_policy,
    policy_file,
    project_name,
    root_file,
    steps_file,
    team_past,
    words_of_team,
)
from leeboard.model.verdict import Action, Verdict
from leeboard.settings.team import TeamSettings
from leeboard.store.team.copy import TeamMark, TeamNews, team_copy
from tests.store.team.test_copy import a_team_step


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


def test_a_correction_is_joined_by_who_else_changed_the_files(tmp_path: Path) -> None:
    path = str(tmp_path / "shop.db")
    assert team_past("", ("src/a.py",), (), ()) == ()
    assert team_past(path, ("src/a.py",), (), ()) == ()
    with team_copy(path) as copy:
        copy.take(TeamNews(mark=TeamMark(1, 0), anew=True, steps=((1, a_team_step("one", is_key_decision=True)),)))
    about = Verdict(id="v1", session="s", agent="", turn=1, action=Action.INJECT, event="ToolFinished", message="m")
    verdict = replace(about, level="correct", paths=("src/a.py",))
    assert "In the team: kim changed src/a.py (key decision)." in words_of_team(path, verdict)
    assert words_of_team(path, replace(verdict, level="nudge")) == ""
    (tmp_path / "shop.db").write_bytes(b"no database at all, but long enough to be looked at" * 40)
    assert team_past(path, ("src/a.py",), (), ()) == ()
