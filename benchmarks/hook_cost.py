"""What a hook costs the agent: the whole process, through a resident and by itself, against an idle interpreter.

In processor time, so that a busy machine changes little; beside other guards on the same payloads, where they can be
installed. Of a hook that asks the resident, what the resident takes meanwhile is told too.
"""

from __future__ import annotations

import statistics
import subprocess
import tempfile
import time
import venv
from collections.abc import Iterator
from http.client import HTTPConnection
from itertools import count
from pathlib import Path

from benchmarks.measure import Ratio, installed, installed_by_npm, milliseconds, processor_seconds, used_by
from tests.hook_process import HookProcess, edit, prompt, shell

ROUNDS = 30
ALONE = {"LEEBOARD_RESIDENT": "0"}


def measure() -> Iterator[Ratio]:
    with tempfile.TemporaryDirectory(prefix="lb") as folder:
        process = HookProcess(folder=folder)
        floor = _fresh_interpreter(Path(folder, "venv"))
        process.run(prompt("fix the auth bug in src/auth"), ALONE)
        ways = {
            "floor": ((floor, "-c", "pass"), {}),
            "registered": (process.registered(), {}),
            "alone": (process.registered(), ALONE),
            **{name: (line, {}) for name, line in _others().items()},
        }
        taken: dict[str, list[float]] = {name: [] for name in ways}
        with process.resident() as resident:
            for _ in range(ROUNDS):
                for name, (line, env) in ways.items():
                    before = used_by(resident)
                    taken[name].append(processor_seconds(line, _payload(), process.environment(env)))
                    if name == "registered":
                        taken.setdefault("resident", []).append(used_by(resident) - before)
        taken["http"] = [_over_http(process)]
    seconds = {name: statistics.median(some) for name, some in taken.items()}
    beside = f", and {milliseconds(statistics.mean(taken['resident']))} of the resident"
    for name, words, aim in (
        ("registered", "registered hook", 0.95),
        ("http", "the same over HTTP", 0.15),
        ("alone", "hook in-process", 3.5),
        ("agentlint", "agentlint", 100.0),
        ("cc-safety-net", "cc-safety-net", 100.0),
    ):
        if name in seconds:
            detail = f"{milliseconds(seconds[name])} / {milliseconds(seconds['floor'])} of processor time"
            detail += beside if name == "registered" else ""
            yield Ratio(
                name=f"{words} / python -c pass", ratio=seconds[name] / seconds["floor"], aim=aim, detail=detail
            )


def _others() -> dict[str, tuple[str, ...]]:
    """Other guards, by the line that they register."""
    agentlint, net = installed("agentlint", "agentlint"), installed_by_npm("cc-safety-net")
    lines = {
        "agentlint": (agentlint, "check", "--event", "PreToolUse"),
        "cc-safety-net": (net, "hook", "--claude-code"),
    }
    return {name: line for name, line in lines.items() if line[0]}


_calls = count()


def _payload() -> bytes:
    """A call that nobody has answered before: an edit, then a shell line, in turn."""
    number = next(_calls)
    if number // 5 % 2:
        return shell(f"t{number}", f"git status && ls src/auth/part{number % 20}.py")
    return edit(f"t{number}", f"/repo/src/auth/part{number % 20}.py")


def _fresh_interpreter(folder: Path) -> str:
    venv.create(folder, symlinks=True)
    return str(folder / "bin" / "python")


_SERVER = """
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from leeboard.app.kept_store import keep_open
from leeboard.surfaces import edge
class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_POST(self):
        sent = []
        edge.respond(self.rfile.read(int(self.headers["content-length"])), os.environ, sent.append)
        self.send_response(200)
        self.send_header("content-length", str(len(sent[0] if sent else b"")))
        self.end_headers()
        self.wfile.write(sent[0] if sent else b"")
    def log_message(self, *_):
        pass
edge.load_everything()
keep_open()
server = HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"""
"""What an endpoint for hooks over HTTP would be: there is none, for reasons that `design/002` gives."""


def _over_http(process: HookProcess) -> float:
    """Seconds of processor time of one such hook, on both sides of a connection that stays open."""
    command = (process.python, "-c", _SERVER)
    env = process.environment({"PYTHONPATH": str(Path(process.script).parents[2])})
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        client = HTTPConnection("127.0.0.1", int(server.stdout.readline()))
        try:
            for _ in range(ROUNDS):
                _post(client)
            before, own = used_by(server), time.process_time()
            for _ in range(10 * ROUNDS):
                _post(client)
            return (used_by(server) - before + time.process_time() - own) / (10 * ROUNDS)
        finally:
            client.close()
            server.kill()


def _post(client: HTTPConnection) -> None:
    client.request("POST", "/", _payload(), {"content-type": "application/json"})
    client.getresponse().read()
