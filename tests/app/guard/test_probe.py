from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.guard import probe
from leeboard.app.guard.coverage import kept_coverage
from leeboard.errors import EffectError


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.mark.parametrize(
    ("program", "words"), [("/bin/true", "none of the calls"), ("/no/such/program", "can not run")]
)
def test_a_program_that_is_no_client_is_named(program: str, words: str, state: Path) -> None:
    with pytest.raises(EffectError, match=words):
        probe.probe("claude_code", program, "1.0.0")
    assert not list(state.glob("probe-*")) if state.exists() else True


def test_a_client_of_which_nobody_wrote_it_down_is_not_run() -> None:
    with pytest.raises(EffectError, match="Cursor can not be tried"):
        probe.probe("cursor", "/bin/true", "1.0.0")


def test_what_hooks_and_model_heard_becomes_one_table(tmp_path: Path) -> None:
    """A program in the place of the client: it tells its hook of one call, and the model that another one ran too."""
    client = tmp_path / "client"
    client.write_text(
        """#!/bin/sh
hook=$(sed 's/.*"command": "\\\\(cat[^"]*\\\\)".*/\\\\1/' .claude/settings.json)
tell() { echo "{\\\\"session_id\\\\":\\\\"s\\\\",\\\\"cwd\\\\":\\\\"$PWD\\\\",\\\\"hook_event_name\\\\":\\\\"PreToolUse\\\\",\\\\"tool_name\\\\":\\\\"Bash\\\\",\\\\"tool_use_id\\\\":\\\\"t\\\\",\\\\"tool_input\\\\":{\\\\"command\\\\":\\\\"printf leeboard-probe-%d-main 0x2a\\\\"}}"; }
tell | sh -c "$hook"
exec python3 -c 'import os, urllib.request
urllib.request.urlopen(os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages", b"leeboard-probe-42-main leeboard-probe-42-agent")'
""".replace("\\\\", "\\"),
        encoding="utf-8",
    )
    client.chmod(0o755)
    found = probe.probe("claude_code", str(client), "1.0.0")
    heard = {one.part: (one.ran, one.before) for one in found.parts}
    assert heard["main"] == (True, True)
    assert heard["agent"] == (True, False)
    assert heard["background"] == (False, False)
    assert found.unheard == ("sub-agents",)
    assert kept_coverage("claude_code", "1.0.0") == found
