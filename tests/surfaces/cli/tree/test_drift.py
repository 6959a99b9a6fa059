from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk

UNKNOWN = "unknown: a person or another program"


def follow_docs(desk: Desk) -> None:
    (desk.repo / "docs").mkdir()
    (desk.repo / "docs" / "login.md").write_text("# login\n\nIt must work.\n")
    (desk.repo / "leeboard.toml").write_text('[truth]\ntrack = ["docs/**"]\n')
    desk.trust()


def test_where_nothing_is_tracked_it_says_how(desk: Desk) -> None:
    assert '[truth] track = ["docs/requirements/**"]' in " ".join(desk.ok("drift").out.split())
    assert not desk.state.exists(), "asking leaves no trace"
    for words in (("diff",), ("accept",)):
        ran = desk.run("drift", *words)
        assert ran.code == 2
        assert "none is tracked in" in ran.err


def test_status_diff_and_accept(desk: Desk) -> None:
    follow_docs(desk)
    assert "1 file, from now on" in desk.ok("drift", "status").out
    assert "1 file, as accepted" in desk.ok("drift", "status", "--check").out
    (desk.repo / "docs" / "login.md").write_text("# login\n\nIt must work twice.\n")
    out = desk.ok("drift").out
    assert "1 file there; not as accepted: 1 changed" in out
    assert "`leeboard drift diff` shows how, `leeboard drift accept` takes them as they are" in " ".join(out.split())
    assert f"changed  docs/login.md; by whom: {UNKNOWN}" in out
    assert desk.run("drift", "status", "--check").code == 1
    diff = desk.ok("drift", "diff", "docs").out
    assert "+ 3: It must work twice." in diff
    assert "- 1 line gone behind line 2" in diff
    assert desk.ok("drift", "accept").out == "accepted docs/login.md\n"
    assert desk.ok("drift", "accept").out == "nothing differs\n"
    assert desk.ok("drift", "diff").out == ""


def test_for_programs(desk: Desk) -> None:
    follow_docs(desk)
    (first,) = desk.ok("drift", "status", "--json").objects
    assert (first["kind"], first["established"], first["tracked"]) == ("drift", True, 1)
    (desk.repo / "docs" / "login.md").unlink()
    change, summary = desk.ok("drift", "status", "--json").objects
    assert (change["path"], change["change"], change["author"]) == ("docs/login.md", "file-removed", "unknown")
    assert change["after_sha256"] is None
    assert (summary["changed"], summary["unread"]) == (1, 0)
    (shown,) = desk.ok("drift", "diff", "--json").objects
    assert shown["kind"] == "tracked_change"
    (accepted,) = desk.ok("drift", "accept", "--json").objects
    assert (accepted["kind"], accepted["sha256"]) == ("accepted", "absent")
    assert desk.run("drift", "--json", "status").code == 2


@pytest.mark.parametrize("mark", ["CLAUDECODE", "CODEX_SANDBOX"])
def test_an_agent_can_not_accept(desk: Desk, mark: str) -> None:
    follow_docs(desk)
    desk.ok("drift")
    (desk.repo / "docs" / "login.md").write_text("# other\n")
    ran = desk.run("drift", "accept", env={mark: "1"})
    assert ran.code == 2
    assert "only a person may run `leeboard drift accept`" in ran.err
    assert desk.run("drift", "status", "--check").code == 1


def test_an_agent_that_tries_it_in_a_shell_line_is_refused(desk: Desk) -> None:
    desk.ok("init", "-q")
    desk.hook("UserPromptSubmit", prompt="fix docs/login.md")
    call: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "leeboard drift accept"}, "tool_use_id": "t"}
    answer = json.loads(desk.hook("PreToolUse", **call))
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_what_the_agent_has_not_seen_is_shown(desk: Desk) -> None:
    desk.ok("init", "-q")
    app = desk.repo / "app.py"
    app.write_text("one\ntwo\n")
    desk.hook("UserPromptSubmit", prompt="fix app.py")
    read: dict[str, Any] = {"tool_name": "Read", "tool_input": {"file_path": str(app)}, "tool_use_id": "t"}
    desk.hook("PreToolUse", **read)
    desk.hook("PostToolUse", **read, tool_response={"type": "text", "file": {"content": "one\ntwo\n"}})
    assert "unread" not in desk.ok("drift").out
    app.write_text("one\nTWO\n")
    assert f"unread   app.py: 1 line new, 1 gone; by whom: {UNKNOWN}" in desk.ok("drift", env={"COLUMNS": "120"}).out
    out = " ".join(desk.ok("drift").out.split())
    assert "next agents are told of what is unread when you speak to them, and before they write it" in out
    for word in ("diff", "accept"):
        ran = desk.run("drift", word, "app.py")
        assert ran.code == 2
        assert f"`drift {word}` is for tracked files, and none is tracked in" in ran.err
    (desk.repo / "leeboard.toml").write_text('profile = "observe"\n')
    desk.trust()
    assert "next the profile observe tells agents nothing" in " ".join(desk.ok("drift").out.split())
    unread, summary = desk.ok("drift", "--json").objects
    assert (unread["kind"], unread["session"]) == ("unread_change", "session-1")
    assert summary["unread"] == 1


@pytest.mark.parametrize(
    ("settings", "note"),
    [
        ('[truth]\ntrack = "docs/**"\n', "must be a list of texts"),
        ('[truth]\ntracks = ["docs/**"]\n', "did you mean track?"),
        ('[truth\ntrack = ["docs/**"]\n', "not valid TOML"),
        ('[truth]\ntrack = ["docs/**", "../other/**"]\n', "must stay inside of the project"),
    ],
)
def test_settings_that_are_wrong_are_named(desk: Desk, settings: str, note: str) -> None:
    follow_docs(desk)
    (desk.repo / "leeboard.toml").write_text(settings)
    desk.trust()
    ran = desk.run("drift", "status", "--check")
    assert ran.code == 2
    assert note in " ".join(ran.out.split())
    assert note in desk.ok("drift", "status", "--json").objects[-1]["notes"][0]
    assert desk.run("drift", "accept").code in {0, 2}


def test_a_slip_elsewhere_in_the_settings_is_not_blamed_for_what_nobody_tracks(desk: Desk) -> None:
    (desk.repo / "leeboard.toml").write_text('profile = "enforec"\n')
    out = " ".join(desk.ok("drift").out.split())
    assert 'tracked nothing: name files to be watched in leeboard.toml: [truth] track = ["docs/requirements/**"]' in out
    assert "did you mean enforce?" in out
    ran = desk.run("drift", "diff")
    assert ran.code == 2
    assert "none is tracked in" in ran.err
    assert "did you mean enforce?" in ran.err


def test_one_bad_glob_does_not_undo_the_others(desk: Desk) -> None:
    follow_docs(desk)
    (desk.repo / "leeboard.toml").write_text('[truth]\ntrack = ["docs/**", "../other/**"]\n')
    desk.trust()
    assert "1 file, from now on" in desk.ok("drift").out


def test_files_that_are_gone_are_counted_by_themselves(desk: Desk) -> None:
    follow_docs(desk)
    (desk.repo / "docs" / "two.md").write_text("two\n")
    desk.ok("drift")
    (desk.repo / "docs" / "two.md").unlink()
    (desk.repo / "docs" / "login.md").write_text("other\n")
    assert "1 file there; not as accepted: 1 changed, 1 gone" in desk.ok("drift", "status").out


@pytest.mark.parametrize("word", ["diff", "accept"])
def test_a_path_that_names_nothing_is_named(desk: Desk, word: str) -> None:
    follow_docs(desk)
    desk.ok("drift")
    ran = desk.run("drift", word, "docs/nope.md")
    assert ran.code == 1
    assert "docs/nope.md: there is no such file" in ran.err
    (desk.repo / "other.md").write_text("x\n")
    assert "other.md: it is not tracked: [truth] track" in " ".join(desk.run("drift", word, "other.md").err.split())
    assert "docs/login.md: it is as it was accepted" in desk.run("drift", word, "docs/login.md").err
    assert "docs: it is as it was accepted" in desk.run("drift", word, "docs").err
    assert desk.run("drift", word).code == 0
