from __future__ import annotations

import json

from leeboard.clients.gemini_cli.hook_settings import install, read_state
from leeboard.clients.hook_file import is_ours

LINE = "/usr/bin/python3 -I -S /opt/leeboard/surfaces/hook.py --client gemini_cli"


def test_times_are_told_in_milliseconds() -> None:
    hooks = json.loads(install("{}", LINE))["hooks"]
    assert hooks["BeforeTool"] == [{"hooks": [{"type": "command", "command": LINE, "timeout": 10_000}]}]
    assert hooks["AfterAgent"][0]["hooks"][0]["timeout"] == 120_000


def test_hooks_that_are_switched_off_are_seen_to_be() -> None:
    text = install('{"hooksConfig": {"enabled": false}}', LINE)
    state = read_state(text)
    assert state.switched_off
    assert [is_ours(line) for line in state.asked_first] == [True]
    assert not read_state(install("", LINE)).switched_off
