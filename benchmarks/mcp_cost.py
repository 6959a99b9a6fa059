"""What the MCP server costs an agent: its handshake against loading the SDK, a tick against the SDK's own echo tool.

And a tick of a large or old intent against one of a small or new one.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.contention import environment
from benchmarks.measure import Ratio, in_turns, milliseconds, used_by
from leeboard.app.plan.engine import Engine
from leeboard.plan.disk.truth.surface import WATCHES
from leeboard.truth.digests.identity import WINDOW

ROOT = Path(__file__).resolve().parent.parent
ROUNDS, CALLS = 9, 40
SERVER = (sys.executable, "-m", "leeboard.surfaces.mcp")
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
ECHO = """
from mcp.server.mcpserver import MCPServer
server = MCPServer("echo")
@server.tool()
def echo(text: str) -> str:
    return text
server.run(transport="stdio")
"""
STAGE = "---\nname: {name}\nhats: [builder]\nreview: ask\n---\nBuild it.\n"
UNIT = "---\ntitle: Do {number}\ninputs: [intent.md]\noutputs: [{number}.txt]\n---\nDo it.\n\n- [ ] it is done\n"
FEW, MANY = 6, 60
"""Units. What looks as it did is not read again, so ten times as many cost a look at each of them."""
STAGES = 8
ASKED = 500


class Client:
    """Speaks the protocol by hand, so that only the server is measured."""

    def __init__(self, command: tuple[str, ...], folder: str) -> None:
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "LEEBOARD_GATE_SECONDS": "0", **_own(folder)},
        )
        self._key = 0
        self.ask("initialize", HELLO)
        self._write({"method": "notifications/initialized"})

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        self._key += 1
        self._write({"id": self._key, "method": method, "params": params})
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def used(self) -> float:
        """Seconds of processor time so far."""
        return used_by(self._process)

    def call(self, name: str, arguments: dict[str, Any]) -> Any:
        return self.ask("tools/call", {"name": name, "arguments": arguments})

    def close(self) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        self._process.wait()

    def _write(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()


def _own(folder: str) -> dict[str, str]:
    """Where the trust in what is made below lies: an intent that nobody trusts is refused, which costs nothing."""
    return {"HOME": f"{folder}/../home", "LEEBOARD_STATE_DIR": f"{folder}/../state"}


def measure() -> Iterator[Ratio]:
    with tempfile.TemporaryDirectory(prefix="lb") as folder:
        repository = Path(folder, "repo")
        repository.mkdir()
        yield _handshake(str(repository))
        yield _tick(str(repository))
    yield from _growth()


def _handshake(folder: str) -> Ratio:
    def greet() -> None:
        Client(SERVER, folder).close()

    def load() -> None:
        subprocess.run((sys.executable, "-c", "import mcp"), check=True)

    taken = in_turns({"ours": greet, "sdk": load}, ROUNDS)
    detail = f"{milliseconds(taken['ours'])} / {milliseconds(taken['sdk'])}"
    return Ratio(
        name="mcp: handshake, whole process / import mcp", ratio=taken["ours"] / taken["sdk"], aim=0.1, detail=detail
    )


def _tick(folder: str) -> Ratio:
    with environment(_own(folder)):
        _intent(folder)
    ours, theirs = Client(SERVER, folder), Client((sys.executable, "-c", ECHO), folder)
    try:
        answered = ours.call("haiku_run_next", {"intent": "bench"})["result"]
        assert not answered.get("isError"), answered
        _calls(ours, theirs)
        before = ours.used(), theirs.used()
        for _ in range(ROUNDS):
            _calls(ours, theirs)
        tick, echo = ours.used() - before[0], theirs.used() - before[1]
    finally:
        ours.close()
        theirs.close()
    detail = " / ".join(milliseconds(seconds / ROUNDS / CALLS) for seconds in (tick, echo))
    return Ratio(
        name="mcp: haiku_run_next / the SDK's echo tool",
        ratio=tick / echo,
        aim=2.0,
        detail=f"{detail} of processor time",
    )


def _calls(ours: Client, theirs: Client) -> None:
    for _ in range(CALLS):
        ours.call("haiku_run_next", {"intent": "bench"})
        theirs.call("echo", {"text": "x" * 500})


def _growth() -> Iterator[Ratio]:
    """In this process, which lives on as the server does: what is around it costs the same."""
    with contextlib.ExitStack() as stack:
        new, grown, staged, old = (stack.enter_context(tempfile.TemporaryDirectory(prefix="lb")) for _ in range(4))
        stack.callback(WATCHES.end)
        WATCHES.begin()
        engines = {
            "new": _grown(new, FEW),
            "grown": _grown(grown, MANY),
            "staged": _grown(staged, FEW, STAGES),
            "old": _grown(old, FEW),
        }
        time.sleep(WINDOW / 1e9 + 1)  # what was written a moment ago is read again by everybody
        for _ in range(ASKED):
            engines["old"].tick("bench")
        taken = in_turns({name: partial(engine.tick, "bench") for name, engine in engines.items()}, CALLS)
    for name, words, aim in (
        ("grown", f"{MANY} units / {FEW}", 1.3),
        ("staged", f"{STAGES} stages / 1", 1.4),
        ("old", f"after {ASKED} ticks / after 1", 1.2),
    ):
        detail = f"{milliseconds(taken[name])} / {milliseconds(taken['new'])}"
        yield Ratio(name=f"plan: a tick, {words}", ratio=taken[name] / taken["new"], aim=aim, detail=detail)


def _grown(folder: str, units: int, stages: int = 1) -> Engine:
    _intent(folder, stages)
    engine = Engine(folder)
    engine.tick("bench")
    place = Path(folder, ".haiku/intents/bench/stages/build/units")
    place.mkdir(parents=True)
    for number in range(1, units + 1):
        (place / f"unit-{number:02}-u{number}.md").write_text(UNIT.format(number=number), encoding="utf-8")
    return engine


def _studio(stages: int) -> dict[str, str]:
    names = ["build", *(f"later-{number}" for number in range(1, stages))]
    files = {"STUDIO.md": f"---\nname: Small\nslug: small\nstages: [{', '.join(names)}]\n---\nIt is small.\n"}
    for name in names:
        files[f"stages/{name}/STAGE.md"] = STAGE.format(name=name)
        files[f"stages/{name}/hats/builder.md"] = "Build it.\n"
    return files


def _intent(folder: str, stages: int = 1) -> None:
    """An intent in its first stage, waiting for the user: a tick looks at everything and changes nothing."""
    for name, text in _studio(stages).items():
        path = Path(folder, ".haiku/studios/small", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    identity = ("-c", "user.name=kim", "-c", "user.email=kim@example.invalid")
    for arguments in (("init", "-q"), ("add", "-A"), (*identity, "commit", "-qm", "begin")):
        subprocess.run(("git", *arguments), cwd=folder, check=True)
    for key, value in (("user.name", "kim"), ("user.email", "kim@example.invalid")):
        subprocess.run(("git", "config", key, value), cwd=folder, check=True)
    Engine(folder).create("Bench the tick", "Measure.", "bench", "small")
