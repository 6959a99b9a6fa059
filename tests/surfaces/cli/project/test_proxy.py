"""`leeboard proxy`: its addresses, and that it stands until it is told to end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from leeboard.surfaces.cli.main import run
from leeboard.surfaces.proxy.address import kept_token
from leeboard.surfaces.proxy.process import open_listener
from leeboard.surfaces.proxy.standing import find

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))


def test_it_prints_addresses_that_stay_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["proxy", "--port", "9999", "--addresses", "--upstream", "http://localhost:1/v1"]
    assert run(line) == 0
    first = capsys.readouterr().out
    token = kept_token()
    assert first.splitlines() == [
        f"ANTHROPIC_BASE_URL=http://127.0.0.1:9999/{token}/https/api.anthropic.com",
        f"OPENAI_BASE_URL=http://127.0.0.1:9999/{token}/https/api.openai.com/v1",
        f"http://localhost:1/v1 is at http://127.0.0.1:9999/{token}/http/localhost:1/v1",
    ]
    assert run(line) == 0
    assert capsys.readouterr().out == first
    assert run([*line, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["port"] == 9999


def test_an_upstream_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["proxy", "--addresses", "--upstream", "api.example"]) == 2
    assert "no address of an API" in capsys.readouterr().err


def test_a_port_that_is_taken_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with open_listener() as taken:
        port = taken.getsockname()[1]
        assert run(["proxy", "--port", str(port)]) == 5
    said = capsys.readouterr()
    assert said.err == (
        f"leeboard: 127.0.0.1:{port}: the proxy can not listen there: Address already in use: choose another --port\n"
    )
    assert said.out == "", "an address at which somebody else answers is none of ours"


def test_it_stands_until_it_is_told_to_end() -> None:
    with open_listener() as free:
        port = int(free.getsockname()[1])
    line = (sys.executable, "-m", "leeboard", "proxy", "--plain", "--port", str(port))
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(line, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "listens on" in process.stderr.readline()
        found = find(kept_token())
        assert found is not None
        assert (found.port, found.pid) == (port, process.pid)
        process.send_signal(signal.SIGTERM)
    assert process.returncode == 0
    assert find(kept_token()) is None
