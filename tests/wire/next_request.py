"""What a client would send next, and whether the provider would take it.

A client puts the answer into its history, carries out the calls and answers each. One thing that the provider refuses
there ends the session for good, since the same history comes again with every request.
"""

from __future__ import annotations

import json
from typing import Any

KEPT_REASONS = {"max_tokens", "refusal", "stop_sequence", "pause_turn", "model_context_window_exceeded"}


# Anthropic.


def events(data: bytes) -> list[tuple[str, dict[str, Any]]]:
    """The named events of a stream; comments are none."""
    found = []
    for part in data.replace(b"\r\n", b"\n").split(b"\n\n"):
        lines = part.decode().split("\n")
        name = next((line[7:] for line in lines if line.startswith("event: ")), "")
        told = [line[6:] for line in lines if line.startswith("data: ")]
        if told and told[0] != "[DONE]":
            found.append((name, json.loads("".join(told))))
    return found


def check_anthropic_stream(data: bytes) -> None:
    """The rules that every stream of a message keeps."""
    told = events(data)
    names = [name for name, _ in told]
    assert all(name == fields["type"] for name, fields in told)
    assert names[0] == "message_start"
    assert names[-1] == "message_stop"
    assert names.count("message_start") == names.count("message_stop") == names.count("message_delta") == 1
    assert names[-2] == "message_delta"
    _check_blocks(told)
    kinds = [fields["content_block"]["type"] for name, fields in told if name == "content_block_start"]
    reason = next(fields["delta"]["stop_reason"] for name, fields in told if name == "message_delta")
    if reason not in KEPT_REASONS:
        assert (reason == "tool_use") == ("tool_use" in kinds)
    assert kinds, "an answer without content is asked for again"


def _check_blocks(told: list[tuple[str, dict[str, Any]]]) -> None:
    started = 0
    is_open = False
    for name, fields in told:
        match name:
            case "content_block_start":
                assert not is_open
                assert fields["index"] == started
                started, is_open = started + 1, True
            case "content_block_delta":
                assert is_open
                assert fields["index"] == started - 1
            case "content_block_stop":
                assert is_open
                assert fields["index"] == started - 1
                is_open = False
            case "message_delta":
                assert not is_open


def next_anthropic(message: dict[str, Any]) -> list[dict[str, Any]]:
    """The history after the client has carried out what is in the message."""
    calls = [block["id"] for block in message["content"] if block["type"] == "tool_use"]
    content = [{"type": "tool_result", "tool_use_id": call, "content": "ok"} for call in calls]
    answer: Any = content or "go on"
    return [
        {"role": "user", "content": "fix add()"},
        {"role": "assistant", "content": message["content"]},
        {"role": "user", "content": answer},
    ]


def check_anthropic_history(messages: list[dict[str, Any]]) -> None:
    """Pairing, order and no empty text: what the Messages API refuses."""
    assert messages[-1]["role"] == "user"
    for number, told in enumerate(messages):
        blocks = told["content"] if isinstance(told["content"], list) else [{"type": "text", "text": told["content"]}]
        assert blocks
        assert all(block["text"].strip() for block in blocks if block["type"] == "text")
        kinds = [block["type"] for block in blocks]
        if told["role"] == "assistant":
            calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
            if calls:
                assert set(kinds[kinds.index("tool_use") :]) == {"tool_use"}, "something stands after a call"
            answered = _answered(messages[number + 1]) if number + 1 < len(messages) else []
            assert sorted(calls) == sorted(answered)
            assert len(set(calls)) == len(calls)
        elif "tool_result" in kinds:
            first_other = next((at for at, kind in enumerate(kinds) if kind != "tool_result"), len(kinds))
            assert "tool_result" not in kinds[first_other:], "answers to calls come first"


def _answered(message: dict[str, Any]) -> list[str]:
    content = message["content"]
    blocks = content if isinstance(content, list) else []
    return [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]


def thoughts_of(data: bytes) -> list[list[dict[str, Any]]]:
    """Each block of thinking with all that was streamed of it, whatever its number."""
    found: list[list[dict[str, Any]]] = []
    current: list[dict[str, Any]] | None = None
    for _, fields in events(data):
        match fields:
            case {"content_block": {"type": str(kind)} as block}:
                current = [block] if "thinking" in kind else None
                if current is not None:
                    found.append(current)
            case {"type": "content_block_delta", "delta": delta} if current is not None:
                current.append(delta)
    return found


# OpenAI Responses.


def check_responses_stream(data: bytes) -> None:
    """Items begin once and end once, in the order of their places; the numbers go up by one; the end repeats them."""
    told = events(data)
    assert all(name == fields["type"] for name, fields in told)
    numbers = [fields["sequence_number"] for _, fields in told if "sequence_number" in fields]
    assert numbers == list(range(len(numbers)))
    added = [fields["output_index"] for name, fields in told if name == "response.output_item.added"]
    assert added == list(range(len(added)))
    done = [fields["item"] for name, fields in told if name == "response.output_item.done"]
    ended = told[-1][1]["response"]["output"]
    assert [item for item in done if item in ended] == ended


def check_responses_history(items: list[dict[str, Any]]) -> None:
    """Each call answered once, and no thought without what it led to."""
    calls = [item["call_id"] for item in items if item["type"].endswith("_call") and "call_id" in item]
    answered = [item["call_id"] for item in items if item["type"].endswith("_output")]
    assert sorted(calls) == sorted(answered)
    for item, follower in zip(items, [*items[1:], None], strict=True):
        if item["type"] == "reasoning":
            assert follower is not None
            assert follower["type"] in {"function_call", "custom_tool_call", "message", "reasoning"}
            assert follower.get("role", "assistant") == "assistant"


def next_responses(output: list[dict[str, Any]]) -> list[dict[str, Any]]:
    calls = [item for item in output if item["type"].endswith("_call")]
    answers = [{"type": f"{item['type']}_output", "call_id": item["call_id"], "output": "ok"} for item in calls]
    go_on = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go on"}]}
    return [*output, *answers, *([] if answers else [go_on])]


# Chat Completions.


def check_chat_stream(data: bytes) -> None:
    """One reason per choice, alone in its frame and after all that the choice says; the end comes last."""
    assert data.endswith(b"data: [DONE]\n\n")
    finished: set[int] = set()
    for _, told in events(data):
        for choice in told["choices"]:
            assert choice["index"] not in finished
            if choice["finish_reason"]:
                finished.add(choice["index"])
                assert not choice["delta"].get("content")
                assert not choice["delta"].get("tool_calls")
    assert finished


def check_chat_history(completion: dict[str, Any]) -> None:
    """A choice that says it ends in calls has some, each with a number and an id of its own."""
    for choice in completion["choices"]:
        calls = choice["message"].get("tool_calls") or []
        assert (choice["finish_reason"] == "tool_calls") == bool(calls)
        assert [call.get("index", at) for at, call in enumerate(calls)] == list(range(len(calls)))
        assert len({call["id"] for call in calls}) == len(calls)
        assert calls or choice["message"]["content"].strip()
