"""Hooks that follow a call, posted by the real client to the resident: what is answered, and what is not, is known."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.e2e.client import CLIENT
from tests.e2e.conftest import PROJECT
from tests.e2e.desk import ROOT, Desk
from tests.e2e.model_script import Script, agent, bash, edit, say, use, use_after

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


def fail(desk: Desk) -> str:
    """A line of another process that kills the resident, its helper with it."""
    return f"kill -9 $(cut -d' ' -f1 {desk.folder}/run/*.lock)"


def test_a_resident_that_dies_in_between_is_told_of_and_nothing_is_missing(posting_desk: Desk) -> None:
    """The one who is asked before a call is a process, so the call is judged, and the port is opened again by it."""
    desk = posting_desk
    desk.env["LEEBOARD_IDLE_SECONDS"] = "5"
    desk.write("end.sh", f"{fail(desk)}\n")
    limits = "Say one. Do not touch the db folder."
    script = Script(
        main=(
            use(bash("echo before")),
            use(bash("sh end.sh; echo during")),
            use(bash("echo after")),
            use(edit(desk.path("db/schema.sql"), "INTEGER", "TEXT")),
            use(bash("sleep 11")),
            say("Done."),
        )
    )
    run = desk.run(limits, script)
    desk.env["LEEBOARD_IDLE_SECONDS"] = "1"
    heard = [receipt.event for receipt in desk.receipts(run.session)]
    lines = b"".join(path.read_bytes() for path in desk.transcripts(run.session))
    assert b"hook_non_blocking_error" in lines, "the client met nobody"
    assert heard.count("PreToolUse") == 5
    assert desk.read("db/schema.sql") == PROJECT["db/schema.sql"], "no refusal is lost by it"
    with desk.store() as store:
        session = store.session(run.session)
    assert session is not None
    assert not any(one.open_calls for one in session.agents), "what came of every call is known"
    told = json.dumps([request.our_words for request in run.main])
    assert "ECONNREFUSED" not in told
    (status,) = desk.leeboard("status", "--json", code=1)
    (silence,) = status["silences"]
    assert "did not get through with all that it posts" in silence
    assert "were judged before they ran" in silence


def test_a_resident_that_hangs_is_ended_by_the_next_command(posting_desk: Desk) -> None:
    desk = posting_desk
    desk.env["LEEBOARD_IDLE_SECONDS"] = "5"
    desk.write("stop.sh", f"kill -STOP $(cut -d' ' -f1 {desk.folder}/run/*.lock)\n")
    script = Script(main=(use(bash("sh stop.sh")), use(bash("echo after")), say("Done.")))
    run = desk.run("Say after.", script)
    heard = [receipt.event for receipt in desk.receipts(run.session)]
    assert heard.count("PreToolUse") == 2
    assert heard.count("PostToolUse") == 1, "the first one met nobody who answered"
    assert heard.count("Stop") == 1
    session = desk.session(run.session)
    assert not any(one.open_calls for one in session.agents)
    (status,) = desk.leeboard("status", "--json", code=1)
    assert any("did not get through with all that it posts" in silence for silence in status["silences"])


def test_while_it_is_paused_nothing_is_judged_and_nothing_fails(posting_desk: Desk) -> None:
    posting_desk.leeboard("pause", "--reason", "a rehearsal", "--quiet")
    run = posting_desk.run("say one and two", SCRIPT)
    lines = b"".join(path.read_bytes() for path in posting_desk.transcripts(run.session))
    assert b"hook_non_blocking_error" not in lines
    assert not any(request.our_words for request in run.main)


def test_hooks_go_back_to_commands_and_away_while_a_session_runs(posting_desk: Desk) -> None:
    desk = posting_desk
    ours = f"cd {desk.repo} && PYTHONPATH={ROOT} {' '.join(f'{name}={value}' for name, value in desk.env.items())}"
    wait = bash("sleep 6")
    script = Script(
        main=(
            use(bash("echo posted")),
            use_after(f"{ours} {sys.executable} -m leeboard init --quiet", wait),
            use(bash("echo run")),
            use_after(f"{ours} {sys.executable} -m leeboard uninstall --quiet", wait),
            use(bash("echo unheard")),
            say("Done."),
        )
    )
    run = desk.run("Say it.", script)
    desk.wait_for_resident()
    assert not desk.settings.exists()
    assert not list((desk.state / "http").iterdir())
    told = {receipt.call for receipt in desk.receipts(run.session) if receipt.event == "PostToolUse"}
    asked = [receipt.call for receipt in desk.receipts(run.session) if receipt.event == "PreToolUse"]
    assert told >= {asked[0], asked[2]}, "posted, then by the command"
    assert not any("hook" in json.dumps(request.our_words) for request in run.main)
    (status,) = desk.leeboard("status", "--json", code=1)
    assert status["silences"] == []
