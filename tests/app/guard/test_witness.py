from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from leeboard.app.guard.witness import MOST_BYTES, MOST_FILES, WitnessedSession, witnessed
from leeboard.app.posting.hooks import keep_hooks, new_hooks
from leeboard.io.clock import iso

NOW = 1_800_000_000.0


def heard_nothing(_session: str, _at: tuple[str, ...] = ()) -> tuple[frozenset[str], float]:
    return frozenset(), 0.0


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    found = tmp_path / "repo"
    found.mkdir()
    return found


def look(root: Path) -> tuple[WitnessedSession, ...]:
    return witnessed(str(root), {}, heard_nothing, NOW - 3_600, NOW)


def transcript(root: Path, name: str) -> Path:
    named = "".join(char if char.isalnum() else "-" for char in str(root))
    path = root.parent / ".claude" / "projects" / named / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def ran(root: Path, call: str, **more: object) -> str:
    base = {"sessionId": "s", "cwd": str(root), "timestamp": iso(NOW - 60), **more}
    use = {"type": "tool_use", "id": call, "name": "Read", "input": {"file_path": "a"}}
    result = {"type": "tool_result", "tool_use_id": call, "content": "a"}
    lines = (
        {**base, "type": "assistant", "uuid": f"u{call}", "message": {"id": f"m{call}", "content": [use]}},
        {**base, "type": "user", "uuid": f"r{call}", "message": {"role": "user", "content": [result]}},
    )
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def test_a_sub_agents_own_file_is_a_witness_too(root: Path) -> None:
    told = ran(root, "t1", isSidechain=True, agentId="a1") + ran(root, "t2", isSidechain=True, agentId="a1")
    transcript(root, "s/subagents/agent-a1.jsonl").write_text(told)
    (found,) = look(root)
    assert (found.session, found.ran, found.trailing, found.is_silent) == ("s", 2, 2, True)


def test_a_rollout_of_codex_is_a_witness_too(root: Path) -> None:
    path = root.parent / ".codex" / "sessions" / "2027" / "01" / "15" / "rollout-x.jsonl"
    path.parent.mkdir(parents=True)
    at = iso(NOW - 60)
    lines: list[dict[str, object]] = [
        {"timestamp": at, "type": "session_meta", "payload": {"id": "s9", "cwd": str(root)}},
    ]
    for call in ("c1", "c2"):
        asked = {"type": "function_call", "name": "exec_command", "arguments": '{"cmd": "ls"}', "call_id": call}
        given = {"type": "function_call_output", "call_id": call, "output": "Process exited with code 0\nOutput:\na"}
        lines += [{"timestamp": at, "type": "response_item", "payload": part} for part in (asked, given)]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    (found,) = look(root)
    assert (found.client, found.ran, found.is_silent) == ("codex", 2, True)


def test_only_the_end_of_a_long_file_is_read_and_a_cut_line_is_passed_over(root: Path) -> None:
    padding = json.dumps({"type": "system", "text": "x" * 1_000}) + "\n"
    path = transcript(root, "s.jsonl")
    path.write_text(ran(root, "t1") + padding * (MOST_BYTES // 1_000 + 1) + ran(root, "t2"))
    (found,) = look(root)
    assert found.ran == 1


def test_only_the_newest_files_are_read(root: Path) -> None:
    for number in range(MOST_FILES + 3):
        transcript(root, f"s{number}.jsonl").write_text(ran(root, f"t{number}", sessionId=f"s{number}"))
    assert len(look(root)) == MOST_FILES


@pytest.mark.parametrize("content", [b"", b"\n", b"{\n", b"\x00\xff\n[]\n", b'{"type": "user", "message": 3}\n'])
def test_bad_files_tell_nothing(root: Path, content: bytes) -> None:
    transcript(root, "s.jsonl").write_bytes(content)
    assert look(root) == ()


def test_calls_whose_end_was_posted_and_never_told_are_counted_since_they_are_posted(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(root.parent / "state"))

    def heard(_session: str, at: tuple[str, ...] = ()) -> tuple[frozenset[str], float]:
        return frozenset({"t1"} if at else {"t1", "t2", "t3"}), NOW - 600

    transcript(root, "s.jsonl").write_text("".join(ran(root, call) for call in ("t1", "t2", "t3")))
    (found,) = witnessed(str(root), {}, heard, NOW - 3_600, NOW)
    assert (found.ran, found.unheard, found.untold) == (3, 0, 0), "commands leave their own traces"
    posted = new_hooks(str(root), f"{root}/s.json", "2.1.325")
    keep_hooks(replace(posted, time=NOW - 300))
    (found,) = witnessed(str(root), {}, heard, NOW - 3_600, NOW)
    assert (found.unheard, found.untold, found.untold_since) == (0, 2, NOW - 60)
    keep_hooks(replace(posted, time=NOW))
    (found,) = witnessed(str(root), {}, heard, NOW - 3_600, NOW)
    assert found.untold == 0
