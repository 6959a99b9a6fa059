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
    assert "leeboard flow new 'TITLE'" in told, "what comes next is named"


def test_this_interpreter_where_another_one_would_answer(desk: Desk, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere" / "leeboard"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    told = desk.ok("init", "--workflow", env={"PATH": f"{other.parent}:/usr/bin:/bin"}).out
    assert servers(desk)["leeboard"] == {"command": sys.executable, "args": ["-I", "-m", "leeboard.surfaces.mcp"]}
    assert "names this interpreter" in " ".join(told.split())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"mcpServers": {"leeboard": {"command": "leeboard", "args": ["mcp"]}}}', "'leeboard', which is not on PATH"),
        ('{"mcpServers": {"leeboard": {"command": "/nowhere/python"}}}', "'/nowhere/python', which is not on PATH"),
        ('{"mcpServers": {"leeboard": 7}}', "runs no command"),
        ('{\n"mcpServers": [', "not valid JSON: Expecting value: line 2"),
    ],
)
def test_a_server_that_can_not_start_is_named(desk: Desk, text: str, said: str) -> None:
    """The file may be shared with somebody who has the command on PATH."""
    file = desk.repo / ".mcp.json"
    file.write_text(text)
    bare = {"PATH": "/usr/bin:/bin"}
    for words in (("status",), ("doctor",)):
        told = " ".join(desk.run(*words, env=bare).out.split())
        assert f"{file}: " in told
        assert said in told
    assert said in desk.run("status", "--json", env=bare).objects[0]["problems"][0]


def test_a_server_that_starts_and_none_at_all_are_nothing_to_speak_of(desk: Desk) -> None:
    assert "workflow" not in desk.run("status").out + desk.run("doctor").out
    desk.ok("init", "-q", "--workflow", env={"PATH": "/usr/bin:/bin"})
    assert "workflow" not in desk.ok("status").out
    assert ".mcp.json names a command that is there" in desk.run("doctor").out
