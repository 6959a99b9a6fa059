"""`leeboard run`: what it takes for the client's, and what it says."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from leeboard.surfaces.cli.main import run

PRINTER = (sys.executable, "-c", "import os, sys; print(sys.argv[1:], os.environ['ANTHROPIC_BASE_URL'])")


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.delenv("ANTHROPIC_BASE_URL", raising=False)


def test_options_after_the_client_are_the_clients(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "--plain", *PRINTER, "--plain", "-p", "--help"]) == 0
    out, said = capfd.readouterr()
    assert out.startswith("['--plain', '-p', '--help'] http://127.0.0.1:")
    assert out.rstrip().endswith("/https/api.anthropic.com")
    assert "no client that is known here" in said


def test_arguments_may_hold_secrets_since_nothing_is_written_down(capfd: pytest.CaptureFixture[str]) -> None:
    secret = "sk-ant-api03-" + "aB3" * 28 + "AA"
    assert run(["run", "-q", "--plain", "--", *PRINTER, f"--api-key={secret}"]) == 0
    assert secret in capfd.readouterr().out


def test_what_is_said_can_be_read_by_programs(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "--json", "--plain", "--", sys.executable, "-c", ""]) == 0
    (line,) = capfd.readouterr().err.splitlines()
    assert "no client that is known here" in json.loads(line)["leeboard"]


def test_without_a_client_there_is_nothing_to_run(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["run"]) == 2
    assert "CLIENT" in capfd.readouterr().err


def test_the_exit_code_is_the_clients() -> None:
    assert run(["run", "-q", "--plain", "--", sys.executable, "-c", "raise SystemExit(9)"]) == 9
