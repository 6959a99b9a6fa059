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


def posted(**told: object) -> bytes:
    about = {"hookName": "PostToolUse:Bash", "toolUseID": "toolu_1", "hookEvent": "PostToolUse", "stdout": ""}
    return json.dumps({"attachment": {**about, **told}, "timestamp": "2026-11-18T06:08:17.075Z"}).encode()


def test_a_post_that_was_not_delivered_is_known_by_its_port() -> None:
    """As 2.1.325 records them: of a post it names no command, unless it ran out of time."""
    failed = "hook_non_blocking_error"
    refused = posted(type=failed, stderr="connect ECONNREFUSED 127.0.0.1:20123", exitCode=0)
    answered = posted(type=failed, stderr="HTTP 503 from http://127.0.0.1:20123/leeboard/hook", exitCode=503)
    late = posted(type="hook_cancelled", command="http://127.0.0.1:20123/leeboard/hook", timedOut=True, timeoutMs=5000)
    found = hook_faults([refused, answered, late])
    assert [(fault.port, fault.text) for fault in found] == [
        (20123, "met nobody at its port"),
        (20123, "was answered with 503"),
        (20123, "did not answer within 5 s"),
    ]


@pytest.mark.parametrize("stderr", ["read ECONNRESET", "connect ECONNREFUSED 10.0.0.1:20123", 3, None])
def test_what_names_no_port_of_this_machine_is_nobodys(stderr: object) -> None:
    assert hook_faults([posted(type="hook_non_blocking_error", stderr=stderr, exitCode=0)]) == ()
