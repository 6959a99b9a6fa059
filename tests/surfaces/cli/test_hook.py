from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_it_answers_as_the_installed_hook_does(desk: Desk) -> None:
    edit = {"file_path": str(desk.repo / "db/schema.sql"), "old_string": "a", "new_string": "b"}
    said = ""
    for name, fields in (
        ("UserPromptSubmit", {"prompt": "Fix login. Don't modify the schema."}),
        ("PreToolUse", {"tool_name": "Edit", "tool_input": edit, "tool_use_id": "t1"}),
        ("PostToolUse", {"tool_name": "Edit", "tool_input": edit, "tool_use_id": "t1", "tool_response": {}}),
    ):
        payload = {"session_id": "s", "cwd": str(desk.repo), "hook_event_name": name, **fields}
        said = desk.ok("hook", stdin=json.dumps(payload).encode()).out
    assert "DO NOT modify the schema" in json.loads(said)["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize("payload", [b"", b"\x00\xff", b"[]", b"{", b'{"session_id": 7}'])
def test_nothing_it_is_given_makes_it_fail(desk: Desk, payload: bytes) -> None:
    assert desk.ok("hook", stdin=payload).out == ""
