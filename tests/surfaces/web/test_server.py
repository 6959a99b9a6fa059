"""The server as people start it: a process of its own, found by its socket, closed to agents."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest

from leeboard.app.ring import RingSettings
from leeboard.io.places import page_socket_path
from leeboard.surfaces.web.control import ask
from leeboard.surfaces.web.server import ServerSettings, WebServer
from tests.flow_desk import FlowDesk
from tests.web_desk import WebDesk, served

ROOT = Path(__file__).resolve().parents[3]


def waits(desk: WebDesk) -> list[dict[str, str]]:
    """In this project: the same user may have others."""
    return [work for work in desk.get("/waiting.json").json if work["project"] == desk.root]


def test_a_gate_that_opens_rings_with_its_address(flow: FlowDesk, tmp_path: Path) -> None:
    flow.at_plan_gate()
    flow.ok("review", "--approve")
    flow.until("start_units")
    heard = tmp_path / "heard.txt"
    script = tmp_path / "ring.sh"
    script.write_text(
        f'#!/bin/sh\nprintf "%s\\n%s\\n" "$1" "$LEEBOARD_RING_ADDRESS" > {heard}.part; mv {heard}.part {heard}\n'
    )
    script.chmod(0o755)
    ring = RingSettings(desktop=False, bell=False, command=str(script))
    with served(str(flow.root), ring=ring) as desk:
        assert waits(desk) == []
        flow.work("unit-01-left", "left.txt", hats=2)
        flow.work("unit-02-right", "right.txt", hats=2)
        flow.until("review")
        flow("review_report", agent="critic", verdict="pass", report="Nothing.")
        flow.until("gate_review")
        rung = threading.Event()
        while not heard.exists():
            rung.wait(0.02)
        text, address = heard.read_text().splitlines()
        assert "Stage build waits for your decision." in text
        assert desk.get(address.removeprefix(desk.address)).status == 200
        assert desk.said[-1] == text
        (told,) = waits(desk)
        assert (told["kind"], told["intent"], told["stage"]) == ("gate", "thing", "build")


def test_one_server_for_each_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path))
    assert ask({"ask": "state"}) is None
    with served(str(tmp_path)) as desk:
        told = ask({"ask": "state"})
        assert told is not None
        assert told["address"] == desk.server.address
        second = WebServer(ServerSettings(root=str(tmp_path), port=desk.port), desk.said.append)
        assert second.host != desk.host, "the port is taken"
        with pytest.raises(Exception, match="served already"):
            second.run()
        assert Path(page_socket_path()).stat().st_mode & 0o077 == 0
    assert ask({"ask": "state"}) is None


def test_it_serves_behind_the_scenes_and_ends_when_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `leeboard open` starts it; nobody but a person is let in, and this process may be below an agent's client."""
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path))
    code = "from leeboard.surfaces.web.server import background; background()"
    settings = msgspec.json.encode({"root": str(tmp_path), "port": 0}).decode()
    master, terminal = pty.openpty()
    process = subprocess.Popen(
        (sys.executable, "-c", code, settings), env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=terminal
    )
    try:
        while (told := ask({"ask": "state"})) is None:
            assert process.poll() is None
        assert told["pid"] == process.pid
        process.terminate()
        assert process.wait(30) in {0, -15}
    finally:
        process.kill()
        os.close(master)
        os.close(terminal)
