from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_named_and_grown_scope_are_shown_apart(drifted: Desk) -> None:
    (found,) = drifted.ok("scope", "show", "--json").objects
    assert found["named"] == ["src/auth/token.ts"]
    assert "src/auth/" in found["grown"]
    assert found["constraints"] == ["DO NOT modify the schema"]
    out = drifted.ok("scope").out
    assert "named" in out
    assert "DO NOT modify the schema" in out


def test_before_any_session_it_says_so(desk: Desk) -> None:
    assert "no session was recorded here yet" in desk.ok("scope").out
    assert not desk.state.exists()


def test_widening_lets_the_work_in_and_narrowing_ends_it(desk: Desk) -> None:
    desk.ok("init", "-q")
    desk.ok("scope", "widen", "src/styles/", "--reason", "theme rides along", "--until", "3d")
    assert "theme rides along" in desk.ok("scope").out
    desk.hook("UserPromptSubmit", prompt="Fix the auth bug in src/auth/token.ts")
    desk.edit("src/auth/token.ts", "toolu_1")
    assert desk.edit("src/styles/theme.css", "toolu_2") == ""
    desk.ok("scope", "narrow", "src/styles")
    assert "src/styles/print.css" in desk.edit("src/styles/print.css", "toolu_3")


def test_what_is_widened_stays_silent_however_much_of_it_is_changed(desk: Desk) -> None:
    desk.ok("init", "-q")
    desk.ok("scope", "widen", "src/styles/", "--reason", "theme rides along")
    desk.hook("UserPromptSubmit", prompt="Fix the auth bug in src/auth/token.ts")
    desk.edit("src/auth/token.ts", "toolu_1")
    heard = [desk.edit(f"src/styles/{name}.css", f"toolu_{name}") for name in ("theme", "print", "dark")]
    assert heard == ["", "", ""]


def test_what_the_user_forbade_stays_forbidden(desk: Desk) -> None:
    desk.ok("init", "-q")
    desk.ok("scope", "widen", "db/", "--reason", "x")
    desk.hook("UserPromptSubmit", prompt="Fix the auth bug. Don't modify the schema.")
    edit = {"file_path": str(desk.repo / "db/schema.sql"), "old_string": "a", "new_string": "b"}
    refused = desk.hook("PreToolUse", tool_name="Edit", tool_input=edit, tool_use_id="toolu_1")
    assert "broken_constraint" in refused


def test_narrowing_what_was_never_widened_names_what_was(desk: Desk) -> None:
    desk.ok("scope", "widen", "docs/", "--reason", "x")
    ran = desk.run("scope", "narrow", "src/")
    assert ran.code == 2
    assert "what was: docs" in ran.err


def test_for_programs(desk: Desk) -> None:
    made = desk.ok("scope", "widen", "docs/", "lib/", "--reason", "x", "--json").objects
    assert {(one["rule"], one["path"]) for one in made} == {
        ("scope_drift", "docs"),
        ("tangent", "docs"),
        ("file_scope", "docs"),
        ("scope_drift", "lib"),
        ("tangent", "lib"),
        ("file_scope", "lib"),
    }
    (gone,) = desk.ok("scope", "narrow", "docs", "--json").objects
    assert len(gone["revoked"]) == 3


def test_a_widening_is_listed_once_and_its_end_is_named_with_its_path(desk: Desk) -> None:
    told = desk.ok("scope", "widen", "src/**/*.css", "--reason", "theme", "--until", "3d").out
    assert "`leeboard scope narrow 'src/**/*.css'` takes it back" in told
    out = desk.ok("scope").out
    assert out.count("widened") == out.count("theme") == 1
    (found,) = desk.ok("scope", "--json").objects
    assert len(found["widened"]) == 1
    assert [found] == desk.ok("scope", "show", "--json").objects


def test_json_before_a_subcommand_is_refused(desk: Desk) -> None:
    ran = desk.run("scope", "--json", "narrow", "docs")
    assert ran.code == 2
    assert "put --json after narrow" in ran.err
