"""Who is told an address: by real processes, in terminals and below agents."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from urllib.parse import urlencode

import pytest

from leeboard.app.views.projects import project_key
from leeboard.errors import ConfigError
from leeboard.io.connection import Address, other_end
from leeboard.surfaces.web.control import ask, refusal_for
from leeboard.surfaces.web.guard import COOKIE
from leeboard.surfaces.web.site import doubt_at
from tests.flow_desk import SLUG, FlowDesk
from tests.web_desk import WebDesk, served

HOST = "127.0.0.1"
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
    far = ask({"ask": "enter", "from": "elsewhere"})
    assert far is not None
    tokens = [each["address"].partition("token=")[2].partition("&")[0] for each in (told, far)]
    assert [*map(desk.server.doorkeeper.invites_elsewhere, tokens)] == [False, True]
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
        while process.pid not in other_end((HOST, port), (HOST, desk.port)).holders:
            assert time.monotonic() < deadline
        assert doubt_at((HOST, port), (HOST, desk.port)) == "CLAUDECODE says that an agent sent this"
    finally:
        ended(process, process.pid)


def test_an_agent_at_the_port_of_the_browser_is_not_taken_for_it(desk: WebDesk) -> None:
    """Another address of loopback has ports of its own: the same number says nothing."""
    code = (
        "import socket, sys, time\n"
        "line = socket.socket()\n"
        "line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)\n"
        "line.bind(('127.0.0.2', int(sys.argv[1])))\n"
        f"line.connect(('127.0.0.1', {desk.port}))\n"
        "print(flush=True)\ntime.sleep(600)\n"
    )
    with socket.create_connection((HOST, desk.port)) as browser:
        port = browser.getsockname()[1]
        line = (sys.executable, "-c", code, str(port))
        process = subprocess.Popen(line, env={**CLEAN, "CLAUDECODE": "1"}, stdout=subprocess.PIPE)
        assert process.stdout is not None
        try:
            assert process.stdout.readline()
            assert doubt_at(("127.0.0.2", port), (HOST, desk.port)) == "CLAUDECODE says that an agent sent this"
            assert other_end((HOST, port), (HOST, desk.port)).holders == (os.getpid(),)
        finally:
            ended(process, process.pid)


@pytest.mark.parametrize(
    "lets_go",
    [
        "pass",
        "line.close()",
        "kept = socket.socketpair(); socket.send_fds(kept[0], [b'.'], [line.fileno()]); line.close()",
    ],
    ids=["holds it", "closes it", "sends it to itself"],
)
def test_a_stolen_cookie_decides_nothing_however_the_sender_hides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lets_go: str
) -> None:
    """The cookie, the token and the origin are all right; the process that brings them is an agent's."""
    flow = FlowDesk(tmp_path, monkeypatch)
    flow.at_stage_gate()
    rulings = flow.root / ".haiku/intents/thing/stages/build/rulings.jsonl"
    before = rulings.read_bytes()
    asked, gone, found = threading.Event(), threading.Event(), Queue[str]()

    def look(peer: Address, served: Address, _is_elsewhere: bool) -> str:  # noqa: FBT001 - a DoubtAt
        asked.set()
        gone.wait(60)
        found.put(doubt_at(peer, served))
        return doubt_at(peer, served)

    with served(str(flow.root)) as desk:
        desk.server._site._doubt = look
        body = urlencode({"token": desk.token, "decision": "approved"})
        sent = (
            f"POST /p/{project_key(str(flow.root))}/i/{SLUG}/decide HTTP/1.1\r\nHost: {desk.host}\r\n"
            f"Origin: {desk.address}\r\nCookie: {COOKIE}={desk.cookie}\r\nContent-Length: {len(body)}\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\n\r\n{body}"
        )
        code = (
            "import socket, time\n"
            f"line = socket.create_connection(('127.0.0.1', {desk.port}))\n"
            f"line.sendall({sent.encode()!r})\ninput()\n{lets_go}\nprint(1, flush=True)\ntime.sleep(600)\n"
        )
        process = subprocess.Popen(
            (sys.executable, "-c", code),
            env={**CLEAN, "CLAUDECODE": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            assert asked.wait(60)
            process.stdin.write(b"\n")
            process.stdin.close()
            assert process.stdout.readline()
            gone.set()
            assert found.get(timeout=60)
        finally:
            ended(process, process.pid)
    assert rulings.read_bytes() == before


def test_a_cookie_is_worth_nothing_to_another_program_than_the_browser(desk: WebDesk) -> None:
    """One that nothing ties to an agent, with a cookie read from a browser's profile."""
    body = urlencode({"token": desk.token, "id": "x", "allowance": "x"})
    line = (
        f"exec 3<>/dev/tcp/127.0.0.1/{desk.port}; printf '%b' 'POST /session/revoke HTTP/1.1\\r\\nHost: {desk.host}\\r\\n"
        f"Origin: {desk.address}\\r\\nCookie: {COOKIE}={desk.cookie}\\r\\nContent-Length: {len(body)}\\r\\n"
        "Connection: close\\r\\n"
        f"Content-Type: application/x-www-form-urlencoded\\r\\n\\r\\n{body}' >&3; read -r -u 3 -d '}}' all; echo \"$all\""
    )
    told = subprocess.run(
        ("setsid", "bash", "-c", line), env=CLEAN, capture_output=True, text=True, check=False, timeout=60
    )
    assert "403" in told.stdout.split("\n")[0], told
    assert "bash is not the browser that was let in" in told.stdout
    assert desk.post("/session/revoke", {"id": "x", "allowance": "x"}).status == 404, "the same from who was let in"


RELAY = LET_GO.replace(
    "time.sleep(600)",
    """
import socket, threading
open("/proc/self/comm", "w").write("sshd-session")
def copy(a, b):
    while data := a.recv(65536):
        b.sendall(data)
    b.shutdown(socket.SHUT_WR)
with socket.create_server(("127.0.0.1", 0)) as door:
    print(door.getsockname()[1], flush=True)
    while True:
        near, _ = door.accept()
        far = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
        for pair in ((near, far), (far, near)):
            threading.Thread(target=copy, args=pair, daemon=True).start()
""",
)
"""What `sshd` does for `ssh -L`, under its name."""


def test_a_person_behind_ssh_decides_and_their_cookie_is_worth_nothing_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flow = FlowDesk(tmp_path, monkeypatch)
    flow.at_stage_gate()
    rulings = flow.root / ".haiku/intents/thing/stages/build/rulings.jsonl"
    path = f"/p/{project_key(str(flow.root))}/i/{SLUG}/decide"
    with served(str(flow.root)) as desk:
        desk.server._site._doubt = doubt_at
        process = subprocess.Popen((sys.executable, "-c", RELAY, str(desk.port)), env=CLEAN, stdout=subprocess.PIPE)
        assert process.stdout is not None
        pid, here = int(process.stdout.readline()), desk.port
        try:
            entrance = desk.server.entrance(is_elsewhere=True).removeprefix(desk.address)
            assert desk.get(entrance).status == 403, "not for a browser of this machine"
            desk.port = int(process.stdout.readline())
            came = desk.get(entrance)
            assert came.status == 200, came.text
            desk.cookie = came.headers["set-cookie"].partition(";")[0].partition("=")[2]
            before, desk.port, there = rulings.read_bytes(), here, desk.port
            assert desk.post(path, {"decision": "approved"}).status == 403
            assert rulings.read_bytes() == before
            desk.port = there
            assert desk.post(path, {"decision": "approved"}).status == 303
            assert rulings.read_bytes() != before
        finally:
            ended(process, pid)
