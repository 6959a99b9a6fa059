"""Streams and requests of Anthropic's Messages API, as the tests of the proxy need them."""

from __future__ import annotations

import json
from typing import Any

from tests.surfaces.proxy.scripted_upstream import whole

JSON = dict[str, Any]
SESSION = "0b0e6f0a-1111-4222-8333-444455556666"
TOOL = {"name": "Bash", "description": "Run a command.", "input_schema": {"type": "object"}}


def request(words: str = "Fix add() in app.py.", *, stream: bool = True, fields: JSON | None = None) -> bytes:
    body: JSON = {"model": "claude-test", "max_tokens": 4096, "stream": stream, "tools": [TOOL]}
    body["messages"] = [{"role": "user", "content": [{"type": "text", "text": words}]}]
    body["metadata"] = {"user_id": json.dumps({"session_id": SESSION})}
    return json.dumps(body | (fields or {})).encode()


def frame(event: JSON) -> bytes:
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


def text_block(index: int, text: str) -> list[bytes]:
    delta = {"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": text}}
    return _block(index, {"type": "text", "text": ""}, [delta])


def call_block(index: int, call_id: str, command: str, pieces: int = 2) -> list[bytes]:
    told = json.dumps({"command": command})
    size = max(len(told) // pieces, 1)
    parts = [told[at : at + size] for at in range(0, len(told), size)]
    deltas = [{"type": "input_json_delta", "partial_json": part} for part in parts]
    started = {"type": "tool_use", "id": call_id, "name": "Bash", "input": {}}
    return _block(index, started, [{"type": "content_block_delta", "index": index, "delta": each} for each in deltas])


def _block(index: int, started: JSON, deltas: list[JSON]) -> list[bytes]:
    begin = {"type": "content_block_start", "index": index, "content_block": started}
    return [frame(event) for event in (begin, *deltas, {"type": "content_block_stop", "index": index})]


def message(*blocks: list[bytes], stop: str = "tool_use") -> list[bytes]:
    """The frames of a whole answer."""
    head: JSON = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test", "content": []}
    head |= {"stop_reason": None, "usage": {"input_tokens": 9, "output_tokens": 1}}
    delta = {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}}
    delta["usage"] = {"output_tokens": 20}
    begin = frame({"type": "message_start", "message": head})
    return [begin, *(each for block in blocks for each in block), frame(delta), frame({"type": "message_stop"})]


def events_head(*fields: bytes) -> bytes:
    lines = (b"HTTP/1.1 200 OK", b"Content-Type: text/event-stream; charset=utf-8", *fields)
    return b"\r\n".join((*lines, b"Transfer-Encoding: chunked")) + b"\r\n\r\n"


def whole_message(*calls: tuple[str, str]) -> bytes:
    """An answer in one piece, with these calls."""
    content: list[JSON] = [{"type": "text", "text": "I will."}]
    content += [{"type": "tool_use", "id": name, "name": "Bash", "input": {"command": told}} for name, told in calls]
    body: JSON = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test", "content": content}
    body |= {"stop_reason": "tool_use", "usage": {"input_tokens": 9, "output_tokens": 20}}
    return whole(json.dumps(body).encode(), b"content-type: application/json", b"request-id: req_1")


def texts_and_calls(body: bytes) -> tuple[str, list[str], str]:
    """What a client makes of a stream: its text, the commands it would run, and why the message ended."""
    text, commands, parts, stop = "", [], "", ""
    for raw in body.split(b"\n\n"):
        data = raw.partition(b"data: ")[2]
        event = json.loads(data) if data else {}
        delta = event.get("delta", {})
        text += delta.get("text", "")
        parts += delta.get("partial_json", "")
        stop = delta.get("stop_reason", stop)
        if event.get("type") == "content_block_stop" and parts:
            commands.append(json.loads(parts)["command"])
            parts = ""
    return text, commands, stop
