from __future__ import annotations

from typing import TYPE_CHECKING

from tests.leak import live_key

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_a_path_and_a_question_lead_to_what_was_done(drifted: Desk) -> None:
    """Also from a folder below; the step that was off course is not told again."""
    for question in ("src/auth/token.ts", "what about the auth token"):
        (page,) = drifted.ok("recall", question, "--json").objects
        assert any(one["what"] == "edit src/auth/token.ts" for one in page["found"]), question
        assert not any("theme.css" in one["what"] for one in page["found"])
    out = drifted.ok("recall", "src/auth/token.ts").out
    assert "edit src/auth/token.ts" in out
    assert "key decision, scored 10/10" in out
    assert "Fix the auth bug" in out
    assert "`leeboard report session-1`" in out


def test_a_file_is_answered_with_what_was_done_to_it(drifted_copy: Desk) -> None:
    """Not with what else was done in its folder or for the same goal; with that where nothing was done to it itself."""
    desk = drifted_copy
    for path in ("src/auth/token.ts", "src/auth/login.ts"):
        (desk.repo / path).parent.mkdir(parents=True, exist_ok=True)
        (desk.repo / path).touch()
        edit = {"file_path": str(desk.repo / path), "old_string": "a", "new_string": "b"}
        call = {"tool_name": "Edit", "tool_input": edit, "tool_use_id": f"toolu_{path}"}
        desk.hook("PreToolUse", "session-1", **call)
        desk.hook("PostToolUse", "session-1", **call, tool_response={})
    (page,) = desk.ok("recall", "src/auth/login.ts", "--json").objects
    assert {one["what"] for one in page["found"]} == {"edit src/auth/login.ts"}
    (desk.repo / "src/auth/other.ts").touch()
    (page,) = desk.ok("recall", "src/auth/other.ts", "--json").objects
    assert page["found"]


def test_a_session_is_named_by_the_start_of_its_id(desk: Desk) -> None:
    desk.ok("init", "-q")
    session = "0b9c1d2e-3f40-4152-8637-48596a7b8c9d"
    desk.hook("UserPromptSubmit", session, prompt="Fix the login in src/login.ts")
    assert "`leeboard report 0b9c1d2e-3f40`\n" in desk.ok("recall", "login").out
    assert session in desk.ok("report", "0b9c1d2e-3f40").out


def test_nothing_found_is_said_without_the_secret_in_the_question(drifted: Desk) -> None:
    key = live_key(1)
    ran = drifted.ok("recall", "zebra", key)
    assert "nothing about" in ran.out
    assert key not in ran.out + ran.err + drifted.ok("recall", "zebra", key, "--json").out


def test_before_anything_was_recorded_or_asked_it_says_so(desk: Desk) -> None:
    ran = desk.run("recall", "anything")
    assert (ran.code, ran.out) == (2, "")
    assert "leeboard init" in ran.err
    assert desk.run("recall").code == 2


def test_what_is_forgotten_is_not_found_again(drifted_copy: Desk) -> None:
    desk = drifted_copy
    desk.ok("recall", "auth token")
    words = desk.home / ".cache" / "leeboard" / "words"
    assert list(words.glob("*.db"))
    desk.ok("purge", "--project")
    assert not list(words.iterdir())
    assert "nothing about" in desk.ok("recall", "auth token").out
    desk.ok("purge", "--older-than", "1d")
    assert not list(words.iterdir())
