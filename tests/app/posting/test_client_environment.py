from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from leeboard.app.posting.client import environment_of


def told(env: Mapping[str, str], folder: Path) -> dict[str, str]:
    """What is told of a process that was started so."""
    pipe = subprocess.PIPE
    line = (sys.executable, "-I", "-S", "-c", "print(flush=True); input()")
    with subprocess.Popen(line, env=dict(env), cwd=folder, stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        process.stdout.readline()
        found = environment_of(process.pid)
        process.stdin.write(b"\n")
    return found


def test_it_is_what_a_hook_of_that_client_would_be_told(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "PATH": "/bin", "LEEBOARD_OFF": "1", "XDG_STATE_HOME": "/s", "API_KEY": "no"}
    found = told(env, tmp_path)
    assert found == {
        "HOME": str(tmp_path),
        "PATH": "/bin",
        "LEEBOARD_OFF": "1",
        "XDG_STATE_HOME": "/s",
        "CLAUDE_PROJECT_DIR": os.path.realpath(tmp_path),
    }


def test_what_the_users_own_settings_set_counts_and_what_a_projects_set_does_not(tmp_path: Path) -> None:
    for folder, value in (("home", "/mine"), ("repo", "/theirs")):
        (tmp_path / folder / ".claude").mkdir(parents=True)
        text = f'{{"env": {{"LEEBOARD_STATE_DIR": "{value}", "OTHER": "x", "LEEBOARD_INDEX": 0}}}}'
        (tmp_path / folder / ".claude" / "settings.json").write_text(text, encoding="utf-8")
    found = told({"HOME": str(tmp_path / "home"), "LEEBOARD_CLIENT": "codex"}, tmp_path / "repo")
    assert found["LEEBOARD_STATE_DIR"] == "/mine"
    assert not found.keys() & {"OTHER", "LEEBOARD_INDEX", "LEEBOARD_CLIENT"}


def test_of_a_process_that_is_gone_nothing_is_told() -> None:
    assert environment_of(0) == {}
