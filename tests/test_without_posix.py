"""Leeboard without what only POSIX systems have: it is imported, judges, and its resident answers on loopback.

This is as near to Windows as Linux gets. On Windows itself nothing of it was ever run.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from leeboard.surfaces import hook_client
from tests.git_repository import GitRepository

ROOT = Path(__file__).resolve().parent.parent
KEY = "AKIA" + "Q3EGRXB7WM4T2LPZ"


def line(*words: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "tests.without_posix", *words)


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    told = {"LEEBOARD_RUNTIME_DIR": str(tmp_path / "run"), "LEEBOARD_INDEX": "0"}
    return told | {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LEEBOARD_STATE_DIR": str(tmp_path / "state")}


def payload(folder: Path, call: str = "t") -> bytes:
    edit = {"file_path": f"{folder}/a.py", "content": f'key = "{KEY}"\n'}
    told = {"session_id": "s", "cwd": str(folder), "hook_event_name": "PreToolUse", "tool_name": "Write"}
    return json.dumps(told | {"tool_use_id": call, "tool_input": edit}).encode()


def run(env: dict[str, str], *words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(line(*words), env=env, cwd=ROOT, input=given, capture_output=True, check=False, timeout=60)


def test_everything_is_imported(env: dict[str, str]) -> None:
    done = run(env, "import")
    assert (done.stdout, done.stderr, done.returncode) == (b"", b"", 0)


def test_a_hook_judges_by_itself_and_a_command_tells_of_it(env: dict[str, str], tmp_path: Path) -> None:
    alone = env | {"LEEBOARD_RESIDENT": "0"}
    done = run(alone, "hook", given=payload(tmp_path))
    assert b'"permissionDecision":"deny"' in done.stdout, done.stderr
    told = run(alone, "cli", "status", "--json")
    assert (told.returncode, told.stderr) == (1, b""), "no hooks stand there"
    assert json.loads(told.stdout)["kind"] == "status"


def test_the_status_line_is_said(env: dict[str, str]) -> None:
    done = run(env, "cli", "statusline", given=b"{}")
    assert (done.stdout, done.stderr, done.returncode) == (b"leeboard: not heard here yet\n", b"", 0)


@pytest.mark.parametrize(
    ("tool", "line"), [("Bash", "git checkout -- a.py"), ("PowerShell", r"Remove-Item -Force .\a.py")]
)
def test_a_hook_asks_git_and_guards_work_in_no_commit(
    env: dict[str, str], tmp_path: Path, tool: str, line: str
) -> None:
    """No folder can be opened there, and no pipe waited for."""
    repo = GitRepository(tmp_path / "repo")
    repo.write("a.py", "x = 1\n")
    repo.commit()
    repo.write("a.py", "x = 2\n")
    told = {"session_id": "s", "cwd": repo.root, "hook_event_name": "PreToolUse", "tool_name": tool, "tool_use_id": "t"}
    asked = json.dumps(told | {"tool_input": {"command": line}}).encode()
    done = run(env | {"LEEBOARD_RESIDENT": "0"}, "hook", given=asked)
    assert b"lost_work" in done.stdout, done.stderr
    assert not list((tmp_path / "state").glob("misses*"))


@pytest.mark.parametrize(
    ("line", "seconds", "told"),
    [("echo good; git --version", "20", b"0 good\ngit version "), ("echo bad; exit 3", "20", b"3 bad\n")],
)
def test_a_gate_runs_without_a_warden(env: dict[str, str], line: str, seconds: str, told: bytes) -> None:
    done = run(env, "gate", line, seconds)
    assert done.stdout.startswith(told), done.stderr


def test_a_gate_without_a_warden_has_its_time_limit(env: dict[str, str]) -> None:
    done = run(env, "gate", "echo began; exec sleep 100", "0.5")
    assert (done.stdout, done.stderr) == (b"None began\n\nkilled after 0.5 s", b"")


@pytest.fixture
def resident(env: dict[str, str]) -> Iterator[Path]:
    """The file that names its port and token."""
    process = subprocess.Popen(line("resident"), env=env, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        assert process.stdout is not None
        said = process.stdout.readline()
        assert said.startswith(b"listening on "), process.communicate()
        yield Path(os.fsdecode(said.removeprefix(b"listening on ").strip()))
    finally:
        process.terminate()
        process.communicate()


def test_a_resident_answers_on_loopback_who_has_the_token(env: dict[str, str], resident: Path, tmp_path: Path) -> None:
    port, token = resident.read_text(encoding="ascii").split()
    assert resident.stat().st_mode & 0o077 == 0
    asked = run(env, "ask", given=payload(tmp_path))
    assert b'"permissionDecision":"deny"' in asked.stdout, asked.stderr
    done = run(env, "hook", given=payload(tmp_path, "u"))
    assert b'"permissionDecision":"deny"' in done.stdout, done.stderr
    resident.write_text(f"{port} {'0' * len(token)}\n", encoding="ascii")
    assert run(env, "ask", given=payload(tmp_path, "v")).stdout == b"nobody"


def test_where_there_are_unix_sockets_nobody_asks_on_loopback(
    env: dict[str, str], resident: Path, tmp_path: Path
) -> None:
    told = {os.fsencode(name): os.fsencode(value) for name, value in env.items()} | {b"LEEBOARD_TRANSPORT": b"loopback"}
    assert hook_client._ask(os.fsencode(resident), told, payload(tmp_path), hook_client.SECONDS) is None
