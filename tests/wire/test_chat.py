"""Streams of Chat Completions: calls in pieces, several choices, and the old way of calling."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.wire.chat import read_usage
from leeboard.wire.seam import CallRuling, Substitute, Usage
from tests.wire.answers import chat_call, chat_stream, chat_usage, chunk, frame, recorded
from tests.wire.carrying import When, carry, cut_at, one_by_one, withhold
from tests.wire.next_request import check_chat_history, check_chat_stream, events
from tests.wire.sdk import read_chat

CALLS = [("a", "bash", '{"command": "ls – 😀"}'), ("b", "edit", '{"path": "x"}'), ("c", "todo", "{}")]
DONE = b"data: [DONE]\n\n"
WHENS: tuple[When, ...] = ("at once", "next chunk", "at the end", "at the end, reversed")
CHOICES = [chosen for size in range(4) for chosen in itertools.combinations("abc", size)]


def calls_of(completion: dict[str, Any], choice: int = 0) -> list[str]:
    return [call["id"] for call in completion["choices"][choice]["message"].get("tool_calls") or []]


@pytest.mark.parametrize("path", recorded("chat"), ids=lambda path: path.stem)
@pytest.mark.parametrize("when", WHENS)
def test_a_released_stream_is_what_came_byte_for_byte(path: Any, when: When) -> None:
    data = path.read_bytes()
    for chunks in ([data], one_by_one(data)):
        assert carry("chat", chunks, None, when).data == data


@given(st.lists(st.integers(1, 4000)), st.sampled_from(WHENS))
def test_the_same_in_chunks_of_any_size(cuts: list[int], when: When) -> None:
    data = chat_stream("I look.", CALLS)
    assert carry("chat", cut_at(data, cuts), None, when).data == data


@pytest.mark.parametrize("chosen", CHOICES)
@pytest.mark.parametrize("text", ["I look – 😀.", ""])
def test_whatever_is_withheld_the_conversation_goes_on(chosen: tuple[str, ...], text: str) -> None:
    passed = carry("chat", one_by_one(chat_stream(text, CALLS)), dict.fromkeys(chosen, withhold()))
    check_chat_stream(passed.data)
    found = read_chat(passed.data)
    check_chat_history(found)
    assert calls_of(found) == [call for call in "abc" if call not in chosen]
    arguments = {
        call["id"]: call["function"]["arguments"] for call in found["choices"][0]["message"]["tool_calls"] or ()
    }
    assert arguments == {call: written for call, _, written in CALLS if call not in chosen}
    said = found["choices"][0]["message"]["content"]
    assert said.strip() == (f"{text}\n\nStay with the task.".strip() if len(chosen) == 3 else text)
    assert found["usage"] == read_chat(chat_stream(text, CALLS))["usage"]
    assert all(told["id"] == "chatcmpl-1" and told["model"] == "gpt" for _, told in events(passed.data))


@given(st.sampled_from(CHOICES), st.lists(st.integers(1, 4000)), st.sampled_from(WHENS))
def test_neither_chunks_nor_the_time_of_a_ruling_change_what_is_written(
    chosen: tuple[str, ...], cuts: list[int], when: When
) -> None:
    data = chat_stream("I look.", CALLS)
    rulings = dict.fromkeys(chosen, withhold())
    assert carry("chat", cut_at(data, cuts), rulings, when).data == carry("chat", [data], rulings).data


def test_what_a_call_is() -> None:
    passed = carry("chat", one_by_one(chat_stream("I look.", [*CALLS, ("d", "bash", '{"cut')])))
    first, *_, cut_off = passed.calls
    assert (first.id, first.name, first.input, first.index) == ("a", "bash", {"command": "ls – 😀"}, 0)
    assert (cut_off.input, cut_off.input_text, cut_off.index) == (None, '{"cut', 3)
    assert passed.said("text") == "I look."
    assert passed.summary.usage == Usage(input=100, output=20, cache_read=64)
    assert passed.summary.stop_reason == "tool_calls"
    assert passed.summary.is_complete


def test_pieces_of_several_calls_may_be_mixed() -> None:
    pieces = [list(chat_call(at, call, name, written)) for at, (call, name, written) in enumerate(CALLS)]
    mixed = [piece for row in itertools.zip_longest(*pieces) for piece in row if piece]
    data = b"".join((chunk({"role": "assistant"}), *mixed, chunk({}, "tool_calls"), DONE))
    assert carry("chat", one_by_one(data)).data == data
    passed = carry("chat", one_by_one(data), {"b": withhold()})
    assert [call.input for call in passed.calls] == [{"command": "ls – 😀"}, {"path": "x"}, {}]
    assert calls_of(read_chat(passed.data)) == ["a", "c"]


def test_choices_are_judged_each_by_itself() -> None:
    parts = [chunk({"role": "assistant", "content": "Hm."}, None, choice) for choice in (0, 1)]
    parts += [*chat_call(0, "a", "bash", "{}", 0), *chat_call(0, "b", "bash", "{}", 1)]
    parts += [chunk({}, "tool_calls", 0), chunk({}, "tool_calls", 1), chat_usage(), DONE]
    data = b"".join(parts)
    assert carry("chat", one_by_one(data)).data == data
    passed = carry("chat", one_by_one(data), {"a": withhold()})
    check_chat_stream(passed.data)
    found = read_chat(passed.data)
    check_chat_history(found)
    assert (calls_of(found, 0), calls_of(found, 1)) == ([], ["b"])
    assert [choice["finish_reason"] for choice in found["choices"]] == ["stop", "tool_calls"]


def test_choices_may_share_a_frame() -> None:
    def shared(reason: str | None, *deltas: dict[str, Any]) -> bytes:
        choices = [{"index": at, "delta": delta, "finish_reason": reason} for at, delta in enumerate(deltas)]
        return frame("", {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": choices})

    call = {"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}
    data = shared(None, call, {"content": "I only talk."}) + shared("stop", {}, {}) + DONE
    assert carry("chat", one_by_one(data)).data == data
    found = read_chat(carry("chat", one_by_one(data), {"a": withhold()}).data)
    assert calls_of(found) == []
    assert found["choices"][1]["message"]["content"] == "I only talk."


def test_calls_words_and_reason_in_one_frame_are_taken_apart() -> None:
    call = {"index": 0, "id": "a", "type": "function", "function": {"name": "bash", "arguments": "{}"}}
    other = {"index": 1, "id": "b", "type": "function", "function": {"name": "read", "arguments": "{}"}, "extra": 7}
    usage = {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}
    data = chunk({"role": "assistant", "content": "Hm.", "tool_calls": [call, other]}, "tool_calls", usage=usage) + DONE
    assert carry("chat", [data]).data == data
    passed = carry("chat", [data], {"a": withhold()})
    check_chat_stream(passed.data)
    found = read_chat(passed.data)
    assert calls_of(found) == ["b"]
    assert found["choices"][0]["message"]["content"] == "Hm."
    assert found["usage"]["total_tokens"] == 3
    assert b'"extra":7' in passed.data


def test_the_old_way_of_calling() -> None:
    parts = [chunk({"role": "assistant", "content": None, "function_call": {"name": "bash", "arguments": ""}})]
    parts += [chunk({"function_call": {"arguments": piece}}) for piece in ('{"a"', ": 1}")]
    data = b"".join((*parts, chunk({}, "function_call"), DONE))
    passed = carry("chat", one_by_one(data))
    assert passed.data == data
    assert [(call.name, call.input) for call in passed.calls] == [("bash", {"a": 1})]
    passed = carry("chat", one_by_one(data), lambda _: withhold())
    assert b"function_call" not in passed.data
    assert read_chat(passed.data)["choices"][0]["finish_reason"] == "stop"
    swapped = carry("chat", [data], lambda _: CallRuling("withhold", "No.", Substitute("read", {})))
    assert read_chat(swapped.data)["choices"][0]["message"]["function_call"] == {"name": "read", "arguments": "{}"}


def test_a_custom_call_stays_one() -> None:
    custom = {"index": 0, "id": "p", "type": "custom", "custom": {"name": "patch", "input": ""}}
    parts = [chunk({"tool_calls": [custom]}), chunk({"tool_calls": [{"index": 0, "custom": {"input": "*** Begin"}}]})]
    parts += chat_call(1, "a", "bash", "{}")
    data = b"".join((*parts, chunk({}, "tool_calls"), DONE))
    passed = carry("chat", one_by_one(data), {"a": withhold()})
    patch = passed.calls[0]
    assert (patch.name, patch.input, patch.input_text) == ("patch", None, "*** Begin")
    [left] = [
        delta["tool_calls"]
        for _, told in events(passed.data)
        if (delta := told["choices"][0]["delta"]).get("tool_calls")
    ]
    assert left == [{**custom, "custom": {"name": "patch", "input": "*** Begin"}}]


def test_a_substitute_has_the_id_of_its_call() -> None:
    ruling = CallRuling("withhold", "No.", Substitute("read", {"path": "note.md"}))
    passed = carry("chat", [chat_stream("", CALLS)], {"a": ruling, "b": withhold(), "c": withhold()})
    found = read_chat(passed.data)
    check_chat_history(found)
    [call] = found["choices"][0]["message"]["tool_calls"]
    assert (call["id"], call["function"]["name"], call["function"]["arguments"]) == ("a", "read", '{"path":"note.md"}')


def test_calls_without_numbers_are_told_apart_by_their_ids() -> None:
    def numberless(call_id: str) -> bytes:
        return chunk(
            {"tool_calls": [{"id": call_id, "type": "function", "function": {"name": "f", "arguments": "{}"}}]}
        )

    data = numberless("a") + numberless("b") + chunk({}, "tool_calls") + DONE
    passed = carry("chat", one_by_one(data), {"a": withhold()})
    assert [call.id for call in passed.calls] == ["a", "b"]
    assert calls_of(read_chat(passed.data)) == ["b"]


def test_calls_without_a_reason_to_finish_are_complete_at_the_end() -> None:
    data = b"".join((*chat_call(0, "a", "bash", "{}"), DONE))
    assert carry("chat", one_by_one(data)).data == data
    assert b'"bash"' not in carry("chat", one_by_one(data), {"a": withhold()}).data


def test_nothing_is_decoded_in_a_frame_that_says_it_has_no_call() -> None:
    """The text may quote what a call looks like."""
    data = chat_stream('{"tool_calls": [], "finish_reason": null} data: {\n\n', [], "stop")
    passed = carry("chat", one_by_one(data))
    assert passed.data == data
    assert passed.said("text") == '{"tool_calls": [], "finish_reason": null} data: {\n\n'


def test_thinking_of_providers_that_show_it() -> None:
    data = chunk({"reasoning_content": "Hm."}) + chunk({"content": "So."}) + chunk({}, "stop") + DONE
    passed = carry("chat", [data])
    assert (passed.said("thinking"), passed.said("text")) == ("Hm.", "So.")


def test_an_error_in_the_stream_goes_on_and_the_calls_before_it_do_not() -> None:
    error = frame("", {"error": {"message": "overloaded", "type": "server_error"}})
    passed = carry("chat", [b"".join(chat_call(0, "a", "bash", "{}")) + error])
    assert passed.data == error
    assert passed.summary.error == "overloaded"
    assert not passed.summary.is_complete


def test_the_cost_where_it_is_not_told() -> None:
    assert read_usage({}) == Usage()
