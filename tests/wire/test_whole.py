"""Answers that come whole: the very bytes where nothing is withheld, and the same rules where something is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from leeboard.wire.rewriters import open_rewriter
from leeboard.wire.seam import Api, CallRuling, ResponseRewriter, Substitute, Usage
from tests.wire.answers import (
    RECORDED,
    custom_call,
    facts,
    function_call,
    message,
    response,
    said,
    text_block,
    thinking,
    thought,
    tool_use,
)
from tests.wire.carrying import Passed, Rulings, cut_at, drive, withhold
from tests.wire.next_request import (
    check_anthropic_history,
    check_chat_history,
    check_responses_history,
    next_anthropic,
    next_responses,
)

MESSAGE = message([thinking("Hm."), text_block("I look."), tool_use("a", command="ls"), tool_use("b", "Read", p="é")])
ITEMS = [thought("rs_1"), function_call("a", cmd="ls"), said("m", "So."), thought("rs_2"), custom_call("b", "patch")]
RESPONSE = response(ITEMS)
CALLS = [
    {"id": "a", "type": "function", "function": {"name": "bash", "arguments": '{"c": 1}'}},
    {"id": "b", "type": "function", "function": {"name": "read", "arguments": "{}"}},
]
CHAT_MESSAGE = {"role": "assistant", "content": None, "reasoning_content": "Hm.", "tool_calls": CALLS}
COMPLETION = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "gpt",
    "choices": [{"index": 0, "message": CHAT_MESSAGE, "logprobs": None, "finish_reason": "tool_calls"}],
    "usage": {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7},
}
BODIES: dict[Api, dict[str, Any]] = {"anthropic": MESSAGE, "responses": RESPONSE, "chat": COMPLETION}


def rewriter(api: Api, limit: int = 1 << 20) -> ResponseRewriter:
    found = open_rewriter(facts(api, streaming=False), "application/json", limit)
    assert found is not None
    return found


def carry(api: Api, data: bytes, rulings: Rulings | None = None) -> Passed:
    return drive(rewriter(api), cut_at(data, range(0, len(data), 50)), rulings, "at once", cut=False)


def changed(api: Api, rulings: Rulings) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(carry(api, json.dumps(BODIES[api]).encode(), rulings).data)
    return found


@pytest.mark.parametrize("api", BODIES)
def test_released_it_is_what_came_byte_for_byte(api: Api) -> None:
    data = json.dumps(BODIES[api], indent=3).encode()
    passed = carry(api, data)
    assert passed.data == data
    assert [call.id for call in passed.calls] == ["a", "b"]
    assert passed.said("thinking")
    assert passed.summary.is_complete
    assert passed.summary.usage != Usage()


def test_a_recorded_answer() -> None:
    data = (RECORDED / "anthropic-three-calls.json").read_bytes()
    passed = carry("anthropic", data)
    assert passed.data == data
    assert [call.name for call in passed.calls] == ["Read", "Bash", "Edit"]


@pytest.mark.parametrize("chosen", [("a",), ("b",), ("a", "b")])
def test_whatever_is_withheld_a_message_can_be_answered(chosen: tuple[str, ...]) -> None:
    found = changed("anthropic", dict.fromkeys(chosen, withhold()))
    check_anthropic_history(next_anthropic(found))
    assert [block["id"] for block in found["content"] if "id" in block] == [call for call in "ab" if call not in chosen]
    assert found["stop_reason"] == ("end_turn" if len(chosen) == 2 else "tool_use")
    assert found["content"][:2] == MESSAGE["content"][:2]
    assert found["usage"] == MESSAGE["usage"]


@pytest.mark.parametrize("chosen", [("a",), ("b",), ("a", "b")])
def test_whatever_is_withheld_a_response_can_be_answered(chosen: tuple[str, ...]) -> None:
    found = changed("responses", dict.fromkeys(chosen, withhold()))
    check_responses_history(next_responses(found["output"]))
    assert [item["call_id"] for item in found["output"] if "call_id" in item] == [c for c in "ab" if c not in chosen]
    assert (found["output"][-1]["type"] == "message") == ("b" in chosen)


@pytest.mark.parametrize("chosen", [("a",), ("b",), ("a", "b")])
def test_whatever_is_withheld_a_completion_can_be_answered(chosen: tuple[str, ...]) -> None:
    found = changed("chat", dict.fromkeys(chosen, withhold()))
    check_chat_history(found)
    left = found["choices"][0]["message"].get("tool_calls", [])
    assert left == [call for call in CALLS if call["id"] not in chosen]
    assert found["choices"][0]["message"]["content"] == ("Stay with the task." if len(chosen) == 2 else None)


def test_a_substitute() -> None:
    ruling = CallRuling("withhold", "No.", Substitute("Read", {"path": "x"}))
    found = changed("anthropic", {"a": ruling, "b": withhold()})
    assert found["content"][-1] == tool_use("a", "Read", path="x")
    assert found["stop_reason"] == "tool_use"
    assert changed("responses", {"a": ruling, "b": withhold()})["output"][1]["name"] == "Read"
    calls = changed("chat", {"a": ruling, "b": withhold()})["choices"][0]["message"]["tool_calls"]
    assert calls == [{"id": "a", "type": "function", "function": {"name": "Read", "arguments": '{"path":"x"}'}}]


def test_the_old_way_of_calling() -> None:
    old = {"role": "assistant", "content": "Hm.", "function_call": {"name": "bash", "arguments": "{}"}}
    body = {**COMPLETION, "choices": [{"index": 0, "message": old, "finish_reason": "function_call"}]}
    passed = carry("chat", json.dumps(body).encode(), lambda _: withhold())
    [choice] = json.loads(passed.data)["choices"]
    assert choice["message"] == {"role": "assistant", "content": "Hm.\n\nStay with the task."}
    assert choice["finish_reason"] == "stop"


@pytest.mark.parametrize(
    "data", [b"", b"<html>", b"[1]", b'{"type": "error"}', b'{"content": 3, "choices": [7], "output": {}}']
)
@pytest.mark.parametrize("api", BODIES)
def test_what_is_no_answer_passes(api: Api, data: bytes) -> None:
    passed = carry(api, data)
    assert passed.data == data
    assert passed.calls == []


def test_a_cut_or_overlong_answer_passes_as_far_as_it_came() -> None:
    data = json.dumps(MESSAGE).encode()
    assert drive(rewriter("anthropic"), [data[:-5]], None, "at once", cut=True).data == data[:-5]
    passed = drive(rewriter("anthropic", limit=100), cut_at(data, range(0, len(data), 50)), None, "at once", cut=False)
    assert passed.data == data
    assert passed.summary.unchecked == ("*",)


def test_nothing_is_written_before_all_calls_are_ruled_on() -> None:
    carrier = rewriter("anthropic")
    data = json.dumps(MESSAGE).encode()
    assert carrier.feed(data).data == b""
    assert carrier.keep_alive == b""
    assert carrier.close().data == b""
    assert carrier.holding
    assert carrier.rule("b", withhold()) == b""
    assert b'"b"' not in carrier.give_up()


@pytest.mark.parametrize("depth", [500, 50_000])
def test_an_answer_that_is_nested_too_deeply_is_read_as_far_as_it_can_be(depth: int) -> None:
    deep = b"[" * depth + b"]" * depth
    call = b'{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"rm x","more":' + deep + b"}}"
    body = b'{"type":"message","role":"assistant","content":[' + call + b'],"stop_reason":"tool_use"}'
    rewriter = open_rewriter(facts("anthropic"), "application/json")
    assert rewriter is not None
    rewriter.feed(body)
    (seen,) = rewriter.close().calls
    assert seen.unreadable == "they are nested too deeply"
    written = rewriter.rule(seen.id, CallRuling("withhold", "No."))
    assert b"rm x" not in written
    assert b"No." in written
