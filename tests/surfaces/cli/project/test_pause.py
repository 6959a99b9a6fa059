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


def test_it_says_why_or_it_is_none(desk: Desk) -> None:
    for words in (("pause",), ("pause", "--reason", " "), ("pause", "--reason", "x", "--for", "soon")):
        assert desk.run(*words).code == 2
