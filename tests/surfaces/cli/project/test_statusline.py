"""`leeboard statusline`, and `init --statusline`: put in where nobody has one, and taken out byte for byte."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_the_command_says_what_the_script_says(drifted: Desk) -> None:
    given = json.dumps({"session_id": "session-1", "cwd": str(drifted.repo)}).encode()
    out = drifted.ok("statusline", stdin=given).out
    assert "DRIFTED · 4/10 · 1 said" in out
    assert drifted.ok("statusline").out.split(" · ")[1:] == out.split(" · ")[1:], "without a payload: this project"
    (found,) = drifted.ok("statusline", "--json", stdin=given).objects
    assert (found["kind"], found["state"], found["mode"], found["said"]) == ("statusline", "alive", "DRIFTED", 1)


def test_it_is_only_put_in_when_asked_for_and_stays_when_init_is_run_again(desk: Desk) -> None:
    desk.ok("init", "-q")
    assert "statusLine" not in json.loads(desk.local.read_text())
    desk.ok("init", "-q", "--statusline")
    line = json.loads(desk.local.read_text())["statusLine"]
    assert line["type"] == "command"
    before = desk.local.read_bytes()
    desk.ok("init", "-q")
    assert desk.local.read_bytes() == before
    payload = json.dumps({"session_id": "s", "cwd": str(desk.repo)}).encode()
    assert desk.execute(("/bin/sh", "-c", line["command"]), payload).out == "leeboard: not heard here yet\n"
    assert "status line" in desk.run("doctor").out


@pytest.mark.parametrize(
    "text", ["", "{}\n", '{\n  "model": "m"\n}\n', '{"model":"m"}', '{\n\t"hooks": {},\n\t"env": {"A": "1"}\n}\n']
)
def test_uninstall_gives_the_file_back_byte_for_byte_also_after_somebody_changed_it(desk: Desk, text: str) -> None:
    desk.local.parent.mkdir()
    if text:
        desk.local.write_text(text)
    desk.ok("init", "-q", "--statusline")
    desk.ok("uninstall", "-q")
    assert (desk.local.read_text() if desk.local.exists() else "") == text
    if not text:
        return
    desk.ok("init", "-q", "--statusline")
    desk.local.write_text(desk.local.read_text() + "\n")
    desk.ok("uninstall", "-q")
    assert desk.local.read_text() == text + "\n"


def test_a_status_line_of_the_users_own_stays(desk: Desk) -> None:
    theirs = desk.home / ".claude" / "settings.json"
    theirs.parent.mkdir()
    theirs.write_text('{"statusLine": {"type": "command", "command": "my-line"}}')
    ran = desk.run("init", "--statusline")
    assert ran.code == 2
    assert "a status line of your own" in ran.err
    assert not desk.local.exists()
    desk.ok("init", "-q")
    assert "status line" not in desk.run("doctor").out
