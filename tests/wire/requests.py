"""Requests of the real clients, recorded with scripted APIs; long prompts are cut and paths replaced."""

from __future__ import annotations

import json
from typing import Any

from leeboard.wire import request
from leeboard.wire.seam import RequestFacts
from tests.wire.answers import RECORDED

REQUESTS: dict[str, dict[str, Any]] = json.loads((RECORDED / "requests.json").read_text(encoding="utf-8"))


def body_of(name: str) -> bytes:
    return json.dumps(REQUESTS[name]["body"], ensure_ascii=False).encode()


def read(name: str, **headers: str) -> RequestFacts:
    told = REQUESTS[name]
    found = request.read(told["method"], told["path"], {**told["headers"], **headers}, body_of(name))
    assert found is not None
    return found


def ask(path: str, body: dict[str, Any], **headers: str) -> RequestFacts:
    """A request made up for a test; names of headers are written with `_`."""
    told = {name.replace("_", "-"): value for name, value in headers.items()}
    found = request.read("POST", path, told, json.dumps(body).encode())
    assert found is not None
    return found


# Parts of a conversation, as Anthropic's API takes them.

TOOLS = [{"name": "Bash"}]


def user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}


def said(*texts: str) -> dict[str, Any]:
    return user([{"type": "text", "text": text} for text in texts])


def result(call_id: str, text: str = "ok", **more: object) -> dict[str, Any]:
    return user([{"type": "tool_result", "tool_use_id": call_id, "content": text, **more}])


def called(call_id: str) -> dict[str, Any]:
    return {"role": "assistant", "content": [{"type": "tool_use", "id": call_id, "name": "Bash", "input": {}}]}


def anthropic(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"model": "m", "max_tokens": 4096, "tools": TOOLS, "messages": list(messages), "stream": True, **more}
