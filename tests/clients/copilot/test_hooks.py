"""Recorded from the command line; what Visual Studio Code tells otherwise is by its documentation."""

from __future__ import annotations

import json

import pytest

from leeboard.clients.copilot.hooks import parse, render
from leeboard.model.event import AgentEnded, AgentStarted, PromptGiven, Stopped, ToolFinished, ToolProposed
from leeboard.model.verdict import Action
from tests.recorded_clients import loaded, payload, payloads, said


def test_a_recorded_session_is_told_call_by_call() -> None:
    calls = [parse(line, 1.0) for line in payloads("copilot")]
    assert {(call.client, call.cwd) for call in calls} == {("copilot", "/repo")}
    assert len({call.session for call in calls}) == 1, "a sub-agent works in the session of who started it"
    events = [event for call in calls for event in call.events]
    proposed = [event.call for event in events if isinstance(event, ToolProposed)]
    assert [(call.action, call.paths, call.command) for call in proposed] == [
        ("read", ("/repo/src/auth/token.ts",), ""),
        ("read", ("/repo/db/schema.sql",), ""),
        ("edit", ("/repo/src/auth/token.ts",), ""),
        ("edit", ("/repo/db/schema.sql",), ""),
        ("edit", ("/repo/src/styles/theme.css",), ""),
        ("bash", (), "echo out; exit 3"),
        ("other", (), ""),
        ("bash", (), "echo sub"),
    ]
    lines = [event for event in events if isinstance(event, ToolFinished) and event.call.action == "bash"]
    assert [(event.outcome, event.output.strip()) for event in lines] == [("failed", "out"), ("done", "sub")]


def test_a_sub_agent_comes_works_and_goes_and_its_task_is_no_prompt() -> None:
    calls = [parse(line, 1.0) for line in payloads("copilot")]
    within = [call for call in calls if call.agent]
    assert [call.name for call in within] == [
        *("SubagentStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SubagentStop"),
    ]
    told = [type(event) for call in within for event in call.events]
    assert told == [AgentStarted, ToolProposed, ToolFinished, AgentEnded]
    assert [call.prompt for call in within] == [""] * 6
    own = [event for call in calls for event in call.events if isinstance(event, PromptGiven | Stopped)]
    assert [type(event) for event in own] == [PromptGiven, Stopped]


@pytest.mark.parametrize(
    ("told", "outcome", "output"),
    [
        ({"tool_result": {"result_type": "failure", "text_result_for_llm": "1 failing"}}, "failed", "1 failing"),
        ({"toolResult": {"resultType": "denied", "textResultForLlm": "no"}}, "denied", "no"),
        ({"tool_response": {"stdout": "fine"}}, "done", "fine"),
        ({"hook_event_name": "PostToolUseFailure", "error": "timed out"}, "failed", "timed out"),
    ],
)
def test_other_ways_to_tell_a_result_are_read(told: dict[str, object], outcome: str, output: str) -> None:
    named = {"sessionId": "s-1", "hook_event_name": "PostToolUse", "toolName": "bash", "toolArgs": '{"command":"x"}'}
    (event,) = parse(json.dumps(named | told).encode(), 1.0).events
    assert isinstance(event, ToolFinished)
    assert (event.outcome, event.output, event.call.command) == (outcome, output, "x")


@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit", "PostToolUse"])
def test_words_are_said_in_the_way_of_both_agents_that_read_the_file(event: str) -> None:
    call = parse(payload("copilot", event), 1.0)
    context = {"additionalContext": "words"}
    answer = {**context, "hookSpecificOutput": {"hookEventName": event, **context}}
    assert loaded(render(said(Action.INJECT), call)) == answer


def test_nothing_is_said_to_a_session_that_has_ended() -> None:
    assert render(said(Action.INJECT, briefing="more"), parse(payload("copilot", "SessionEnd"), 1.0)) == b""


def test_a_refusal_is_said_in_the_way_of_both_agents_that_read_the_file() -> None:
    answer = loaded(render(said(Action.DENY), parse(payload("copilot", "PreToolUse"), 1.0)))
    decision = {"permissionDecision": "deny", "permissionDecisionReason": "words"}
    assert answer == {**decision, "hookSpecificOutput": {"hookEventName": "PreToolUse", **decision}}


def test_words_keep_the_agent_from_stopping() -> None:
    call = parse(payload("copilot", "Stop", 1), 1.0)
    assert loaded(render(said(Action.INJECT), call, for_person="x")) == {
        "decision": "block",
        "reason": "words",
        "systemMessage": "x",
    }
    assert render(said(Action.ALLOW, "", "only a briefing"), call) == b""
