from __future__ import annotations

from typing import TYPE_CHECKING

from tests.bare_install import BareInstall
from tests.surfaces.cli.conftest import Desk

if TYPE_CHECKING:
    import pytest

    from tests.team_server import TeamServer


def configure(desk: Desk, url: str) -> None:
    folder = desk.home / ".config" / "leeboard"
    folder.mkdir(parents=True)
    (folder / "leeboard.toml").write_text(f'[team]\nurl = "{url}"\n[team.projects]\nshop = "{desk.repo}"\n')


def test_a_session_is_copied_for_those_who_have_a_part_in_it(drifted_copy: Desk, team_server: TeamServer) -> None:
    desk = drifted_copy
    configure(desk, team_server.member("kim", "shop"))
    (before,) = desk.ok("team", "status", "--json").objects
    assert (before["waiting"], before["shipped"], before["projects"]) == (0, 0, {"shop": str(desk.repo)})
    assert "waiting   all that is recorded so far" in desk.ok("team", "status").out
    (shipped,) = desk.ok("team", "ship", "--json").objects
    assert shipped["copied"] > 10
    kinds = dict(team_server.execute("SELECT kind, count(*) FROM leeboard.records GROUP BY kind"))
    assert set(kinds) == {"verdict", "finding", "correction", "task"}
    files = [row[0] for row in team_server.execute("SELECT files FROM leeboard.steps ORDER BY seq")]
    assert files == [["src/auth/token.ts"], ["src/styles/theme.css"]]
    assert str(desk.repo) not in str(team_server.execute("SELECT data FROM leeboard.records WHERE kind = 'task'"))
    out = desk.ok("team", "status").out
    assert "waiting   0 rows" in out
    assert f"copied    {shipped['copied']} rows, the last at " in out
    assert "copied 0 rows" in desk.ok("team", "ship").out
    team_server.execute("TRUNCATE leeboard.steps, leeboard.records")
    assert desk.ok("team", "ship", "--again", "--json").objects == [shipped]
    assert [row[0] for row in team_server.execute("SELECT files FROM leeboard.steps ORDER BY seq")] == files


def test_a_question_is_answered_by_the_team_and_without_it(
    drifted_copy: Desk, team_server: TeamServer, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Another member, who has worked on something else, asks for what the first one did."""
    configure(drifted_copy, team_server.member("kim", "shop"))
    drifted_copy.ok("team", "ship")
    (alone,) = drifted_copy.ok("recall", "auth token", "--local", "--json").objects
    (both,) = drifted_copy.ok("recall", "auth token", "--json").objects
    assert both["found"] == alone["found"]  # what was copied from here is here already

    other = Desk(tmp_path_factory.mktemp("other"))
    other.ok("init", "-q")
    other.hook("SessionStart", "session-2", source="startup")
    other.hook("UserPromptSubmit", "session-2", prompt="Write the readme")
    configure(other, team_server.member("lee", "shop"))
    (page,) = other.ok("recall", "src/auth/token.ts", "--json").objects
    assert [(one["what"], one["member"]) for one in page["found"]] == [("edit src/auth/token.ts", "kim")]
    assert "session-1 of kim" in other.ok("recall", "auth token").out
    assert "nothing about" in other.ok("recall", "auth token", "--local").out

    (other.home / ".config" / "leeboard" / "leeboard.toml").unlink()
    (other.home / ".config" / "leeboard").rmdir()
    configure(other, "postgresql://lee@127.0.0.1:1/x")
    ran = other.ok("recall", "auth token")
    assert "only what was recorded here was looked at: the team's database at 127.0.0.1/x" in ran.err


def test_an_outage_is_told_with_what_happens_next(drifted_copy: Desk) -> None:
    configure(drifted_copy, "postgresql://kim@127.0.0.1:1/x")
    ran = drifted_copy.run("team", "ship")
    assert ran.code == 5
    assert "the team's database at 127.0.0.1/x: " in ran.err
    out = drifted_copy.ok("team", "status").out
    assert "failed    1 time; next try at " in out


def test_the_administrators_sql(desk: Desk) -> None:
    text = desk.ok("team", "sql").out
    assert "ENABLE ROW LEVEL SECURITY" in text
    assert desk.ok("team", "sql", "--json").objects == [{"kind": "team_sql", "sql": text}]
    assert "GRANT leeboard_member TO kim;" in desk.ok("team", "sql", "--role", "kim", "--project", "shop").out
    for wrong in (("--role", "kim"), ("--role", "x;y", "--project", "shop")):
        assert desk.run("team", "sql", *wrong).code == 2
    ran = desk.run("team", "status")
    assert ran.code == 2
    assert "[team]" in ran.err


def test_a_url_that_is_refused_is_no_missing_one(desk: Desk) -> None:
    configure(desk, "postgresql://kim:hunter2@db.example/team")
    ran = desk.run("team", "status")
    assert ran.code
    assert "password" in ran.err
    assert "hunter2" not in ran.err
    assert "no team is configured" not in ran.err


def test_without_the_extra_every_command_says_what_is_missing(drifted_copy: Desk) -> None:
    desk = drifted_copy
    configure(desk, "postgresql://kim@127.0.0.1:1/x")
    bare = BareInstall(desk.home / "packages")
    shown = bare.run(desk, "team", "status")
    assert (shown.code, "install Leeboard with its extra `team`" in " ".join(shown.out.split())) == (0, True), shown.err
    shipped = bare.run(desk, "team", "ship")
    assert (shipped.code, "install Leeboard with its extra `team`" in shipped.err) == (5, True)
    (told,) = [one for one in bare.run(desk, "doctor", "--json").objects if one.get("about") == "team"]
    assert (told["state"], "psycopg" in told["detail"]) == ("note", True)
    assert bare.run(desk, "allow", "--revoke", "tnone").code == 2


def test_a_fault_in_the_settings_is_named(desk: Desk) -> None:
    configure(desk, "postgresql://kim@127.0.0.1:1/x")
    settings = desk.home / ".config" / "leeboard" / "leeboard.toml"
    settings.write_text(settings.read_text() + 'bank = "/no/such/folder"\nnot toml at all\n')
    (shown,) = desk.ok("team", "status", "--json").objects
    assert "not valid TOML" in shown["faults"][0]
    assert shown["faults"][1] == "team.projects.bank: /no/such/folder is no folder here, so nothing of it is copied"
    checks = {one.get("about"): one for one in desk.run("doctor", "--json").objects}
    assert "/no/such/folder" in checks["team"]["detail"]
    settings.write_text("[team\nurl = 1\n")
    ran = desk.run("team", "status")
    assert ran.code == 2
    assert "not valid TOML" in ran.err
