"""Recorded sessions of Codex 0.166.0, and the shapes of older ones."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leeboard.clients.codex.rollout import CodexRolloutReader
from leeboard.model.event import (
    AgentStarted,
    ContextCompacted,
    Event,
    MessageSaid,
    PromptGiven,
    SessionStarted,
    ThoughtShown,
    ToolFinished,
    ToolProposed,
    TurnEnded,
)
from tools.mutate import mutated_stream, mutations

FOLDER = Path(__file__).parents[2] / "fixtures" / "transcripts"
NAMES = sorted(path.name for path in FOLDER.glob("codex-*.jsonl"))
MULTI_TOOL = (FOLDER / "codex-multi-tool.jsonl").read_bytes()

Json = dict[str, Any]


def told(data: bytes, *, started: bool = False) -> list[Event]:
    reader = CodexRolloutReader(started=started)
    return reader.feed(data) + reader.finish()


def tell(*records: Json) -> list[Event]:
    return told(b"\n".join(json.dumps(record).encode() for record in records), started=True)


def item(kind: str, **fields: object) -> Json:
    return {"timestamp": "2026-01-01T00:00:00Z", "type": "response_item", "payload": {"type": kind, **fields}}


def event_msg(kind: str, **fields: object) -> Json:
    return {"timestamp": "2026-01-01T00:00:00Z", "type": "event_msg", "payload": {"type": kind, **fields}}


def human(text: str, **fields: object) -> Json:
    return item("message", role="user", content=[{"type": "input_text", "text": text}], **fields)


def call(call_id: str, cmd: str = "ls", **arguments: object) -> Json:
    return item("function_call", name="exec_command", arguments=json.dumps({"cmd": cmd, **arguments}), call_id=call_id)


def output(call_id: str, text: str = "ok") -> Json:
    return item("function_call_output", call_id=call_id, output=text)


def prompts(events: list[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, PromptGiven)]


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_session_tells_exactly_what_is_expected(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    written = [
        msgspec.json.encode({"event": type(event).__name__, **msgspec.structs.asdict(event)}) for event in told(data)
    ]
    assert written == (FOLDER / "expected" / name).read_bytes().splitlines()


def test_calls_prompts_and_turns_of_a_session_with_many_tools() -> None:
    events = told(MULTI_TOOL)
    assert isinstance(events[0], SessionStarted)
    assert {(event.session, event.cwd) for event in events} == {("01a1e074-aa67-7f02-bef3-79811853f831", "/repo")}
    assert prompts(events) == ["fix add()"]
    assert [
        (event.call.action, event.call.command, event.outcome) for event in events if isinstance(event, ToolFinished)
    ] == [
        ("bash", "cat app.py", "done"),
        ("bash", "echo oops; exit 3", "failed"),
        ("other", "", "failed"),
        ("edit", "", "done"),
        ("bash", "echo a", "done"),
        ("bash", "echo b", "done"),
    ]
    assert [len(event.calls) for event in events if isinstance(event, TurnEnded)] == [1, 1, 1, 1, 2, 0]


def test_denials_of_a_session_with_hooks() -> None:
    events = told((FOLDER / "codex-hook-answers.jsonl").read_bytes())
    denied = [event.call.command for event in events if isinstance(event, ToolFinished) and event.outcome == "denied"]
    assert denied == ["echo CASE_deny", "echo CASE_exit2", "echo CASE_legacy"]
    assert prompts(events) == ["fix add()"]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, len(MULTI_TOOL)), max_size=10))
def test_any_split_of_the_bytes_tells_the_same(cuts: list[int]) -> None:
    reader = CodexRolloutReader()
    edges = [0, *sorted(cuts), len(MULTI_TOOL)]
    pieces = [MULTI_TOOL[start:end] for start, end in pairwise(edges)]
    assert [event for piece in pieces for event in reader.feed(piece)] + reader.finish() == told(MULTI_TOOL)


def test_the_bare_lines_of_old_files() -> None:
    lines: list[Json] = [
        {"id": "s1", "timestamp": "2025-06-01T00:00:00Z", "instructions": None},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "fix it"}]},
        {"record_type": "state"},
        {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "hm"}]},
        {"type": "local_shell_call", "call_id": "c", "action": {"type": "exec", "command": ["bash", "-lc", "ls"]}},
        {"type": "function_call_output", "call_id": "c", "output": '{"output": "a", "metadata": {"exit_code": 1}}'},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "done"}]},
    ]
    events = told(b"\n".join(json.dumps(line).encode() for line in lines))
    assert [type(event) for event in events] == [
        *(SessionStarted, PromptGiven, ThoughtShown, ToolProposed, ToolFinished, TurnEnded, MessageSaid, TurnEnded),
    ]
    assert {event.session for event in events} == {"s1"}
    finished = events[4]
    assert isinstance(finished, ToolFinished)
    assert (finished.call.command, finished.outcome, finished.output) == ("ls", "failed", "a")


def test_a_prompt_counts_once_whichever_of_its_records_are_there() -> None:
    echo = event_msg("user_message", message="fix it", images=[])
    completed = event_msg(
        "item_completed", item={"type": "UserMessage", "content": [{"type": "text", "text": "fix it"}]}
    )
    for records in (
        [human("fix it"), echo],
        [echo, human("fix it")],
        [human("fix it"), completed],
        [human("fix it")],
        [echo],
        [completed],
    ):
        assert prompts(tell(*records)) == ["fix it"]
    assert prompts(tell(human("go on"), echo, human("go on"))) == ["go on", "fix it", "go on"]


def test_words_that_are_not_the_humans_are_no_prompt() -> None:
    assert (
        prompts(
            tell(
                human("<environment_context>\n<cwd>/r</cwd>\n</environment_context>"),
                human("# AGENTS.md instructions for /r\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>"),
                human('<hook_prompt hook_run_id="stop:1">go on</hook_prompt>'),
                item("message", role="developer", content=[{"type": "input_text", "text": "be brief"}]),
            )
        )
        == []
    )


def test_a_turn_ends_where_the_next_response_begins() -> None:
    used = {"type": "token_usage_record", "payload": {"response_id": "r"}}
    events = tell(call("c1"), call("c2"), used, output("c1"), output("c2"), call("c3"), used, call("c4"))
    assert [event.calls for event in events if isinstance(event, TurnEnded)] == [("c1", "c2"), ("c3",), ("c4",)]


def test_without_usage_records_an_output_ends_the_response() -> None:
    events = tell(call("c1"), output("c1"), call("c2"), output("c2"), human("go on"))
    assert [event.calls for event in events if isinstance(event, TurnEnded)] == [("c1",), ("c2",)]


def test_a_call_runs_where_it_says() -> None:
    context = {"type": "turn_context", "payload": {"cwd": "/repo"}}
    events = tell(
        context, call("c1", workdir="sub"), output("c1"), call("c2", workdir="/else"), output("c2"), call("c3")
    )
    places = [event.cwd for event in events if isinstance(event, ToolProposed | ToolFinished)]
    assert places == ["/repo/sub", "/repo/sub", "/else", "/else", "/repo"]


def test_tools_of_servers_get_their_full_name() -> None:
    (proposed, _) = tell(
        item("function_call", name="echo", namespace="mcp__probe", arguments='{"text": "hi"}', call_id="c")
    )
    assert isinstance(proposed, ToolProposed)
    assert (proposed.call.tool, proposed.call.query) == ("mcp__probe__echo", "hi")


def test_a_hook_that_replaced_the_output_does_not_hide_a_failure() -> None:
    ran = event_msg("item_completed", item={"type": "CommandExecution", "id": "c1", "status": "failed", "exit_code": 3})
    finished = tell(call("c1"), ran, output("c1", "REASON"))[1]
    assert isinstance(finished, ToolFinished)
    assert finished.outcome == "failed"


def test_a_compaction_has_its_summary() -> None:
    history = [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "old words"}]}]
    events = tell({"type": "compacted", "payload": {"message": "so far", "replacement_history": history}})
    assert [event.summary for event in events if isinstance(event, ContextCompacted)] == ["so far"]
    assert prompts(events) == []


def test_a_sub_agent_has_a_file_of_its_own() -> None:
    meta = {"type": "session_meta", "payload": {"session_id": "root", "id": "thread", "cwd": "/r"}}
    parent = {"type": "session_meta", "payload": {"session_id": "root", "id": "root"}}
    events = told(b"\n".join(json.dumps(record).encode() for record in (meta, parent, call("c1"))))
    assert isinstance(events[0], AgentStarted)
    assert {(event.session, event.agent) for event in events} == {("root", "thread")}


@pytest.mark.parametrize("seed", range(20))
def test_no_broken_file_raises(seed: int) -> None:
    """About 75 broken lines each."""
    rng = Random(seed)
    lines = (FOLDER / rng.choice(NAMES)).read_bytes().splitlines()
    picked = [rng.choice(lines) for _ in range(6)]
    data = mutated_stream([*lines, *(broken for line in picked for broken in mutations(line, rng))], rng)
    events = told(data)
    msgspec.json.encode(events)
    keys = [event.key for event in events if event.key]
    assert len(keys) == len(set(keys))
