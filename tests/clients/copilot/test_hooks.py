"""By the client's documentation: it can not be run here."""

from __future__ import annotations

import pytest

from leeboard.clients.copilot.hooks import parse, render
from leeboard.model.event import ToolFinished, ToolProposed
from leeboard.model.verdict import Action
from tests.recorded_clients import loaded, payload, payloads, said


def test_a_documented_session_is_told_call_by_call() -> None:
    calls = [parse(line, 1.0) for line in payloads("copilot")]
    assert {(call.client, call.session, call.cwd) for call in calls} == {("copilot", "s-1", "/repo")}
    events = [event for call in calls for event in call.events]
    proposed = [event.call for event in events if isinstance(event, ToolProposed)]
    assert [(call.action, call.paths, call.command) for call in proposed] == [
        ("read", ("/repo/src/auth/token.ts",), ""),
        ("edit", ("/repo/db/schema.sql",), ""),
        ("write", ("/repo/a.py",), ""),
        ("bash", (), "npm test"),
        ("bash", (), "rm -rf dist"),
    ]
    assert proposed[1].edits[0].old == "users"
    done = [event for event in events if isinstance(event, ToolFinished)]
    assert [(event.outcome, event.output) for event in done] == [
        ("done", "export const lifetime = 60;\n"),
        ("failed", "1 failing"),
        ("failed", "timed out"),
    ]


@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit", "PostToolUse", "SessionEnd"])
def test_where_nothing_would_be_read_nothing_is_said(event: str) -> None:
    call = parse(payload("copilot", event), 1.0)
    assert Action.INJECT not in call.moment.actions
    assert render(said(Action.INJECT, briefing="more"), call) == b""


def test_a_refusal_is_said_in_the_way_of_both_agents_that_read_the_file() -> None:
    answer = loaded(render(said(Action.DENY), parse(payload("copilot", "PreToolUse"), 1.0)))
    decision = {"permissionDecision": "deny", "permissionDecisionReason": "words"}
    assert answer == {**decision, "hookSpecificOutput": {"hookEventName": "PreToolUse", **decision}}


def test_words_keep_the_agent_from_stopping() -> None:
    call = parse(payload("copilot", "Stop"), 1.0)
    assert loaded(render(said(Action.INJECT), call, for_person="x")) == {
        "decision": "block",
        "reason": "words",
        "systemMessage": "x",
    }
    assert render(said(Action.ALLOW, "", "only a briefing"), call) == b""
