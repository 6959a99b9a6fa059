"""A server that is killed while a quality gate runs: the gate goes with it, and the next server runs it anew."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from leeboard.surfaces.mcp.protocol import VERSIONS
from tests.dead_process import wait_until_gone
from tests.git_repository import ENVIRONMENT
from tests.mcp_agent import Agent, make_project
from tests.scripted_run import ROOT, SERVER

GATE = "echo $$ > $PIDS; test -f $PIDS.quick || (sleep 1000; exit 1)"
UNIT = """---
title: Wait
inputs: [intent.md]
outputs: [slow.txt]
quality_gates: [{name: slow, command: '%s'}]
---
- [x] slow.txt is there
"""


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Agent:
    """A project whose first unit has a gate that takes its time."""
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("PIDS", str(tmp_path / "pids"))
    os.mkfifo(tmp_path / "pids")
    agent = Agent(make_project(tmp_path / "project").path)
    agent.begin()
    agent.until("elaborate")
    assert not agent("unit_write", unit="unit-01-slow", content=UNIT % GATE).is_error
    agent.until("start_unit")
    return agent


def started(agent: Agent, *calls: tuple[str, dict[str, Any]]) -> subprocess.Popen[bytes]:
    """A server that was asked for this, and answers when it can."""
    server = subprocess.Popen(
        SERVER,
        cwd=agent.root,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    hello = {"protocolVersion": VERSIONS[0], "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    asked: list[tuple[str, dict[str, Any]]] = [("initialize", hello)]
    asked += [("tools/call", {"name": f"haiku_{tool}", "arguments": arguments}) for tool, arguments in calls]
    assert server.stdin is not None
    for number, (method, params) in enumerate(asked):
        line = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        server.stdin.write(f"{line}\n".encode())
    server.stdin.flush()
    return server


def test_a_gate_does_not_outlive_the_server_that_runs_it(agent: Agent, tmp_path: Path) -> None:
    """SH-06, SH-33."""
    tree = Path(agent("unit_start", unit="unit-01-slow")["worktree"])
    (tree / "slow.txt").write_text("slow\n", encoding="utf-8")
    with started(agent, ("unit_advance_hat", {"unit": "unit-01-slow"})) as server:
        gate = int((tmp_path / "pids").read_text())
        server.kill()
    wait_until_gone(gate)
    (tmp_path / "pids.quick").touch()
    with started(agent, ("run_next", {})) as server:
        again = int((tmp_path / "pids").read_text())
        assert server.stdout is not None
        answers = [json.loads(server.stdout.readline()) for _ in range(2)]
    assert again != gate
    assert not answers[1]["result"]["isError"], answers[1]
