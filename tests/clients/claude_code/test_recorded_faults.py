from __future__ import annotations

import json
from pathlib import Path

import pytest

from leeboard.clients import client_named
from leeboard.clients.claude_code.recorded_faults import hook_faults

RECORDED = Path(__file__).parents[2] / "fixtures" / "transcripts" / "claude-hook-denials.jsonl"


def as_ours(line: bytes) -> bytes:
    return line.replace(b"python3 /home/user/hooks/casehook.py", b"python3 -I -S /x/leeboard/surfaces/hook.py")


def test_what_the_client_recorded_of_our_hooks_is_read_and_of_others_is_not() -> None:
    lines = RECORDED.read_bytes().split(b"\n")
    assert hook_faults(lines) == ()
    found = hook_faults([as_ours(line) for line in lines])
    assert [(fault.event, fault.text) for fault in found] == [
        ("PreToolUse", "ended with 1"),
        ("PreToolUse", "gave an answer that the client could not read"),
        ("PreToolUse", "did not answer within 2 s"),
    ]
    assert found[0].call == "toolu_2dc671ee4a4547dcb22e71"
    assert found[0].time < found[2].time


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b'{"attachment": {"type": "hook_cancelled"}}',
        b'{"attachment": 3, "x": "hook_cancelled"}',
        b'{"attachment": {"type": "hook_cancelled", "command": ["python3 /x/leeboard/surfaces/hook.py"]}}',
        b'["hook_non_blocking_error"]',
        b'\xff"hook_non_blocking_error"',
    ],
)
def test_bad_lines_tell_nothing(line: bytes) -> None:
    assert hook_faults([line]) == ()


def test_odd_fields_are_no_reason_to_fail() -> None:
    told = {"type": "hook_cancelled", "command": "python3 /x/leeboard/surfaces/hook.py", "hookEvent": 3, "timedOut": 1}
    (found,) = hook_faults([json.dumps({"attachment": told, "timestamp": {}}).encode()])
    assert (found.event, found.time, found.text, found.call) == ("", 0.0, "did not answer", "")


def test_a_client_whose_transcripts_do_not_speak_of_hooks_has_none() -> None:
    assert client_named("codex").hook_faults([as_ours(line) for line in RECORDED.read_bytes().split(b"\n")]) == ()
