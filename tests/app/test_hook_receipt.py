"""What a hook call leaves on record beside its verdict."""

from __future__ import annotations

import msgspec
import pytest

from leeboard.app.hook_receipt import unread_note
from leeboard.clients.claude_code.hooks import parse


@pytest.mark.parametrize(("command", "noted"), [("true; " * 1_200, True), ("# " + "x" * 9_000 + "\nls", False)])
def test_what_was_not_read_is_noted(command: str, *, noted: bool) -> None:
    call = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t"}
    payload = {"session_id": "s", "cwd": "/r", "hook_event_name": "PreToolUse", **call}
    note = unread_note(parse(msgspec.json.encode(payload), 0.0))
    assert bool(note) is noted
    assert str(len(command)) in note or not noted
