from __future__ import annotations

from typing import TYPE_CHECKING

from tests.surfaces.cli.conftest import COMMAND
from tests.terminal import at_terminal

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_a_person_pauses_and_every_command_says_so_until_it_is_resumed(desk: Desk) -> None:
    desk.ok("init", "-q")
    desk.hook("UserPromptSubmit", prompt="fix app.py")
    paused = at_terminal((*COMMAND, "pause", "--reason", "a bulk  rename", "--for", "30m"), desk.env, desk.repo)
    assert paused.returncode == 0
    assert "a bulk rename" in desk.ok("status").out
    (told,) = desk.ok("status", "--json").objects
    assert told["paused"]["reason"] == "a bulk rename"
    assert not any(hook["enabled"] for hook in told["observed"])
    assert "paused until " in desk.ok("rules", "--json").err
    assert desk.ok("resume", "--json").objects[0]["was_paused"] is True
    assert "paused" not in desk.ok("rules", "--json").err
    assert desk.ok("status", "--json").objects[0]["paused"] is None


def test_the_screens_tell_what_happened_in_a_pause(desk: Desk) -> None:
    """And hold it against nobody, and speak of no pause once it is over."""
    desk.ok("init", "-q")
    (desk.repo / "db").mkdir()
    (desk.repo / "db/schema.sql").write_text("a\n")
    desk.hook("UserPromptSubmit", prompt="Fix the lifetime in src/token.ts. Don't touch db/schema.sql.")
    assert at_terminal((*COMMAND, "pause", "--reason", "I look myself"), desk.env, desk.repo).returncode == 0
    edit = {"file_path": str(desk.repo / "db/schema.sql"), "old_string": "a", "new_string": "b"}
    call = {"tool_name": "Edit", "tool_input": edit, "tool_use_id": "toolu_1"}
    assert "deny" not in desk.hook("PreToolUse", "session-1", **call)
    (desk.repo / "db/schema.sql").write_text("b\n")
    desk.hook("PostToolUse", "session-1", **call, tool_response={})
    status = desk.ok("status").out
    assert "and off now" not in status
    assert "NORMAL, nothing scored yet" in status
    assert "1 action let pass while the guard was paused" in " ".join(status.split())
    assert "edit, paused  1      not scored" in desk.ok("report").out
    desk.ok("resume")
    told = " ".join(desk.run("doctor").out.split())
    assert "paused" not in told
    assert "ran nothing" not in told, "the agent changed it, in a call that was let pass"


def test_it_says_why_or_it_is_none(desk: Desk) -> None:
    for words in (("pause",), ("pause", "--reason", " "), ("pause", "--reason", "x", "--for", "soon")):
        assert desk.run(*words).code == 2
