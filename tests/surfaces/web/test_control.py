"""Who is told an address: by real processes, in terminals and below agents."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from leeboard.errors import ConfigError
from leeboard.io.connection import holders
from leeboard.surfaces.web.control import ask, refusal_for
from leeboard.surfaces.web.site import agent_at
from tests.web_desk import WebDesk, served

CLEAN = {"PATH": os.environ["PATH"]}
LET_GO = """
import os, sys, time
if os.fork():
    os._exit(0)
os.setsid()
print(os.getpid(), flush=True)
time.sleep(600)
"""
"""Let go of by all above it: whoever runs these tests is not above it any more."""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WebDesk]:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path))
    with served(str(tmp_path)) as made:
        yield made


def started(code: str, env: dict[str, str]) -> tuple[subprocess.Popen[bytes], int]:
    process = subprocess.Popen((sys.executable, "-c", code), env=env, stdout=subprocess.PIPE)
    assert process.stdout is not None
    return process, int(process.stdout.readline())


def ended(process: subprocess.Popen[bytes], pid: int) -> None:
    os.kill(pid, 9)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def test_a_process_of_an_agent_is_told_nothing() -> None:
    process, pid = started(LET_GO, {**CLEAN, "CLAUDECODE": "1"})
    try:
        assert "CLAUDECODE says that an agent runs it" in refusal_for(pid)
    finally:
        ended(process, pid)


def test_what_a_client_starts_is_the_agents_though_it_bears_no_mark() -> None:
    code = LET_GO.replace("print(", "open('/proc/self/comm', 'w').write('claude')\nprint(")
    process, pid = started(code, CLEAN)
    try:
        assert "claude says that an agent runs it" in refusal_for(pid)
    finally:
        ended(process, pid)


def test_one_without_a_terminal_is_told_nothing() -> None:
    process, pid = started(LET_GO, CLEAN)
    try:
        assert refusal_for(pid) == "it has no terminal"
    finally:
        ended(process, pid)


def test_who_asks_over_the_socket_is_looked_at(desk: WebDesk) -> None:
    told = ask({"ask": "enter", "to": "/sessions"})
    assert told is not None
    assert told["address"].startswith(f"{desk.address}/enter?token=")
    desk.server._control._refusal = lambda pid: f"process {pid} was looked at"
    with pytest.raises(ConfigError, match=f"process {os.getpid()} was looked at"):
        ask({"ask": "enter"})
    assert ask({"ask": "state"}) is not None, "that a server is there is no secret"


def test_everybody_can_be_sent_away(desk: WebDesk) -> None:
    assert desk.get("/").status == 200
    ask({"ask": "send_away"})
    assert desk.get("/").status == 403


def test_the_other_end_of_a_connection_is_known(desk: WebDesk) -> None:
    """The very thing that decisions are refused by: a real request of a process that an agent runs."""
    code = (
        "import socket, sys, time\n"
        f"line = socket.create_connection(('127.0.0.1', {desk.port}))\n"
        "print(line.getsockname()[1], flush=True)\ntime.sleep(600)\n"
    )
    process = subprocess.Popen((sys.executable, "-c", code), env={**CLEAN, "CLAUDECODE": "1"}, stdout=subprocess.PIPE)
    assert process.stdout is not None
    port = int(process.stdout.readline())
    try:
        deadline = time.monotonic() + 30
        while process.pid not in holders(port, desk.port):
            assert time.monotonic() < deadline
        assert agent_at(port, desk.port) == "CLAUDECODE"
    finally:
        ended(process, process.pid)
    assert holders(1, desk.port) == ()
