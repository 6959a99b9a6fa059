"""Hooks that follow a call, posted by the real client to the resident: what is answered, and what is not, is known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.client import CLIENT
from tests.e2e.desk import Desk
from tests.e2e.model_script import Script, agent, bash, say, use

pytestmark = pytest.mark.e2e

POSTED = ("PostToolUse", "PostToolUseFailure", "PostToolBatch")
SCRIPT = Script(
    main=(use(bash("echo one"), bash("echo two")), use(bash("exit 3")), use(agent("look")), say("Done.")),
    sub_agent=(use(bash("echo three")), say("Looked.")),
)


@pytest.fixture
def posting_desk(bare_desk: Desk) -> Desk:
    bare_desk.env["PATH"] = f"{Path(CLIENT).parent}:{bare_desk.env['PATH']}"
    bare_desk.leeboard("doctor", "--probe", "--json", code=1)
    bare_desk.leeboard("init", "--http", "--quiet")
    return bare_desk


def hooks_by_type(desk: Desk) -> dict[str, set[str]]:
    told = json.loads(desk.settings.read_text(encoding="utf-8"))["hooks"]
    found: dict[str, set[str]] = {}
    for event, groups in told.items():
        for group in groups:
            for entry in group["hooks"]:
                found.setdefault(entry["type"], set()).add(event)
    return found


def test_what_follows_a_call_is_posted_and_heard(posting_desk: Desk) -> None:
    kinds = hooks_by_type(posting_desk)
    assert kinds["http"] == set(POSTED)
    assert "PreToolUse" in kinds["command"]
    run = posting_desk.run("say one and two", SCRIPT)
    posting_desk.wait_for_resident()
    heard = [receipt.event for receipt in posting_desk.receipts(run.session)]
    assert heard.count("PreToolUse") == heard.count("PostToolUse") + heard.count("PostToolUseFailure") == 5
    assert heard.count("PostToolBatch") == 4
    lines = b"".join(path.read_bytes() for path in posting_desk.transcripts(run.session))
    assert b"hook_non_blocking_error" not in lines
