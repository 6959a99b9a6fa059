"""What a team gives back, and what it forgets, through the real commands and a real database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.surfaces.cli.conftest import Desk

if TYPE_CHECKING:
    from tests.team_server import TeamServer


def member(server: TeamServer, folder: Path, role: str, *rights: str) -> Desk:
    """A person of the team at a desk of their own, with the same project."""
    folder.mkdir()
    desk = Desk(folder)
    settings = desk.home / ".config" / "leeboard" / "leeboard.toml"
    settings.parent.mkdir(parents=True)
    url = server.member(role, "shop", *rights)
    settings.write_text(f'[team]\nurl = "{url}"\n[team.projects]\nshop = "{desk.repo}"\n')
    return desk


def worked(desk: Desk, session: str) -> None:
    """A short session: asked for one file, went on to another."""
    desk.ok("init", "-q")
    desk.hook("SessionStart", session, source="startup")
    desk.hook("UserPromptSubmit", session, prompt="Fix the auth bug in src/auth/token.ts.")
    for path in ("src/auth/token.ts", "src/styles/theme.css"):
        edit = {"file_path": str(desk.repo / path), "old_string": "a", "new_string": "b"}
        call = {"tool_name": "Edit", "tool_input": edit, "tool_use_id": f"{session} {path}"}
        desk.hook("PreToolUse", session, **call)
        desk.hook("PostToolUse", session, **call, tool_response={})
    desk.hook("Stop", session, stop_hook_active=False, last_assistant_message="done")


def test_a_shared_allowance_counts_for_others_until_it_is_taken_back(team_server: TeamServer, tmp_path: Path) -> None:
    kim = member(team_server, tmp_path / "kim", "kim", "allow")
    lee = member(team_server, tmp_path / "lee", "lee")
    for rule in ("scope_drift", "tangent"):
        why = ("--reason", "theme rides along", "--until", "2h")
        assert "in the background" in kim.ok("allow", rule, "--path", "src/styles/**", *why, "--team").out
    made = [one["id"] for one in kim.ok("allow", "--list", "--json").objects]
    kim.ok("team", "ship")
    assert {one["team"] for one in kim.ok("allow", "--list", "--json").objects} == {"shared"}

    worked(lee, "session-1")  # before it is taken in
    lee.ok("team", "ship")
    listed = lee.ok("allow", "--list", "--json").objects
    assert [(one["id"], one["origin"], one["reason"]) for one in listed] == [
        (f"t{id_}", "team", "theme rides along") for id_ in sorted(made)
    ]
    assert all("(kim, team)" in one["by"] and one["until"] for one in listed)
    assert "2, 2 of them shared by the team" in lee.ok("status").out
    assert "(kim, team): theme rides along" in lee.ok("why").out
    lee.hook("UserPromptSubmit", prompt="Fix the auth bug in src/auth/token.ts")
    assert lee.edit("src/styles/theme.css", "toolu_9") == ""

    kim.ok("allow", "--revoke", made[0])
    kim.ok("team", "ship")
    lee.ok("team", "ship")
    assert [one["id"] for one in lee.ok("allow", "--list", "--json").objects] == [f"t{made[1]}"]
    lee.ok("allow", "--revoke", f"t{made[1]}")
    lee.ok("team", "ship")
    assert lee.ok("allow", "--list", "--json").objects == []
    assert [one["id"] for one in kim.ok("allow", "--list", "--json").objects] == [made[1]]


def test_only_people_whom_the_administrator_lets_share(team_server: TeamServer, tmp_path: Path) -> None:
    lee = member(team_server, tmp_path / "lee", "lee")
    (made,) = lee.ok("allow", "circling", "--reason", "known flake", "--team", "--json").objects
    assert lee.run("allow", "circling", "--reason", "x", "--team", env={"CLAUDECODE": "1"}).code != 0
    assert lee.run("allow", "circling", "--reason", "x", "--team", "--project").code == 2
    assert lee.ok("allow", "--list", "--json").objects[0]["team"] == "waits"
    (shipped,) = lee.ok("team", "ship", "--json").objects
    assert (shipped["copied"], shipped["refused"]) == (0, [made["id"]])
    assert team_server.execute("SELECT * FROM leeboard.allowances") == []
    assert "not let share" in " ".join(lee.ok("allow", "--list").out.split())
    assert f"refused   {made['id']}: your role may not share allowances" in lee.ok("team", "status").out
    assert [one["id"] for one in lee.ok("allow", "--list", "--json").objects] == [made["id"]]
    alone = Desk(tmp_path)
    ran = alone.run("allow", "circling", "--reason", "x", "--team")
    assert ran.code == 2
    assert "no team is configured" in ran.err


def test_what_others_did_is_told_in_briefings_and_corrections(team_server: TeamServer, tmp_path: Path) -> None:
    kim = member(team_server, tmp_path / "kim", "kim")
    lee = member(team_server, tmp_path / "lee", "lee")
    worked(kim, "session-2")
    kim.ok("team", "ship")
    lee.ok("init", "-q")
    lee.hook("SessionStart", source="startup")
    lee.hook("UserPromptSubmit", prompt="Fix the auth bug in src/auth/token.ts")
    assert "In the team" not in lee.hook("SessionStart", source="compact")
    lee.ok("team", "ship")
    assert "shop: 0 allowances, 1 step of others" in lee.ok("team", "status").out
    team_server.kill()  # no event asks the team
    try:
        told = lee.hook("SessionStart", source="compact")
        assert "In the team: kim changed src/auth/token.ts (key decision)." in told
        lee.edit("src/auth/token.ts", "toolu_1")
        lee.edit("src/billing/pay.ts", "toolu_2")
        assert "In the team" not in lee.edit("docs/x.md", "toolu_3")  # nothing of the team is about it
        for number in range(4, 9):
            told = lee.edit("src/auth/other/theme.css", f"toolu_{number}")
    finally:
        team_server.start()
    kim.ok("team", "ship")
    assert "0 steps of others" in kim.ok("team", "status").out


@pytest.mark.parametrize("everybody", [False, True])
def test_a_member_exports_and_forgets_their_own(team_server: TeamServer, tmp_path: Path, *, everybody: bool) -> None:
    kim = member(team_server, tmp_path / "kim", "kim", "allow")
    lee = member(team_server, tmp_path / "lee", "lee")
    for desk, session in ((kim, "session-1"), (lee, "session-2")):
        worked(desk, session)
        desk.ok("team", "ship")
    kim.ok("allow", "circling", "--reason", "known flake", "--team")
    kim.ok("team", "ship")
    lee.ok("team", "ship")
    option = ("--everybody",) if everybody else ()
    rows = kim.ok("export", "--team", *option).objects
    assert {row["columns"]["member"] for row in rows} == ({"kim", "lee"} if everybody else {"kim"})
    assert {row["table"] for row in rows} == {"steps", "records", "allowances"}

    if everybody:  # the administrator forgets a project
        sql = kim.ok("team", "sql", "--forget", "--project", "shop").out
        team_server.execute(sql)
        left = set()
    else:
        assert kim.run("purge", "--team", "--older-than", "1d").code == 2
        told = kim.ok("purge", "--project", "--team").out
        assert "your rows of shop in the team's database go in the background" in told
        assert kim.ok("export", "--team").objects != []
        assert kim.ok("team", "ship").out == "the team's database forgot what it had of shop from you\n"
        assert kim.ok("export", "--team").objects == []
        left = {"lee"}
    found = {
        row[0] for table in ("steps", "records") for row in team_server.execute(f"SELECT member FROM leeboard.{table}")
    }
    assert found == left
    assert team_server.execute("SELECT * FROM leeboard.allowances") == []
    lee.ok("team", "ship")
    assert "shop: 0 allowances, 0 steps of others" in lee.ok("team", "status").out


def test_a_person_exports_and_forgets_all_of_their_own(team_server: TeamServer, tmp_path: Path) -> None:
    kim, lee = (member(team_server, tmp_path / name, name) for name in ("kim", "lee"))
    for desk, session in ((kim, "session-1"), (lee, "session-2")):
        worked(desk, session)
        desk.ok("team", "ship")
    here, there = kim.ok("export", "--all").objects, kim.ok("export", "--all", "--team").objects
    assert kim.ok("export").objects == here != []
    assert {row["columns"]["member"] for row in there} == {"kim"}
    assert kim.run("export", "--all", "--team", "--everybody").code == kim.run("purge", "--all", "--project").code == 2
    assert "your rows of shop" in kim.ok("purge", "--all", "--team").out
    kim.ok("team", "ship")
    assert kim.ok("export", "--all").objects == kim.ok("export", "--all", "--team").objects == []
    left = "SELECT DISTINCT member FROM leeboard.steps UNION SELECT member FROM leeboard.records"
    assert team_server.execute(left) == [("lee",)]

    team_server.execute(kim.ok("team", "sql", "--forget", "--role", "lee").out)
    assert team_server.execute(left) == []
    assert kim.run("team", "sql", "--forget").code == 2
