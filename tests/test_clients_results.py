from __future__ import annotations

import pytest

from leeboard.clients import read_result
from leeboard.model.event import Outcome

CODEX = "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code {}\nOutput:\nhello"


@pytest.mark.parametrize(
    ("client", "text", "is_error", "outcome", "output"),
    [
        ("claude_code", "ok", False, "done", "ok"),
        ("claude_code", "Exit code 1\nno", True, "failed", "Exit code 1\nno"),
        ("claude_code", "PreToolUse:Bash hook error: no", True, "denied", "PreToolUse:Bash hook error: no"),
        ("claude_code", "PreToolUse:Bash hook error: no", False, "done", "PreToolUse:Bash hook error: no"),
        ("codex", CODEX.format(0), False, "done", "hello"),
        ("codex", CODEX.format(2), False, "failed", "hello"),
        (
            "codex",
            "Command blocked by PreToolUse hook: no. Command: ls",
            False,
            "denied",
            "Command blocked by PreToolUse hook: no. Command: ls",
        ),
        ("opencode", "no such file", True, "failed", "no such file"),
        ("", "fine", False, "done", "fine"),
    ],
)
def test_each_client_says_it_in_its_own_words(
    client: str, text: str, outcome: Outcome, output: str, *, is_error: bool
) -> None:
    assert read_result(client, text, is_error=is_error) == (outcome, output)
