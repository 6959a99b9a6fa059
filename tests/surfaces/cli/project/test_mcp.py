from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from leeboard.surfaces.cli.project.mcp import command
from leeboard.surfaces.mcp.tools import tools

ROOT = Path(__file__).resolve().parents[4]
COMMAND = (sys.executable, "-c", "from leeboard.surfaces.cli.project.mcp import command; command()")


def test_it_lists_its_tools() -> None:
    shown = CliRunner().invoke(command, ["--tools"])
    assert shown.exit_code == 0
    lines = shown.output.splitlines()
    assert [line.split()[0] for line in lines] == [tool.name for tool in tools()]
    assert all(len(line.split()) > 2 for line in lines)


@pytest.mark.parametrize("command", [COMMAND, (sys.executable, "-m", "leeboard.surfaces.mcp")])
def test_it_answers_on_stdin_and_stdout(tmp_path: Path, command: tuple[str, ...]) -> None:
    done = subprocess.run(
        command,
        input=b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n',
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout) == {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert done.stderr == b""


def test_a_project_that_is_not_there_is_refused() -> None:
    assert CliRunner().invoke(command, ["--root", "/not/there"]).exit_code == 2
