"""Streams of Anthropic Messages: every choice of withheld calls leaves a message that the SDK reads and the API takes."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.wire.anthropic import read_usage
from leeboard.wire.seam import CallRuling, Substitute, Usage
from tests.wire.answers import anthropic_stream, frame, recorded, text_block, thinking, tool_use
from tests.wire.carrying import When, carry, cut_at, one_by_one, withhold
from tests.wire.next_request import (
    check_anthropic_history,
    check_anthropic_stream,
    events,
    next_anthropic,
    thoughts_of,
)
from tests.wire.sdk import read_anthropic

THREE = [
    thinking("The user wants it mended. “é”"),
    text_block("I look, run and mend."),
    tool_use("t1", "Read", file_path="a.py"),
    tool_use("t2", "Bash", command="ls – 😀"),
    tool_use("t3", "Edit", file_path="a.py", old_string='"index": 1', new_string="x"),
]
INTERLEAVED = [
    thinking("One.", "AAAA"),
    {"type": "redacted_thinking", "data": "ZGF0YQ=="},
    tool_use("t1", "Read", file_path="a.py"),
    thinking("Two.", "BBBB"),
    text_block("Between."),
    tool_use("t2", "Bash", command="ls"),
]
TOOL_FIRST = [tool_use("t1", command="ls"), text_block("I have run it.")]
EMPTY_INPUT = [tool_use("t1", "TaskList"), tool_use("t2", "TaskList")]
SERVER_TOOL = [
    text_block("I search."),
    {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}},
    {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
    tool_use("t1", command="ls"),
]
SHAPES = {
    "three": THREE,
    "interleaved": INTERLEAVED,
    "tool first": TOOL_FIRST,
    "empty input": EMPTY_INPUT,
    "server tool": SERVER_TOOL,
}
WHENS: tuple[When, ...] = ("at once", "next chunk", "at the end", "at the end, reversed")


def calls_of(blocks: list[dict[str, Any]]) -> list[str]:
    return [block["id"] for block in blocks if block["type"] == "tool_use"]


def choices(blocks: list[dict[str, Any]]) -> list[tuple[str, ...]]:
    ids = calls_of(blocks)
    return [chosen for size in range(len(ids) + 1) for chosen in itertools.combinations(ids, size)]


CASES = [(name, chosen) for name, blocks in SHAPES.items() for chosen in choices(blocks)]


@pytest.mark.parametrize("path", recorded("anthropic"), ids=lambda path: path.stem)
@pytest.mark.parametrize("when", WHENS)
def test_a_released_stream_is_what_came_byte_for_byte(path: Any, when: When) -> None:
    data = path.read_bytes()
    for chunks in ([data], one_by_one(data)):
        assert carry("anthropic", chunks, None, when).data == data


@given(st.sampled_from(recorded("anthropic")), st.lists(st.integers(1, 4000)), st.sampled_from(WHENS))
def test_the_same_in_chunks_of_any_size(path: Any, cuts: list[int], when: When) -> None:
    data = path.read_bytes()
    assert carry("anthropic", cut_at(data, cuts), None, when).data == data


@pytest.mark.parametrize(("name", "chosen"), CASES)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_whatever_is_withheld_the_conversation_goes_on(name: str, chosen: tuple[str, ...], end: str) -> None:
    blocks = SHAPES[name]
    data = anthropic_stream(blocks, end=end)
    passed = carry("anthropic", one_by_one(data), dict.fromkeys(chosen, withhold()))
    message = read_anthropic(passed.data)
    left = [call for call in calls_of(blocks) if call not in chosen]
    check_anthropic_stream(passed.data)
    kinds = [block["type"] for block in blocks if block.get("id") not in chosen]
    if not left or set(kinds[kinds.index("tool_use") :]) == {"tool_use"}:
        # What a model itself writes after a call is not ours to move.
        check_anthropic_history(next_anthropic(message))
    assert calls_of(message["content"]) == left
    assert message["stop_reason"] == ("tool_use" if left else "end_turn")
    assert message["usage"] == read_anthropic(data)["usage"]
    assert thoughts_of(passed.data) == thoughts_of(data)
    assert passed.summary.withheld == chosen
    inputs = {block["id"]: block["input"] for block in blocks if block["type"] == "tool_use"}
    assert {block["id"]: block["input"] for block in message["content"] if block["type"] == "tool_use"} == {
        call: inputs[call] for call in left
    }
    if chosen and not left:
        assert message["content"][-1]["text"] == "Stay with the task."


@given(st.sampled_from(CASES), st.lists(st.integers(1, 6000)), st.sampled_from(WHENS))
def test_neither_chunks_nor_the_time_of_a_ruling_change_what_is_written(
    case: tuple[str, tuple[str, ...]], cuts: list[int], when: When
) -> None:
    name, chosen = case
    data = anthropic_stream(SHAPES[name])
    rulings = dict.fromkeys(chosen, withhold())
    whole = carry("anthropic", [data], rulings).data
    assert carry("anthropic", cut_at(data, cuts), rulings, when).data == whole


def test_text_and_thinking_go_on_at_once_and_a_call_does_not() -> None:
    data = anthropic_stream(THREE)
    before, begun, _ = data.partition(
        b"event: content_block_start\ndata: " + json.dumps({"type": "content_block_start"}).encode()[:-1]
    )
    assert begun
    passed = carry("anthropic", [data[: data.index(b'"tool_use"')]], cut=True)
    assert b"I look, run" in passed.data
    assert b"mended" in passed.data
    assert before
    assert b"tool_use" not in passed.data


def test_what_a_call_is() -> None:
    passed = carry(
        "anthropic", [anthropic_stream([*THREE, {**tool_use("t4"), "raw": '{"command": "ls'}], "max_tokens")]
    )
    read, bash, _, cut_off = passed.calls
    assert (read.id, read.name, read.input, read.index) == ("t1", "Read", {"file_path": "a.py"}, 2)
    assert json.loads(bash.input_text) == {"command": "ls – 😀"} == bash.input
    assert cut_off.input is None
    assert cut_off.input_text == '{"command": "ls'
    assert passed.said("thinking") == "The user wants it mended. “é”"
    assert passed.said("text") == "I look, run and mend."
    assert [part.index for part in passed.reasoning] == [0, 1]


@pytest.mark.parametrize("reason", ["max_tokens", "refusal", "pause_turn", "model_context_window_exceeded"])
def test_other_reasons_to_stop_are_kept(reason: str) -> None:
    data = anthropic_stream(THREE, reason)
    passed = carry("anthropic", [data], lambda _: withhold())
    check_anthropic_stream(passed.data)
    assert read_anthropic(passed.data)["stop_reason"] == reason
    assert passed.summary.stop_reason == reason


@pytest.mark.parametrize("chosen", [(), ("t4",), ("t1",), ("t1", "t4")])
def test_arguments_that_max_tokens_has_cut_off(chosen: tuple[str, ...]) -> None:
    blocks = [text_block("I run."), tool_use("t1", command="ls"), {**tool_use("t4"), "raw": '{"command": "rm -r'}]
    data = anthropic_stream(blocks, "max_tokens")
    passed = carry("anthropic", one_by_one(data), dict.fromkeys(chosen, withhold()))
    check_anthropic_stream(passed.data)
    assert [call.unreadable for call in passed.calls] == ["", "they are no JSON"]
    assert (b"rm -r" in passed.data) is ("t4" not in chosen)
    if "t4" in chosen:  # else the SDK refuses the stream: it can not read the arguments either
        found = read_anthropic(passed.data)
        assert found["stop_reason"] == "max_tokens"
        assert calls_of(found["content"]) == [call for call in ("t1",) if call not in chosen]
        check_anthropic_history(next_anthropic(found))
    if not chosen:
        assert passed.data == data


def test_words_of_several_rulings_are_said_once_each() -> None:
    rulings = {"t1": withhold("Not that file."), "t2": withhold("Not now."), "t3": withhold("Not now.")}
    message = read_anthropic(carry("anthropic", [anthropic_stream(THREE)], rulings).data)
    assert message["content"][-1]["text"] == "Not that file.\n\nNot now."


def test_a_substitute_has_the_id_and_the_place_of_its_call() -> None:
    substitute = CallRuling("withhold", "No.", Substitute("Read", {"file_path": "note.md"}))
    rulings = {"t1": withhold(), "t2": substitute, "t3": withhold()}
    passed = carry("anthropic", one_by_one(anthropic_stream(THREE)), rulings)
    message = read_anthropic(passed.data)
    check_anthropic_stream(passed.data)
    check_anthropic_history(next_anthropic(message))
    assert message["content"][-1] == tool_use("t2", "Read", file_path="note.md")
    assert message["stop_reason"] == "tool_use"
    assert passed.summary.substituted == ("t2",)


def test_events_and_fields_that_nobody_knows_pass() -> None:
    new = frame("content_block_hint", {"type": "content_block_hint", "index": 2, "new": [1.50, None]})
    data = anthropic_stream(THREE).replace(b"event: message_delta", new + b"event: message_delta")
    data = data.replace(b'"content_block": {', b'"novel": {"a": 1e2}, "content_block": {')
    passed = carry("anthropic", [data], {"t1": withhold()})
    assert new in passed.data
    assert all(fields["novel"] == {"a": 100.0} for name, fields in events(passed.data) if name == "content_block_start")


def test_frames_without_a_name_are_read_by_their_type() -> None:
    data = b"".join(line + b"\n" for line in anthropic_stream(THREE).split(b"\n") if not line.startswith(b"event:"))[
        :-1
    ]
    passed = carry("anthropic", one_by_one(data), dict.fromkeys(("t1", "t2", "t3"), withhold()))
    assert b"Stay with the task." in passed.data
    assert b'"name": "Bash"' not in passed.data
    assert carry("anthropic", one_by_one(data)).data == data


def test_gaps_in_the_numbers_of_upstream_are_kept() -> None:
    data = anthropic_stream(THREE).replace(b'"index": 4', b'"index": 9')
    assert carry("anthropic", [data]).data == data
    passed = carry("anthropic", [data], {"t1": withhold()})
    assert [fields["index"] for name, fields in events(passed.data) if name == "content_block_start"] == [0, 1, 2, 8]


def test_a_call_without_its_end_is_complete_when_the_message_is() -> None:
    data = anthropic_stream([tool_use("t1", command="ls")])
    stop = frame("content_block_stop", {"type": "content_block_stop", "index": 0})
    assert stop in data
    data = data.replace(stop, b"")
    passed = carry("anthropic", one_by_one(data), {"t1": withhold()})
    assert [call.input for call in passed.calls] == [{"command": "ls"}]
    assert read_anthropic(passed.data)["stop_reason"] == "end_turn"
    assert carry("anthropic", one_by_one(data)).data == data


def test_the_cost_is_as_the_provider_tells_it() -> None:
    passed = carry("anthropic", [anthropic_stream(THREE)])
    assert passed.summary.usage == Usage(input=120, output=77, cache_read=90, cache_creation=7)
    assert read_usage({"output_tokens": "many"}, Usage(output=3)) == Usage(output=3)
    assert passed.summary.is_complete
