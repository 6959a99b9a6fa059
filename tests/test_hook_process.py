from __future__ import annotations

from pathlib import Path

import msgspec

from tests.hook_process import HookProcess, edit, hook_payload, prompt, shell


def test_the_world_of_a_hook_is_its_own(tmp_path: Path) -> None:
    process = HookProcess(folder=str(tmp_path))
    environment = process.environment({"LEEBOARD_PROFILE": "observe", "LEEBOARD_RUNTIME_DIR": None})
    assert environment["HOME"] == str(tmp_path)
    assert environment["LEEBOARD_PROFILE"] == "observe"
    assert "LEEBOARD_RUNTIME_DIR" not in environment


def test_a_payload_reads_like_a_clients() -> None:
    assert msgspec.json.decode(prompt("fix it", prompt_id="p1")) == {
        "session_id": "s",
        "cwd": "/repo",
        "hook_event_name": "UserPromptSubmit",
        "prompt": "fix it",
        "prompt_id": "p1",
    }
    assert msgspec.json.decode(edit("t1", "/repo/a.py"))["tool_input"]["file_path"] == "/repo/a.py"
    assert msgspec.json.decode(shell("t2", "ls", name="PostToolUse"))["hook_event_name"] == "PostToolUse"
    assert msgspec.json.decode(hook_payload("Stop", session_id="other"))["session_id"] == "other"


def test_a_started_client_and_a_resident_end_with_their_block(tmp_path: Path) -> None:
    process = HookProcess(folder=str(tmp_path))
    with process.resident() as resident, process.start() as client:
        answer, errors = client.communicate(prompt("fix it"))
    assert (client.returncode, answer, errors) == (0, b"", b"")
    assert resident.returncode is not None
