"""Streams of OpenAI Responses: calls, and the thoughts that led to them."""

from __future__ import annotations

import itertools
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.wire.rewriters import open_rewriter
from leeboard.wire.seam import CallRuling, Substitute, Usage
from tests.wire.answers import (
    custom_call,
    facts,
    frame,
    function_call,
    recorded,
    response,
    responses_stream,
    said,
    thought,
)
from tests.wire.carrying import Passed, Rulings, When, carry, cut_at, drive, one_by_one, withhold
from tests.wire.next_request import check_responses_history, check_responses_stream, events, next_responses
from tests.wire.sdk import read_responses

GROUPS = [
    thought("rs_1", "First I look – 😀."),
    function_call("c1", cmd="ls"),
    function_call("c2", cmd='echo "output_index": 1'),
    said("msg_1", "Now the patch."),
    thought("rs_2"),
    thought("rs_3"),
    custom_call("c3", "*** Begin Patch\n*** End Patch\n"),
]
PLAN = [said("msg_1", "I look."), function_call("c1", cmd="ls"), said("msg_2", "And then."), function_call("c2")]
SHAPES = {"groups": GROUPS, "plan": PLAN}
WHENS: tuple[When, ...] = ("at once", "next chunk", "at the end", "at the end, reversed")


def calls_of(items: list[dict[str, Any]]) -> list[str]:
    return [item["call_id"] for item in items if "call_id" in item]


CASES = [
    (name, chosen)
    for name, items in SHAPES.items()
    for size in range(len(calls_of(items)) + 1)
    for chosen in itertools.combinations(calls_of(items), size)
]


def carry_to_codex(chunks: list[bytes], rulings: Rulings) -> Passed:
    rewriter = open_rewriter(msgspec.structs.replace(facts("responses"), client="codex"), "text/event-stream")
    assert rewriter is not None
    return drive(rewriter, chunks, rulings, "at once", cut=False)


def ids(items: list[dict[str, Any]]) -> list[str]:
    return [item["id"] for item in items]


@pytest.mark.parametrize("path", recorded("responses"), ids=lambda path: path.stem)
@pytest.mark.parametrize("when", WHENS)
def test_a_released_stream_is_what_came_byte_for_byte(path: Any, when: When) -> None:
    data = path.read_bytes()
    for chunks in ([data], one_by_one(data)):
        assert carry("responses", chunks, None, when).data == data


@given(st.sampled_from(sorted(SHAPES)), st.lists(st.integers(1, 9000)), st.sampled_from(WHENS))
def test_the_same_in_chunks_of_any_size(name: str, cuts: list[int], when: When) -> None:
    data = responses_stream(SHAPES[name])
    assert carry("responses", cut_at(data, cuts), None, when).data == data


@pytest.mark.parametrize(("name", "chosen"), CASES)
@pytest.mark.parametrize("is_numbered", [True, False])
def test_whatever_is_withheld_the_conversation_goes_on(name: str, chosen: tuple[str, ...], is_numbered: bool) -> None:  # noqa: FBT001 - a parameter of the test
    items = SHAPES[name]
    data = responses_stream(items, is_numbered=is_numbered)
    passed = carry("responses", one_by_one(data), dict.fromkeys(chosen, withhold()))
    check_responses_stream(passed.data)
    if not is_numbered:
        return
    found = read_responses(passed.data)
    left = [call for call in calls_of(items) if call not in chosen]
    assert calls_of(found["output"]) == left
    check_responses_history(next_responses(found["output"]))
    assert found["status"] == "completed"
    assert found["usage"]["output_tokens"] == 20
    assert [item["content"][0]["text"] for item in found["output"] if item["type"] == "message"][-1] == (
        [item["content"][0]["text"] for item in items if item["type"] == "message"][-1]
        if left
        else "Stay with the task."
    )


@given(st.sampled_from(CASES), st.lists(st.integers(1, 9000)), st.sampled_from(WHENS))
def test_neither_chunks_nor_the_time_of_a_ruling_change_what_is_written(
    case: tuple[str, tuple[str, ...]], cuts: list[int], when: When
) -> None:
    name, chosen = case
    data = responses_stream(SHAPES[name])
    rulings = dict.fromkeys(chosen, withhold())
    assert carry("responses", cut_at(data, cuts), rulings, when).data == carry("responses", [data], rulings).data


def test_thoughts_go_with_the_last_of_their_calls() -> None:
    def left(*chosen: str) -> list[str]:
        passed = carry("responses", [responses_stream(GROUPS)], dict.fromkeys(chosen, withhold()))
        return ids(read_responses(passed.data)["output"])

    assert left("c1") == ["rs_1", "fc_c2", "msg_1", "rs_2", "rs_3", "ctc_c3"]
    assert left("c1", "c2") == ["msg_1", "rs_2", "rs_3", "ctc_c3"]
    assert left("c3") == ["rs_1", "fc_c1", "fc_c2", "msg_1"]


def test_codex_is_told_of_no_thought_that_led_to_nothing() -> None:
    """It keeps each item that is done, whatever the last event says."""
    passed = carry_to_codex(one_by_one(responses_stream(GROUPS)), {"c1": withhold(), "c2": withhold()})
    done = [fields["item"] for name, fields in events(passed.data) if name == "response.output_item.done"]
    assert ids(done) == ["msg_1", "rs_2", "rs_3", "ctc_c3"]
    check_responses_stream(passed.data)
    check_responses_history(next_responses(done))
    assert b"First I look" in passed.data


def test_thoughts_stream_at_once_and_are_done_with_what_they_lead_to() -> None:
    rewriter = open_rewriter(facts("responses"), "text/event-stream")
    assert rewriter is not None
    data = responses_stream([thought("rs_1"), said("msg_1", "So.")])
    end = data.index(b"\n\n", data.index(b"response.output_item.done")) + 2
    carried = rewriter.feed(data[:end])
    assert b"reasoning_summary_text.delta" in carried.data
    assert b"output_item.done" not in carried.data
    assert rewriter.holding
    follower = data.index(b"\n\n", end) + 2
    assert rewriter.feed(data[end:follower]).data.count(b"output_item.done") == 2
    assert not rewriter.holding


def test_what_a_call_is() -> None:
    items = [
        {**function_call("c1", text="x"), "name": "echo", "namespace": "mcp__probe"},
        custom_call("c2", "*** Begin Patch"),
        {**function_call("c3"), "arguments": '{"cmd": "ls'},
        {
            "type": "local_shell_call",
            "id": "ls_1",
            "call_id": "c4",
            "status": "completed",
            "action": {"type": "exec", "command": ["ls"]},
        },
    ]
    first, patch, cut_off, shell = carry("responses", [responses_stream(items)]).calls
    assert (first.name, first.input, first.index) == ("mcp__probe__echo", {"text": "x"}, 0)
    assert (patch.id, patch.input, patch.input_text) == ("c2", None, "*** Begin Patch")
    assert (cut_off.input, cut_off.input_text) == (None, '{"cmd": "ls')
    assert (shell.name, shell.input) == ("local_shell", {"type": "exec", "command": ["ls"]})


def test_what_the_model_thinks_and_says() -> None:
    passed = carry("responses", one_by_one(responses_stream(GROUPS)))
    assert passed.said("thinking") == "First I look – 😀.I think.I think."
    assert passed.said("text") == "Now the patch."
    assert passed.summary.usage == Usage(input=100, output=20, cache_read=60)


def test_a_substitute_has_the_ids_of_its_call() -> None:
    ruling = CallRuling("withhold", "No.", Substitute("read", {"path": "note.md"}))
    passed = carry(
        "responses", one_by_one(responses_stream(GROUPS)), {"c1": withhold(), "c2": withhold(), "c3": ruling}
    )
    check_responses_stream(passed.data)
    found = read_responses(passed.data)["output"]
    check_responses_history(next_responses(found))
    assert ids(found) == ["msg_1", "rs_2", "rs_3", "ctc_c3"]
    assert (found[-1]["type"], found[-1]["call_id"], found[-1]["name"]) == ("function_call", "c3", "read")
    assert found[-1]["arguments"] == '{"path":"note.md"}'


def test_a_call_that_only_the_end_has_is_held_too() -> None:
    created = frame("response.created", {"type": "response.created", "response": response([])})
    end = frame("response.completed", {"type": "response.completed", "response": response([function_call("c1")])})
    passed = carry("responses", [created, end], {"c1": withhold()})
    assert b"fc_c1" not in passed.data
    assert b"Stay with the task." in passed.data
    assert carry("responses", [created, end]).data == created + end


def test_a_call_that_is_done_without_having_been_added_is_held_too() -> None:
    done = {"type": "response.output_item.done", "output_index": 0, "item": function_call("c1")}
    end = frame("response.completed", {"type": "response.completed", "response": response([function_call("c1")])})
    data = frame("response.output_item.done", done) + end
    assert carry("responses", one_by_one(data)).data == data
    assert b"fc_c1" not in carry("responses", one_by_one(data), {"c1": withhold()}).data


def test_a_call_that_is_never_done_is_never_written() -> None:
    data = responses_stream([said("msg_1", "Hm."), function_call("c1", cmd="ls")])
    failed = frame("response.failed", {"type": "response.failed", "response": {"error": {"message": "overloaded"}}})
    cut = data[: data.index(b"event: response.function_call_arguments.done")]
    passed = carry("responses", one_by_one(cut + failed))
    assert passed.calls == []
    assert b"function_call" not in passed.data
    assert passed.data.endswith(failed)
    assert passed.summary.error == "overloaded"
    assert not passed.summary.is_complete


def test_an_error_goes_on_as_it_came() -> None:
    error = frame("error", {"type": "error", "code": "server_error", "message": "broken"})
    data = responses_stream(GROUPS)
    begun = data[: data.index(b"event: response.function_call_arguments.delta")]
    passed = carry("responses", [begun + error])
    assert passed.data.endswith(error)
    assert b"fc_c1" not in passed.data
    assert passed.summary.error == "broken"
