"""Answers of the three APIs, as their providers stream them, made of a few words each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from leeboard.wire.seam import Api, RequestFacts

RECORDED = Path(__file__).parent.parent / "fixtures" / "wire"
"""Streams of the scripted APIs that the real clients were driven with."""

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
"""A value that a provider or a client would hardly send."""

USAGE = {"input_tokens": 120, "cache_creation_input_tokens": 7, "cache_read_input_tokens": 90, "output_tokens": 50}


def facts(api: Api, *, streaming: bool = True) -> RequestFacts:
    return RequestFacts(api=api, kind="work", session_id="s", streaming=streaming)


def recorded(api: Api) -> list[Path]:
    return sorted(RECORDED.glob(f"{api}-*.sse"))


def frame(name: str, told: dict[str, Any], end: str = "\n") -> bytes:
    head = f"event: {name}{end}" if name else ""
    return f"{head}data: {json.dumps(told, ensure_ascii=False)}{end}{end}".encode()


def pieces(text: str, size: int) -> Iterator[str]:
    for at in range(0, len(text), size):
        yield text[at : at + size]


# Anthropic.


def tool_use(call_id: str, name: str = "Bash", **arguments: object) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


def text_block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def thinking(text: str, signature: str = "c2lnbmF0dXJl") -> dict[str, Any]:
    return {"type": "thinking", "thinking": text, "signature": signature}


def message(blocks: list[dict[str, Any]], stop_reason: str = "tool_use") -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude",
        "content": blocks,
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": USAGE,
    }


def anthropic_stream(
    blocks: list[dict[str, Any]], stop_reason: str = "tool_use", end: str = "\n", size: int = 12
) -> bytes:
    start = {**message([]), "stop_reason": None}
    parts = [frame("message_start", {"type": "message_start", "message": start}, end)]
    parts.append(frame("ping", {"type": "ping"}, end))
    for index, block in enumerate(blocks):
        parts += [frame(str(told["type"]), {**told, "index": index}, end) for told in _block_events(block, size)]
    delta = {"stop_reason": stop_reason, "stop_sequence": None}
    parts.append(frame("message_delta", {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 77}}, end))
    parts.append(frame("message_stop", {"type": "message_stop"}, end))
    return b"".join(parts)


def _block_events(block: dict[str, Any], size: int) -> Iterator[dict[str, Any]]:
    deltas: list[dict[str, Any]] = []
    begun = dict(block)
    match block["type"]:
        case "text":
            begun["text"] = ""
            deltas = [{"type": "text_delta", "text": piece} for piece in pieces(block["text"], size)]
        case "thinking":
            begun |= {"thinking": "", "signature": ""}
            deltas = [{"type": "thinking_delta", "thinking": piece} for piece in pieces(block["thinking"], size)]
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
        case "tool_use" | "server_tool_use":
            written = block.get("raw") or (json.dumps(block["input"], ensure_ascii=False) if block["input"] else "")
            begun = {key: value for key, value in block.items() if key != "raw"} | {"input": {}}
            deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in ("", *pieces(written, size))]
    yield {"type": "content_block_start", "content_block": begun}
    yield from ({"type": "content_block_delta", "delta": delta} for delta in deltas)
    yield {"type": "content_block_stop"}


# OpenAI Responses.


def thought(item_id: str, text: str = "I think.") -> dict[str, Any]:
    summary = [{"type": "summary_text", "text": text}]
    return {"type": "reasoning", "id": item_id, "summary": summary, "encrypted_content": "ZmFrZQ=="}


def said(item_id: str, text: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": [], "logprobs": []}]
    return {"type": "message", "id": item_id, "role": "assistant", "status": "completed", "content": content}


def function_call(call_id: str, name: str = "exec_command", **arguments: object) -> dict[str, Any]:
    written = json.dumps(arguments, ensure_ascii=False)
    item = {"type": "function_call", "id": f"fc_{call_id}", "call_id": call_id, "name": name, "arguments": written}
    return {**item, "status": "completed"}


def custom_call(call_id: str, text: str, name: str = "apply_patch") -> dict[str, Any]:
    return {"type": "custom_tool_call", "id": f"ctc_{call_id}", "call_id": call_id, "name": name, "input": text}


def response(items: list[dict[str, Any]], status: str = "completed") -> dict[str, Any]:
    usage = {
        "input_tokens": 100,
        "input_tokens_details": {"cached_tokens": 60},
        "output_tokens": 20,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 120,
    }
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "gpt",
        "status": status,
        "output": items,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": usage,
    }


def responses_stream(items: list[dict[str, Any]], *, is_numbered: bool = True, size: int = 12) -> bytes:
    events: list[dict[str, Any]] = [{"type": "response.created", "response": {**response([]), "status": "in_progress"}}]
    for index, item in enumerate(items):
        events += [{**told, "output_index": index} for told in _item_events(item, size)]
    events.append({"type": "response.completed", "response": response(items)})
    numbered = ({**told, "sequence_number": number} if is_numbered else told for number, told in enumerate(events))
    return b"".join(frame(str(told["type"]), told) for told in numbered)


def _item_events(item: dict[str, Any], size: int) -> Iterator[dict[str, Any]]:
    about = {"item_id": item["id"]}
    emptied: dict[str, Any] = {"content": [], "summary": [], "arguments": "", "input": ""}
    begun = {key: emptied.get(key, value) for key, value in item.items()}
    yield {"type": "response.output_item.added", "item": begun}
    match item["type"]:
        case "message":
            part, text = item["content"][0], item["content"][0]["text"]
            at = {**about, "content_index": 0}
            yield {"type": "response.content_part.added", **at, "part": {**part, "text": ""}}
            for piece in pieces(text, size):
                yield {"type": "response.output_text.delta", **at, "delta": piece, "logprobs": []}
            yield {"type": "response.output_text.done", **at, "text": text, "logprobs": []}
            yield {"type": "response.content_part.done", **at, "part": part}
        case "reasoning":
            text, at = item["summary"][0]["text"], {**about, "summary_index": 0}
            empty = {"type": "summary_text", "text": ""}
            yield {"type": "response.reasoning_summary_part.added", **at, "part": empty}
            for piece in pieces(text, size):
                yield {"type": "response.reasoning_summary_text.delta", **at, "delta": piece}
            yield {"type": "response.reasoning_summary_text.done", **at, "text": text}
            yield {"type": "response.reasoning_summary_part.done", **at, "part": item["summary"][0]}
        case "function_call":
            for piece in pieces(item["arguments"], size):
                yield {"type": "response.function_call_arguments.delta", **about, "delta": piece}
            done = {"arguments": item["arguments"], "name": item["name"]}
            yield {"type": "response.function_call_arguments.done", **about, **done}
        case "custom_tool_call":
            for piece in pieces(item["input"], size):
                yield {"type": "response.custom_tool_call_input.delta", **about, "delta": piece}
            yield {"type": "response.custom_tool_call_input.done", **about, "input": item["input"]}
    yield {"type": "response.output_item.done", "item": item}


# OpenAI Chat Completions.


def chunk(delta: dict[str, Any], reason: str | None = None, choice: int = 0, **more: object) -> bytes:
    choices = [{"index": choice, "delta": delta, "logprobs": None, "finish_reason": reason}]
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt"}
    return frame("", {**head, "system_fingerprint": "fp", "choices": choices, **more})


def chat_call(index: int, call_id: str, name: str, arguments: str, choice: int = 0) -> Iterator[bytes]:
    function = {"name": name, "arguments": ""}
    yield chunk(
        {"tool_calls": [{"index": index, "id": call_id, "type": "function", "function": function}]}, None, choice
    )
    for piece in pieces(arguments, 7):
        yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}, None, choice)


def chat_stream(text: str, calls: Iterable[tuple[str, str, str]], reason: str = "tool_calls") -> bytes:
    parts = [chunk({"role": "assistant", "content": "", "refusal": None})]
    parts += [chunk({"content": piece}) for piece in pieces(text, 7)]
    for index, (call_id, name, arguments) in enumerate(calls):
        parts += chat_call(index, call_id, name, arguments)
    parts.append(chunk({}, reason))
    parts.append(chat_usage())
    return b"".join((*parts, b"data: [DONE]\n\n"))


def chat_usage() -> bytes:
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "total_tokens": 120,
        "prompt_tokens_details": {"cached_tokens": 64},
    }
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt"}
    return frame("", {**head, "choices": [], "usage": usage})
