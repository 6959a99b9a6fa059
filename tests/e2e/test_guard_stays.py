"""A line that takes our hooks out of the client's settings does not end them in the session that ran it."""

from __future__ import annotations

import json

import pytest

from tests.e2e.desk import Desk
from tests.e2e.model_script import Script, bash, say, use

pytestmark = pytest.mark.e2e

WAIT = "sleep 6"
"""The client looks at its settings every few seconds."""


def test_hooks_that_a_script_takes_out_go_on_in_the_session(desk: Desk) -> None:
    desk.write("tidy.sh", "rm .claude/settings.local.json\n")
    script = Script(main=(use(bash("sh tidy.sh")), use(bash(WAIT)), use(bash("echo after")), say("Tidied.")))
    run = desk.run("Tidy up.", script)
    heard = [receipt.event for receipt in desk.receipts(run.session)]
    assert not desk.settings.exists()
    assert "ConfigChange" in heard
    assert heard.count("PreToolUse") == 3
    assert "Stop" in heard
    assert "changed_guard" in json.dumps([request.our_words for request in run.main])
