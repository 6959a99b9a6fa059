from __future__ import annotations

import json
from pathlib import Path

import pytest

from leeboard.clients.claude_code.hook_events import LARGEST, edited
from leeboard.clients.hook_input import flatten
from leeboard.clients.tool_calls import parse_call

FIXTURES = Path(__file__).parents[2] / "fixtures" / "hooks"


@pytest.mark.parametrize(
    ("name", "output"),
    [
        ("PostToolUse", "3\nwarning: slow"),
        ("PostToolUse.edit", ""),
        ("PostToolUse.write", ""),
        ("PostToolUse.read", "def add(a, b):\n    return a - b\n"),
        ("PostToolUse.read-image", ""),
        ("PostToolUse.grep-files", "app.py\ntest_app.py"),
        ("PostToolUse.grep-content", "app.py:1:def add(a, b):"),
        ("PostToolUse.glob", "/repo/app.py\n/repo/test_app.py"),
        ("PostToolUse.mcp", "ECHO hi\ndone"),
        ("PostToolUse.agent", "Sub report: it subtracts."),
        ("PostToolUse.fetch", "The guide explains add."),
        ("codex.PostToolUse", "3\n"),
    ],
)
def test_response_of_each_tool(name: str, output: str) -> None:
    payload = json.loads((FIXTURES / f"{name}.json").read_text(encoding="utf-8"))
    action = parse_call("id", payload["tool_name"], payload["tool_input"]).action
    assert flatten(payload["tool_response"], action) == output


@pytest.mark.parametrize(
    "response", [None, 3, True, {}, [], {"stdout": 1}, {"file": []}, {"content": {}}, [[1], None, {"text": 4}]]
)
def test_response_of_a_wrong_shape_is_empty(response: object) -> None:
    assert flatten(response, "bash") == ""


def test_embedded_resource_is_text() -> None:
    response = [{"type": "resource", "resource": {"uri": "file:///x", "text": "inside"}}, "bare"]
    assert flatten(response, "other") == "inside\nbare"


def test_words_about_an_edit_are_kept() -> None:
    assert flatten("Success. Updated the following files:\nM app.py", "edit").startswith("Success.")


@pytest.mark.parametrize(
    ("response", "texts"),
    [
        ({"originalFile": "a b a", "oldString": "a", "newString": "c"}, ("a b a", "c b a")),
        ({"originalFile": "a b a", "oldString": "a", "newString": "c", "replaceAll": True}, ("a b a", "c b c")),
        ({"originalFile": "a", "oldString": "a", "newString": "c", "userModified": True}, (None, None)),
        ({"type": "update", "content": "new", "originalFile": "old"}, ("old", "new")),
        ({"type": "create", "content": "new", "originalFile": None}, (None, "new")),
        ({"originalFile": "a", "oldString": "", "newString": "c"}, ("a", None)),
        ({"originalFile": "x" * (LARGEST + 1), "oldString": "x", "newString": "c"}, (None, None)),
        ({"originalFile": 3, "oldString": "x"}, (None, None)),
        ("Done.", (None, None)),
        (None, (None, None)),
    ],
)
def test_how_a_file_was_and_how_the_client_left_it(response: object, texts: tuple[str | None, str | None]) -> None:
    assert edited(response) == texts
