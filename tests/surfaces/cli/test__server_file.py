"""The workflow's server among a project's MCP servers, in and out again."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.surfaces.cli.conftest import Desk


def servers(desk: Desk) -> dict[str, object]:
    found: dict[str, object] = json.loads((desk.repo / ".mcp.json").read_text())["mcpServers"]
    return found


def test_in_and_out_where_there_was_no_file(desk: Desk) -> None:
    desk.ok("init", "-q", "--workflow")
    assert list(servers(desk)) == ["leeboard"]
    desk.ok("uninstall", "-q")
    assert not (desk.repo / ".mcp.json").exists()


def test_others_stay_and_the_file_comes_back_byte_for_byte(desk: Desk) -> None:
    before = '{"mcpServers":\t{"theirs": {"command": "x"}},  "odd": 1.50}'
    (desk.repo / ".mcp.json").write_text(before)
    desk.ok("init", "-q", "--workflow")
    assert list(servers(desk)) == ["theirs", "leeboard"]
    desk.ok("init", "-q", "--workflow")
    desk.ok("uninstall", "-q")
    assert (desk.repo / ".mcp.json").read_text() == before


def test_what_was_added_since_stays(desk: Desk) -> None:
    desk.ok("init", "-q", "--workflow")
    found = json.loads((desk.repo / ".mcp.json").read_text())
    found["mcpServers"]["newer"] = {"command": "y"}
    (desk.repo / ".mcp.json").write_text(json.dumps(found))
    desk.ok("uninstall", "-q")
    assert list(servers(desk)) == ["newer"]


def test_without_the_word_nothing_is_registered(desk: Desk) -> None:
    desk.ok("init", "-q")
    assert not (desk.repo / ".mcp.json").exists()


@pytest.mark.parametrize("text", ["{", "[]", '{"mcpServers": 3}'])
def test_a_file_that_can_not_be_read_is_left_alone(desk: Desk, text: str) -> None:
    (desk.repo / ".mcp.json").write_text(text)
    ran = desk.run("init", "--workflow")
    assert (ran.code, (desk.repo / ".mcp.json").read_text()) == (2, text)
    assert ".mcp.json" in ran.err
    assert not desk.local.exists()


def test_the_registered_line_answers(desk: Desk) -> None:
    desk.ok("init", "-q", "--workflow")
    (server,) = json.loads((desk.repo / ".mcp.json").read_text())["mcpServers"].values()
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}},
    }
    ran = desk.execute((server["command"], *server["args"]), json.dumps(hello).encode() + b"\n")
    assert json.loads(ran.out.splitlines()[0])["result"]["serverInfo"]["name"]


def test_the_plain_command_where_it_leads_here(desk: Desk) -> None:
    """The file is committed: a path of one machine would be nobody else's."""
    here = Path(sys.executable).parent
    told = desk.ok("init", "--workflow", env={"PATH": f"{here}:{os.environ['PATH']}"}).out
    assert servers(desk) == {"leeboard": {"command": "leeboard", "args": ["mcp"]}}
    assert "starts the server as `leeboard mcp`" in " ".join(told.split())


def test_this_interpreter_where_another_one_would_answer(desk: Desk, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere" / "leeboard"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    told = desk.ok("init", "--workflow", env={"PATH": f"{other.parent}:/usr/bin:/bin"}).out
    assert servers(desk)["leeboard"] == {"command": sys.executable, "args": ["-m", "leeboard.surfaces.mcp"]}
    assert "names this interpreter" in " ".join(told.split())
