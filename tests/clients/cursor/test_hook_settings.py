from __future__ import annotations

import json

from leeboard.clients.cursor.hook_settings import HOOK_EVENTS, install

LINE = "/usr/bin/python3 -I -S /opt/leeboard/surfaces/hook.py --client cursor"


def test_a_new_file_is_what_the_client_reads() -> None:
    told = json.loads(install("", LINE))
    assert told["version"] == 1
    assert told["hooks"] == {
        event: [{"command": LINE, "timeout": 120 if event == "stop" else 10}] for event in HOOK_EVENTS
    }
