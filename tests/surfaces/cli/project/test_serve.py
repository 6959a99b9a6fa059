"""`leeboard serve`: for people alone, and only what makes sense."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.surfaces.cli.conftest import COMMAND, Desk
from tests.terminal import at_terminal


def test_an_agent_and_a_script_are_refused(desk: Desk) -> None:
    ran = desk.run("serve", env={"CLAUDECODE": "1"})
    assert (ran.code, "only a person may run `leeboard serve`" in ran.err) == (2, True)
    ran = desk.run("open", env={"CLAUDECODE": "1"})
    assert (ran.code, "only a person may run `leeboard open`" in ran.err) == (2, True)


def test_what_can_not_be_meant_is_said(desk: Desk) -> None:
    def said(*words: str) -> str:
        done = at_terminal((*COMMAND, "serve", *words), desk.env, desk.repo)
        assert done.returncode == 2
        return done.stderr.decode()

    assert "no page is served" in said("--stop")
    assert "is no https:// address" in said("--webhook", "http://chat.example/")
    assert "can not be read" in said("--ring-command", "'")


def test_it_serves_until_it_is_ended_and_prints_no_token_into_a_file(desk: Desk, tmp_path: Path) -> None:
    printed = tmp_path / "printed.txt"
    with printed.open("wb") as out:
        process = subprocess.Popen(
            (sys.executable, "-u", "-m", "leeboard", "serve", "--port", "0", "--no-bell", "--no-desktop"),
            env={**desk.env, "PYTHONUNBUFFERED": "1"},
            cwd=desk.repo,
            stdout=out,
        )
        while not printed.read_bytes():
            assert process.poll() is None
        os.kill(process.pid, signal.SIGINT)
        process.wait(30)
    text = printed.read_text()
    assert "serving http://leeboard.localhost:" in text
    assert "token" not in text
