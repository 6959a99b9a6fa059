from __future__ import annotations

import json

import pytest

from leeboard.clients.gemini_cli.hooks import parse, render
from leeboard.errors import WireError
from leeboard.model.event import PromptGiven, ToolFinished, ToolProposed
from leeboard.model.verdict import Action
from tests.recorded_clients import loaded, payload, payloads, said


def test_a_recorded_session_is_told_call_by_call() -> None:
    calls = [parse(line, 1.0) for line in payloads("gemini_cli")]
    assert [call.kind for call in calls] == [
        *("start", "prompt", "before_call", "before_call", "after_call", "after_call"),
        *("before_call", "after_call", "before_call", "before_call", "after_call", "before_call", "after_call"),
        *("stop", "end"),
    ]
    assert {(call.client, call.session, call.cwd, call.transcript) for call in calls} == {
        ("gemini_cli", calls[0].session, "/repo", "")
    }
    (prompt,) = calls[1].events
    assert isinstance(prompt, PromptGiven)
    assert prompt.text.startswith("Fix the auth bug")
    done = [event for call in calls for event in call.events if isinstance(event, ToolFinished)]
    assert [(event.call.action, event.outcome) for event in done] == [
        *(("read", "done"), ("read", "done"), ("edit", "done"), ("edit", "done"), ("bash", "failed")),
    ]
    assert "Exit Code: 3" in done[-1].output
    assert "untrusted_context" not in done[-1].output
    assert calls[-2].last_message.strip() == "Done."


def test_a_call_and_its_result_have_one_name_though_the_client_gives_none() -> None:
    proposed, finished = (parse(payload("gemini_cli", name, 2), 1.0).events[0] for name in ("BeforeTool", "AfterTool"))
    assert isinstance(proposed, ToolProposed)
    assert isinstance(finished, ToolFinished)
    assert proposed.call.id == finished.call.id
    assert proposed.key == finished.key == ""


def test_a_refusal_is_never_a_question() -> None:
    call = parse(payload("gemini_cli", "BeforeTool"), 1.0)
    assert Action.ASK not in call.moment.actions
    assert loaded(render(said(Action.DENY), call)) == {"decision": "deny", "reason": "words"}
    assert render(said(Action.ASK), call) == b""


@pytest.mark.parametrize(
    ("event", "answer"),
    [
        ("AfterTool", {"hookSpecificOutput": {"hookEventName": "AfterTool", "additionalContext": "words"}}),
        ("BeforeAgent", {"hookSpecificOutput": {"hookEventName": "BeforeAgent", "additionalContext": "words"}}),
        ("AfterAgent", {"decision": "deny", "reason": "words"}),
        ("SessionEnd", None),
    ],
)
def test_words_go_where_the_client_hands_them_on(event: str, answer: object) -> None:
    assert loaded(render(said(Action.INJECT), parse(payload("gemini_cli", event), 1.0))) == answer


def test_one_that_was_kept_going_may_stop() -> None:
    told = {**json.loads(payload("gemini_cli", "AfterAgent")), "stop_hook_active": True}
    call = parse(json.dumps(told).encode(), 1.0)
    assert call.kept_going
    assert render(said(Action.INJECT), call) == b""


def test_our_own_words_are_nobodys_prompt() -> None:
    """What keeps the agent going comes back as a prompt."""
    told = {**json.loads(payload("gemini_cli", "BeforeAgent")), "prompt": '<leeboard level="halt">\nStop.\n</leeboard>'}
    assert parse(json.dumps(told).encode(), 1.0).events == ()


def test_a_tool_of_a_server_is_named_as_everywhere() -> None:
    told = json.loads(payload("gemini_cli", "BeforeTool")) | {
        "tool_name": "mcp_db_query",
        "mcp_context": {"server_name": "db", "tool_name": "query"},
    }
    (proposed,) = parse(json.dumps(told).encode(), 1.0).events
    assert isinstance(proposed, ToolProposed)
    assert proposed.call.tool == "mcp__db__query"


@pytest.mark.parametrize("broken", [b"", b"[]", b"{}", b'{"session_id": 1}', b"\xff\x00", b'{"a":' * 9000])
def test_what_is_no_payload_is_a_wire_error(broken: bytes) -> None:
    with pytest.raises(WireError):
        parse(broken, 1.0)
