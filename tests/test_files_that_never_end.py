"""Settings, git's own files and records that are links to devices or FIFOs: nobody waits, and nothing is lost for it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.git_repository import GitRepository
from tests.hook_process import HookProcess, hook_payload
from tests.planted_secrets import planted
from tests.warm_command import run_command

_SECONDS = 60
_PLACES = (
    *("leeboard.toml", "pyproject.toml", ".git/HEAD", ".git", ".claude/settings.json", ".mcp.json"),
    *(".wg/graph.jsonl", ".claude/settings.local.json"),
)
_COMMANDS = (("status",), ("doctor",), ("scan", "a.py"), ("check",), ("init", "--dry-run"), ("monitor", "--once"))


@pytest.mark.parametrize("kind", ["fifo", "/dev/zero", "/dev/full", "link to a fifo"])
@pytest.mark.parametrize("path", _PLACES)
def test_hooks_and_commands_end_and_still_refuse(path: str, kind: str, tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    GitRepository(repo).write("a.py", "x = 1\n")
    GitRepository(repo).commit()
    _put(repo / path, kind)
    process = HookProcess(folder=str(tmp_path))
    env = process.environment({"LEEBOARD_RESIDENT": "0", "LEEBOARD_PROFILE": "enforce"})
    written = {"file_path": str(repo / "b.py"), "content": f"{planted(1)[0].assigned}\n"}
    payload = hook_payload("PreToolUse", cwd=str(repo), tool_name="Write", tool_input=written, tool_use_id="t")
    line = (process.python, "-I", "-S", process.script)
    told = subprocess.run(line, input=payload, env=env, capture_output=True, timeout=_SECONDS, check=False)
    assert (told.returncode, b'"deny"' in told.stdout) == (0, True)
    for words in _COMMANDS:
        done = run_command(words, repo, env)
        assert b"Traceback" not in done.stderr


def _put(place: Path, kind: str) -> None:
    if place.is_dir():
        place.rename(place.with_name("kept"))
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    if kind.startswith("/"):
        place.symlink_to(kind)
        return
    fifo = place.with_name("the-fifo") if kind != "fifo" else place
    os.mkfifo(fifo)
    if fifo != place:
        place.symlink_to(fifo)
