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
    ):
        payload = {"session_id": "s", "cwd": str(desk.repo), "hook_event_name": name, **fields}
        said = desk.ok("hook", stdin=json.dumps(payload).encode()).out
    assert "DO NOT modify the schema" in json.loads(said)["hookSpecificOutput"]["permissionDecisionReason"]


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (b"", "nothing came on stdin"),
        (b"\x00\xff", "not a JSON object"),
        (b"[]", "not a JSON object"),
        (b"{", "not a JSON object"),
        (b"s3cret-words", "not a JSON object"),
        (b'{"s3cret": "words"}', "session_id"),
        (b'{"session_id": 7}', "session_id"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b'{"session_id": "s", "hook_event_name": "s3cret"}', "hook_event_name"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_what_is_no_hook_payload_is_said_in_one_line(desk: Desk, payload: bytes, why: str) -> None:
    """On stderr, and nothing makes it fail: another exit code than 0 would be taken for an answer."""
    ran = desk.ok("hook", stdin=payload)
    assert ran.out == ""
    assert ran.err.startswith("leeboard hook: ")
    assert (ran.err.count("\n"), why in ran.err, "s3cret" in ran.err) == (1, True, False)


def test_nothing_to_say_is_no_reason_for_a_line(desk: Desk) -> None:
    payload = {"session_id": "s", "cwd": str(desk.repo), "hook_event_name": "SessionStart", "source": "startup"}
    ran = desk.ok("hook", stdin=json.dumps(payload).encode())
    assert (ran.out, ran.err) == ("", "")
