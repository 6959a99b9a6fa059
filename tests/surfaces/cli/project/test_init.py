from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from leeboard.clients.claude_code.hook_settings import HOOK_EVENTS, read_state

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_it_goes_into_the_file_that_is_yours_alone(desk: Desk) -> None:
    ran = desk.ok("init")
    assert {event for event, _ in read_state(desk.local.read_text()).hooks} == set(HOOK_EVENTS)
    assert not desk.project.exists()
    assert "made .claude/settings.local.json" in ran.out
    assert "leeboard status" in ran.out


def test_a_second_time_changes_nothing(desk: Desk) -> None:
    desk.ok("init")
    before = desk.local.read_bytes()
    assert "already installed" in desk.ok("init").out
    assert desk.local.read_bytes() == before


def test_what_stands_there_stays(desk: Desk) -> None:
    desk.local.parent.mkdir()
    desk.local.write_text('{\n  "permissions": {"allow": ["Bash(ls)"]}\n}\n')
    desk.ok("init")
    assert json.loads(desk.local.read_text())["permissions"] == {"allow": ["Bash(ls)"]}


def test_the_scopes(desk: Desk) -> None:
    assert ".claude/settings.json holds paths of this machine" in desk.ok("init", "--project").out
    assert desk.project.exists()
    desk.execute(("git", "add", ".claude/settings.json"))
    assert ".claude/settings.json is under version control" in desk.ok("init", "--project").out
    told = desk.ok("init", "--user").out
    assert (desk.home / ".claude" / "settings.json").exists()
    assert "are also in .claude/settings.json" in told


@pytest.mark.parametrize(
    ("first", "second"), [("--local", "--project"), ("--project", "--local"), ("--user", "--local")]
)
def test_the_advice_about_hooks_that_stand_twice_takes_out_those_alone(desk: Desk, first: str, second: str) -> None:
    desk.ok("init", "--client", "codex", "--workflow")
    desk.ok("init", first)
    paths = {"--local": desk.local, "--project": desk.project, "--user": desk.home / ".claude" / "settings.json"}
    told = " ".join(desk.ok("init", second).out.split())
    advice = re.search(r"`leeboard (uninstall [^`]+)`", told.partition("are also in")[2])
    assert advice is not None
    desk.ok(*advice.group(1).split())
    assert not paths[first].exists()
    assert [
        path.exists() for path in (paths[second], desk.repo / ".codex" / "hooks.json", desk.repo / ".mcp.json")
    ] == [True] * 3


def test_a_file_of_a_client_that_has_none_for_you_alone_is_told_apart_from_a_tracked_one(desk: Desk) -> None:
    told = desk.ok("init", "--client", "codex").out
    assert "others run `leeboard init` themselves" in told
    assert "commit it" not in told
    assert "echo .codex/hooks.json >> .git/info/exclude" in told
    assert "under version control" not in told


def test_a_dry_run_shows_and_changes_nothing(desk: Desk) -> None:
    ran = desk.ok("init", "--dry-run", "--profile", "observe")
    assert '+        "hooks": [' in ran.out
    assert '+profile = "observe"' in ran.out
    assert list(desk.repo.iterdir()) == [desk.repo / ".git"]
    assert not desk.state.exists()


def test_the_profile_is_only_written_when_asked_for(desk: Desk) -> None:
    desk.ok("init")
    assert not (desk.repo / "leeboard.toml").exists()
    desk.ok("init", "--profile", "enforce")
    assert (desk.repo / "leeboard.toml").read_text() == 'profile = "enforce"\n'


def test_invalid_settings_are_left_and_their_line_named(desk: Desk) -> None:
    desk.local.parent.mkdir()
    desk.local.write_text('{\n  "a": 1,\n}\n')
    ran = desk.run("init")
    assert ran.code == 2
    assert "settings.local.json: line 2" in ran.err or "settings.local.json: line 3" in ran.err
    assert desk.local.read_text() == '{\n  "a": 1,\n}\n'


def test_outside_of_git_it_works_and_says_so(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    ran = desk.ok("init", cwd=tmp_path / "plain")
    assert "not a git work tree" in ran.out
    assert (tmp_path / "plain" / ".claude" / "settings.local.json").exists()


def test_below_the_top_of_a_repository_it_goes_to_the_top(desk: Desk) -> None:
    (desk.repo / "src").mkdir()
    desk.ok("init", "-q", cwd=desk.repo / "src")
    assert desk.local.exists()


def test_for_programs(desk: Desk) -> None:
    (found,) = desk.ok("init", "--json").objects
    assert found["kind"] == "init"
    assert [change["file"] for change in found["changes"]] == [
        str(desk.local),
        str(desk.repo / ".git" / "info" / "exclude"),
    ]
    (again,) = desk.ok("init", "--json").objects
    assert again["already_installed"]
    assert again["changes"] == []


def test_the_installed_line_answers(desk: Desk) -> None:
    """AD-105: with nothing else running."""
    desk.ok("init", "-q")
    desk.hook("SessionStart", source="startup")
    desk.hook("UserPromptSubmit", prompt="Fix the auth bug in src/auth/token.ts")
    desk.edit("src/auth/token.ts", "toolu_1")
    assert "src/styles/theme.css" in desk.edit("src/styles/theme.css", "toolu_2")


def test_where_git_does_not_ignore_the_local_settings_it_is_told_to(desk: Desk) -> None:
    exclude = desk.repo / ".git" / "info" / "exclude"
    before = exclude.read_bytes()
    told = desk.ok("init").out
    assert "git now ignores .claude/settings.local.json here" in told
    assert exclude.read_bytes() == before + b".claude/settings.local.json\n"
    assert desk.execute(("git", "status", "--porcelain")).out == ""
    assert "nothing to change" in desk.ok("init").out


def test_what_git_ignores_already_needs_no_line(desk: Desk) -> None:
    exclude = desk.repo / ".git" / "info" / "exclude"
    (desk.repo / ".gitignore").write_text("settings.local.json\n")
    before = exclude.read_bytes()
    assert "git now ignores" not in desk.ok("init").out
    assert exclude.read_bytes() == before


def test_the_way_back_is_named_for_the_scope(desk: Desk) -> None:
    assert "leeboard uninstall --user " in desk.ok("init", "--user").out
    assert "leeboard uninstall --user  " not in desk.ok("init", "--project").out


@pytest.mark.parametrize("command", ["init", "uninstall"])
@pytest.mark.parametrize("scopes", [("--local", "--user"), ("--user", "--project"), ("--user", "--project", "--local")])
def test_only_one_file_can_be_chosen(desk: Desk, command: str, scopes: tuple[str, ...]) -> None:
    ran = desk.run(command, *scopes)
    assert ran.code == 2
    assert "choose one of --local, --project and --user" in ran.err
    assert not desk.local.exists()
    assert not (desk.home / ".claude").exists()


def test_where_something_sleeps_trust_is_a_next_step(desk: Desk) -> None:
    (desk.repo / "leeboard.toml").write_text('profile = "observe"\n')
    assert "leeboard trust " in desk.ok("init").out
    desk.ok("trust", "--yes")
    desk.ok("uninstall")
    assert "leeboard trust " not in desk.ok("init").out


def test_every_client_that_is_found_gets_its_hooks_and_all_of_it_is_taken_back(desk: Desk) -> None:
    exclude = desk.repo / ".git" / "info" / "exclude"
    before = exclude.read_bytes()
    for folder in (".claude", ".config/opencode", ".gemini"):
        (desk.home / folder).mkdir(parents=True)
    said = desk.ok("init", "--client", "all").out
    assert said.count("takes the hooks out again, and names what stays") == 1
    assert [name in said for name in ("Claude Code does", "opencode does", "Gemini CLI does")] == [True] * 3
    assert "settings.local.json\n" in exclude.read_text()
    assert "plugins/leeboard.js\n" in exclude.read_text(), "the line of one is not lost to the other's"
    desk.ok("uninstall")
    assert exclude.read_bytes() == before
    assert not (desk.repo / ".gemini" / "settings.json").exists()


def test_clients_without_settings_of_a_scope_are_left_out_of_all(desk: Desk) -> None:
    for folder in (".config/opencode", ".gemini"):
        (desk.home / folder).mkdir(parents=True)
    (told,) = desk.ok("init", "--client", "all", "--project", "--json").objects
    assert told["client"] == "gemini_cli", "opencode has none for a project"


def test_where_no_client_is_found_all_says_whose_hooks_go_in(desk: Desk) -> None:
    none = {"PATH": "/usr/bin:/bin"}
    assert "no client was found on this machine" in desk.ok("init", "--client", "all", "--dry-run", env=none).out
    (desk.home / ".gemini").mkdir()
    assert "no client was found" not in desk.ok("init", "--client", "all", env=none).out
