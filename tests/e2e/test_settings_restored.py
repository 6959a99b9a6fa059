"""`uninstall` gives the client's settings back byte for byte, after the client has worked with them."""

from __future__ import annotations

import json

import pytest

from tests.e2e.desk import Desk
from tests.e2e.model_script import Script, bash, say, use

pytestmark = pytest.mark.e2e

SCRIPT = Script(main=(use(bash("echo hello")), say("Said hello.")))


def odd_settings(marker: str) -> bytes:
    """Tabs, windows line ends, spaces where nobody puts them, no line end; and a hook of the user's own."""
    own = {"matcher": "Bash", "hooks": [{"type": "command", "command": f"touch {marker}"}]}
    text = '{\r\n\t"cleanupPeriodDays" :30,\r\n\r\n\t"hooks":{ "PreToolUse" : [OWN ] } ,"env": { }\r\n}'
    return text.replace("OWN", json.dumps(own)).encode()


def test_a_file_of_the_user(bare_desk: Desk) -> None:
    desk, marker = bare_desk, bare_desk.folder / "own hook ran"
    before = odd_settings(f"'{marker}'")
    desk.settings.parent.mkdir()
    desk.settings.write_bytes(before)
    desk.leeboard("init", "--quiet")
    run = desk.run("say hello", SCRIPT)
    assert marker.exists()
    assert desk.session(run.session).status == "completed"
    desk.leeboard("uninstall", "--quiet")
    assert desk.settings.read_bytes() == before


def test_no_file_before(bare_desk: Desk) -> None:
    desk = bare_desk
    desk.leeboard("init", "--quiet")
    run = desk.run("say hello", SCRIPT)
    assert desk.session(run.session).status == "completed"
    desk.leeboard("uninstall", "--quiet")
    assert not desk.settings.parent.exists()


def test_afterwards_no_hook_is_called(desk: Desk) -> None:
    desk.leeboard("uninstall", "--quiet")
    run = desk.run("say hello", SCRIPT)
    assert (run.code, run.result) == (0, "Said hello.")
    assert not (desk.state / "leeboard.db").exists()
