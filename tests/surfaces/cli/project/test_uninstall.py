from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk

SETTINGS = b'{"permissions":{"deny":[]},\r\n\t"hooks" : { } }'


def snapshot(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b"<folder>"
        for path in folder.rglob("*")
        if ".git" not in path.parts
    }


@pytest.mark.parametrize("scope", ["--local", "--project", "--user"])
def test_everything_is_as_it_was_byte_for_byte(desk: Desk, scope: str) -> None:
    for path in (desk.local, desk.project, desk.home / ".claude" / "settings.json"):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(SETTINGS)
    before = snapshot(desk.repo), (desk.home / ".claude" / "settings.json").read_bytes()
    desk.ok("init", scope, "--profile", "observe")
    assert (snapshot(desk.repo), (desk.home / ".claude" / "settings.json").read_bytes()) != before
    desk.ok("uninstall", scope)
    assert (snapshot(desk.repo), (desk.home / ".claude" / "settings.json").read_bytes()) == before


def test_what_was_made_is_gone(desk: Desk) -> None:
    desk.ok("init", "--profile", "observe")
    ran = desk.ok("uninstall")
    assert "removed .claude/settings.local.json" in ran.out
    assert snapshot(desk.repo) == {}


def test_without_a_scope_both_files_of_the_project_are_cleaned(desk: Desk) -> None:
    desk.ok("init", "-q")
    desk.ok("init", "-q", "--project")
    desk.ok("init", "-q", "--user")
    desk.ok("uninstall", "-q")
    assert snapshot(desk.repo) == {}
    assert (desk.home / ".claude" / "settings.json").exists()


def test_all_finds_other_projects_too(desk: Desk, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    desk.ok("init", "-q", cwd=other)
    desk.ok("init", "-q", "--user", "--profile", "observe")
    (found,) = desk.ok("uninstall", "--all", "--json").objects
    assert len(found["changes"]) == 3
    assert snapshot(other) == {}
    assert not (desk.home / ".claude").exists()


def test_a_dry_run_only_shows(desk: Desk) -> None:
    desk.ok("init", "-q")
    before = desk.local.read_bytes()
    assert "-{" in desk.ok("uninstall", "--dry-run").out
    assert desk.local.read_bytes() == before


def test_where_nothing_is_there_is_nothing_to_do(desk: Desk) -> None:
    assert "not installed here" in desk.ok("uninstall").out
    assert desk.ok("uninstall", "--quiet").out == ""


def test_a_broken_file_does_not_keep_the_others(desk: Desk) -> None:
    desk.ok("init", "-q")
    desk.project.write_text("{")
    ran = desk.run("uninstall")
    assert ran.code == 2
    assert "settings.json: line 1" in ran.err
    assert not desk.local.exists()
    assert desk.project.read_text() == "{"


def test_the_hooks_of_one_client_go_alone(desk: Desk) -> None:
    desk.ok("init", "-q", "--profile", "observe")
    desk.ok("init", "-q", "--client", "codex")
    desk.ok("uninstall", "--client", "codex")
    assert not (desk.repo / ".codex").exists()
    assert desk.local.exists()
    assert (desk.repo / "leeboard.toml").exists()
    assert desk.run("uninstall", "--client", "codex", "--all").code == 2


def test_what_stays_is_named_with_what_takes_it_away(desk: Desk) -> None:
    desk.ok("init", "-q", "--profile", "observe")
    desk.hook("UserPromptSubmit", prompt="Fix the login")
    (desk.repo / ".leeboard").mkdir()
    told = desk.ok("uninstall")
    assert "stays: what was recorded" in told.out
    assert "`leeboard purge --project`" in told.out
    assert "stays: .leeboard" in told.out
    assert "stays: leeboard.toml" not in told.out, "`init` wrote it, and it went"
    (desk.repo / ".leeboard").rmdir()
    desk.ok("purge", "--all")
