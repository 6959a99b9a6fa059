from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from leeboard.clients.claude_code.hook_events import read_events
from leeboard.clients.hook_input import HookInput
from leeboard.model.event import (
    AgentEnded,
    AgentStarted,
    ContextCompacted,
    Event,
    PromptGiven,
    SessionStarted,
    Stopped,
    TextEdit,
    TodosUpdated,
    ToolFinished,
    ToolProposed,
    TurnEnded,
)

FIXTURES = Path(__file__).parents[2] / "fixtures" / "hooks"


def fixture(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((FIXTURES / f"{name}.json").read_text(encoding="utf-8"))
    return loaded


def told(name: str, **changes: object) -> tuple[Event, ...]:
    fields = fixture(name) | changes
    return read_events(HookInput(session=fields["session_id"], fields=fields, now=7.0))


def only(events: tuple[Event, ...]) -> Event:
    (event,) = events
    return event


def finished(name: str, **changes: object) -> ToolFinished:
    event = only(told(name, **changes))
    assert isinstance(event, ToolFinished)
    return event


def proposed(name: str, **changes: object) -> ToolProposed:
    event = told(name, **changes)[0]
    assert isinstance(event, ToolProposed)
    return event


def test_shell_command_is_proposed() -> None:
    event = proposed("PreToolUse")
    assert event.key == "call:toolu_2a0f94c982fa478f9d283b"
    assert event.agent == ""
    assert (event.call.id, event.call.tool, event.call.action) == ("toolu_2a0f94c982fa478f9d283b", "Bash", "bash")
    assert event.call.command == "python3 app.py"


def test_edit_is_proposed() -> None:
    call = proposed("PreToolUse.edit").call
    assert (call.action, call.paths, call.edits) == ("edit", ("/repo/app.py",), (TextEdit("a - b", "a + b"),))


def test_todos_come_beside_their_call() -> None:
    first, second = told("PreToolUse.todos")
    assert isinstance(first, ToolProposed)
    assert isinstance(second, TodosUpdated)
    assert second.items == ("fix add", "run tests")
    assert second.key == "todos:toolu_9d7e54ec878042268c9744"


def test_task_of_the_client_is_a_todo() -> None:
    event = only(told("TaskCreated"))
    assert isinstance(event, TodosUpdated)
    assert (event.items, event.key) == (("Fix add",), "task:1")


def test_long_result_is_cut() -> None:
    assert len(finished("PostToolUse", tool_response={"stdout": "x" * 10_000_000}).output) == 200_000


def test_failure_carries_its_text() -> None:
    event = finished("PostToolUseFailure")
    assert (event.outcome, event.output) == ("failed", "Exit code 3\n1 failed, 2 passed")


def test_denial_by_the_client_is_no_failure() -> None:
    event = finished("PermissionDenied")
    assert (event.outcome, event.output) == ("denied", "auto mode classifier: runs downloaded code")


def test_batch_tells_of_the_calls_that_never_ran_and_then_ends_the_turn() -> None:
    *never_ran, end = told("PostToolBatch")
    ids = [entry["tool_use_id"] for entry in fixture("PostToolBatch")["tool_calls"]]
    assert isinstance(end, TurnEnded)
    assert (end.calls, end.key) == (tuple(ids), f"batch:{ids[0]}")
    assert [event.key for event in never_ran] == [
        *(f"result:{call_id}" for call_id in ids[1:-1]),
        f"call:{ids[-1]}",
        f"result:{ids[-1]}",
    ], "no hook told of the call that the client could make nothing of, the others have asked"
    outcomes = [event.outcome for event in never_ran if isinstance(event, ToolFinished)]
    assert outcomes == ["denied"] * 5 + ["failed"]


@pytest.mark.parametrize(
    "response",
    ["grep: hook error: in the middle", "notes: permission has been denied once", "PR 3 needs approval.", 5, None],
)
def test_output_that_only_speaks_of_denials_is_no_denial(response: object) -> None:
    entry = {"tool_name": "Bash", "tool_input": {}, "tool_use_id": "t1", "tool_response": response}
    end = only(told("PostToolBatch", tool_calls=[entry, "not a call"]))
    assert isinstance(end, TurnEnded)
    assert end.calls == ("t1",)


def test_prompt_holds_the_human_words_and_its_id() -> None:
    event = only(told("UserPromptSubmit"))
    assert isinstance(event, PromptGiven)
    assert event.text == "Fix the subtraction bug in app.py. Do not touch the tests."
    assert event.key == "prompt:b2a4c1de-77f0-4d0e-8a51-6c9f0e3d2b11"


def test_slash_command_is_split_off() -> None:
    event = only(told("UserPromptSubmit.command"))
    assert isinstance(event, PromptGiven)
    assert (event.command, event.text) == ("/fix-issue", "the add function")


def test_prompt_without_an_id_has_no_key() -> None:
    assert only(told("codex.UserPromptSubmit")).key == ""


@pytest.mark.parametrize(("name", "reason"), [("", "startup"), (".compact", "compact"), (".resume", "resume")])
def test_session_start_tells_why(name: str, reason: str) -> None:
    event = only(told(f"SessionStart{name}"))
    assert isinstance(event, SessionStarted)
    assert event.reason == reason


def test_compaction_is_told_once_with_its_summary() -> None:
    event = only(told("PostCompact"))
    assert isinstance(event, ContextCompacted)
    assert "Work on the task goes on." in event.summary
    assert told("PreCompact") == ()


def test_agent_comes_and_goes() -> None:
    came, went = only(told("SubagentStart")), only(told("SubagentStop"))
    assert isinstance(came, AgentStarted)
    assert isinstance(went, AgentEnded)
    assert came.agent_type == went.agent_type == "general-purpose"
    assert (came.key, went.key) == ("agent-started:ae10803bf0e4f76a6", "agent-ended:ae10803bf0e4f76a6")


def test_agent_that_ends_in_a_compaction_never_was() -> None:
    assert told("SubagentStop.phantom") == ()


def test_call_without_an_id_gets_the_same_one_before_and_after() -> None:
    before = proposed("PreToolUse", tool_use_id=None).call.id
    assert before.startswith("noid-")
    assert len(before) == len("noid-") + 16
    assert finished("PostToolUse", tool_use_id=3).call.id == before
    swapped = {"description": "run", "command": "python3 app.py"}
    assert proposed("PreToolUse", tool_use_id="", tool_input=swapped).call.id == before
    assert proposed("PreToolUse", tool_use_id=None, session_id="other").call.id != before


def test_stop_carries_the_last_words() -> None:
    event = only(told("Stop.active"))
    assert isinstance(event, Stopped)
    assert (event.already_blocked, event.text) == (True, "Done, again.")


def test_codex_calls_are_read_alike() -> None:
    assert proposed("codex.PreToolUse").call.command == "python3 app.py"
    assert proposed("codex.PreToolUse.patch").call.paths == ("app.py",)
    assert finished("codex.PostToolUse").output == "3\n"


@pytest.mark.parametrize("name", ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionDenied"])
def test_tool_without_name_and_id_is_nothing(name: str) -> None:
    assert told(name, tool_name=None, tool_use_id=None) == ()
