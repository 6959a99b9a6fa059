from __future__ import annotations

import json

from leeboard.clients.copilot.hook_settings import HOOK_EVENTS, install, read_state

LINE = "/usr/bin/python3 -I -S /opt/leeboard/surfaces/hook.py --client copilot"


def test_a_new_file_is_what_the_client_reads() -> None:
    told = json.loads(install("", LINE))
    assert told["version"] == 1
    assert told["hooks"]["PreToolUse"] == [{"type": "command", "bash": LINE, "timeoutSec": 10}]
    assert [event for event, _ in read_state(json.dumps(told)).hooks] == list(HOOK_EVENTS)
