from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


@pytest.mark.parametrize("content", [b"", b"*.log\n", b"*.log", b"a\r\nb", b"# \xff\n"])
def test_the_line_comes_and_goes_byte_for_byte(desk: Desk, content: bytes) -> None:
    exclude = desk.repo / ".git" / "info" / "exclude"
    exclude.write_bytes(content)
    desk.ok("init", "-q")
    assert exclude.read_bytes().splitlines()[-1] == b".claude/settings.local.json"
    assert ".git/info/exclude" in desk.ok("uninstall").out
    assert exclude.read_bytes() == content


def test_a_folder_that_is_missing_is_made_and_removed(desk: Desk) -> None:
    shutil.rmtree(desk.repo / ".git" / "info")
    desk.ok("init", "-q")
    assert (desk.repo / ".git" / "info" / "exclude").read_bytes() == b".claude/settings.local.json\n"
    desk.ok("uninstall", "-q")
    assert not (desk.repo / ".git" / "info").exists()


def test_what_was_added_since_stays(desk: Desk) -> None:
    exclude = desk.repo / ".git" / "info" / "exclude"
    exclude.write_bytes(b"*.log\n")
    desk.ok("init", "-q")
    exclude.write_bytes(exclude.read_bytes() + b"*.tmp\n")
    desk.ok("uninstall", "--all")
    assert exclude.read_bytes() == b"*.log\n*.tmp\n"


def test_a_linked_work_tree_uses_the_file_of_its_repository(desk: Desk, tmp_path: Path) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    desk.execute(("git", *who, "commit", "-q", "--allow-empty", "-m", "first"))
    linked = tmp_path / "linked"
    desk.execute(("git", "worktree", "add", "-q", str(linked)))
    exclude = desk.repo / ".git" / "info" / "exclude"
    before = exclude.read_bytes()
    desk.ok("init", "-q", cwd=linked)
    assert exclude.read_bytes() == before + b".claude/settings.local.json\n"
    assert desk.execute(("git", "status", "--porcelain"), cwd=linked).out == ""
    desk.ok("uninstall", "-q", cwd=linked)
    assert exclude.read_bytes() == before


def test_settings_that_are_tracked_are_only_spoken_of(desk: Desk) -> None:
    desk.local.parent.mkdir()
    desk.local.write_text("{}\n")
    desk.execute(("git", "add", ".claude/settings.local.json"))
    before = (desk.repo / ".git" / "info" / "exclude").read_bytes()
    assert "is under version control here" in desk.ok("init").out
    assert (desk.repo / ".git" / "info" / "exclude").read_bytes() == before


def test_other_scopes_and_dry_runs_leave_it(desk: Desk) -> None:
    exclude = desk.repo / ".git" / "info" / "exclude"
    before = exclude.read_bytes()
    desk.ok("init", "-q", "--project")
    assert "+.claude/settings.local.json" in desk.ok("init", "--dry-run").out
    assert exclude.read_bytes() == before
