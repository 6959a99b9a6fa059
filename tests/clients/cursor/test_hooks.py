"""By the client's documentation: it can not be run here."""

from __future__ import annotations

import pytest

from leeboard.clients import claude_code
from leeboard.clients.cursor import CLIENT
from leeboard.clients.cursor.hooks import parse, render
from leeboard.model.event import AgentStarted, ToolFinished, ToolProposed
from leeboard.model.verdict import Action
from tests.recorded_clients import loaded, payload, payloads, said


def test_a_documented_session_is_told_call_by_call() -> None:
    calls = [parse(line, 1.0) for line in payloads("cursor")]
    assert {(call.client, call.session, call.cwd) for call in calls} == {("cursor", "c-1", "/repo")}
    assert [call.kind for call in calls] == [
        *("start", "prompt", "before_call", "after_call", "before_call", "call_failed", "before_call", "before_call"),
        *("call_failed", "before_call", "agent_start", "agent_stop", "stop", "stop", "end"),
    ]
    events = [event for call in calls for event in call.events]
    proposed = [event.call for event in events if isinstance(event, ToolProposed)]
    assert [(call.id, call.action, call.paths) for call in proposed] == [
        ("t1", "read", ("/repo/src/auth/token.ts",)),
        ("t2", "write", ("/repo/db/schema.sql",)),
        ("t3", "bash", ()),
        ("t4", "bash", ()),
        ("t5", "other", ()),
    ]
    assert [call.command for call in proposed[2:4]] == ["rm -- /repo/db/schema.sql", "npm test"]
    assert proposed[4].tool == "mcp__db query"
    done = [event for event in events if isinstance(event, ToolFinished)]
    assert [(event.outcome, event.output) for event in done] == [
        ("done", "export const lifetime = 60;\n"),
        ("denied", "denied by a hook"),
        ("failed", "exit code 1"),
    ]
    assert [event.agent for event in events if isinstance(event, AgentStarted)] == ["a1"]
    assert [call.kept_going for call in calls if call.kind == "stop"] == [False, True]


@pytest.mark.parametrize(
    ("event", "action", "answer"),
    [
        ("postToolUse", Action.INJECT, {"additional_context": "words"}),
        ("sessionStart", Action.INJECT, {"additional_context": "words"}),
        ("stop", Action.INJECT, {"followup_message": "words"}),
        ("beforeSubmitPrompt", Action.INJECT, None),
        ("preToolUse", Action.ASK, None),
    ],
)
def test_words_go_where_the_client_hands_them_on(event: str, action: Action, answer: object) -> None:
    assert loaded(render(said(action), parse(payload("cursor", event), 1.0))) == answer


def test_a_refusal_is_told_to_both_and_shown_once() -> None:
    call = parse(payload("cursor", "preToolUse", 1), 1.0)
    answer = loaded(render(said(Action.DENY), call, for_person="seen"))
    assert (answer["permission"], answer["agent_message"], answer["user_message"]) == ("deny", "words", "words")
    assert loaded(CLIENT.telling_person(b"", "seen")) == {"user_message": "seen"}


def test_a_line_of_claude_codes_settings_tells_the_same_call() -> None:
    """So that it is judged once, whichever of the two lines comes first."""
    for line in payloads("cursor"):
        ours, theirs = parse(line, 1.0), claude_code.parse(line, 1.0)
        assert (theirs.client, theirs.events, theirs.moment) == ("cursor", ours.events, ours.moment)
    renamed = payload("cursor", "preToolUse").replace(b"preToolUse", b"PreToolUse")
    assert claude_code.parse(renamed, 1.0).events == parse(payload("cursor", "preToolUse"), 1.0).events
