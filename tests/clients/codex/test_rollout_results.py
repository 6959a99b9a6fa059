from __future__ import annotations

import json

import pytest

from leeboard.clients.codex.rollout import RolloutResult, parse_output
from leeboard.model.event import Outcome

UNIFIED = "Chunk ID: f4\nWall time: 0.0 seconds\nProcess exited with code {}\nOriginal token count: 1\nOutput:\nhi\n"


@pytest.mark.parametrize(
    ("output", "result"),
    [
        (UNIFIED.format(0), RolloutResult("done", "hi\n")),
        (UNIFIED.format(3), RolloutResult("failed", "hi\n")),
        (UNIFIED.format(-1), RolloutResult("failed", "hi\n")),
        ("Chunk ID: f\nWall time: 1 s\nProcess running with session ID 7\nOutput:\n...", RolloutResult("done", "...")),
        ("Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.", RolloutResult("done", "Success.")),
        ("Exit code: 1\nWall time: 0 seconds\nTotal output lines: 9\nOutput:\nno", RolloutResult("failed", "no")),
        (json.dumps({"output": "hi", "metadata": {"exit_code": 2}}), RolloutResult("failed", "hi")),
        (json.dumps({"output": "hi", "metadata": {"exit_code": 0}}), RolloutResult("done", "hi")),
        ({"content": "no", "success": False}, RolloutResult("failed", "no")),
        ({"type": "exec_result", "output": "hi", "exit_code": 1}, RolloutResult("failed", "hi")),
        ([{"type": "input_text", "text": "a"}, {"type": "input_image"}], RolloutResult("done", "a")),
        ('{"exit_code": 1}', RolloutResult("done", '{"exit_code": 1}')),
        ("{broken", RolloutResult("done", "{broken")),
        ("unsupported call: update_plan", RolloutResult("failed", "unsupported call: update_plan")),
        (None, RolloutResult("done", "")),
    ],
)
def test_outputs_of_many_versions(output: object, result: RolloutResult) -> None:
    assert parse_output(output, "") == result


@pytest.mark.parametrize(
    "text",
    [
        "Command blocked by PreToolUse hook: R_DENY. Command: echo x",
        "exec command rejected by user",
        "patch rejected by user",
        "rejected by user approval settings",
    ],
)
def test_denials(text: str) -> None:
    assert parse_output(text, "").outcome == "denied"
    assert parse_output(UNIFIED.format(0).replace("hi", text), "").outcome == "done"


@pytest.mark.parametrize(("status", "outcome"), [("completed", "done"), ("failed", "failed"), ("declined", "denied")])
def test_an_output_that_a_hook_replaced_leaves_the_word_to_the_event(status: str, outcome: Outcome) -> None:
    assert parse_output("POST_BLOCK", status).outcome == outcome


def test_output_is_cut() -> None:
    assert len(parse_output("x" * 300_000, "").output) == 200_000
