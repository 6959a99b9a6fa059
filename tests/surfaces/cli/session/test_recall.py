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
