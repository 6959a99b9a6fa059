"""What a scripted model says to a client that is tried by itself, in the API that Claude Code and opencode speak.

What it asks for is known again in whatever the client tells its hooks: see `leeboard.app.guard.probe`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from leeboard.clients.call import ProbeReply
from leeboard.model.text import digest

JSON = dict[str, Any]

_MARK = "leeboard-probe"
ASKED = f"{_MARK}: make the calls"
"""The prompt."""
TASK = f"{_MARK}: task "
"""What a sub-agent is told, before the name of its part."""


def shell_line(part: str) -> str:
    """The shell makes the number, so that the words of the result show that it ran. Gemini CLI runs no `$(...)`."""
    return f"printf {_MARK}-%d-{part} 0x2a"


def task_part(messages: list[JSON]) -> str:
    """The part that a sub-agent was told; empty where it was told none."""
    part = json.dumps(messages).partition(TASK)[2].partition(" ")[0]
    return part if part.isalpha() else ""


class Rehearsed(NamedTuple):
    """The calls of a client that is asked for two side by side and then for a sub-agent, which makes one."""

    shell: str
    """Its tool that runs a line."""
    task: JSON
    """The call that starts the sub-agent."""

    def reply(self, path: str, body: bytes) -> ProbeReply:
        """What the model says to a request."""
        if not path.partition("?")[0].endswith("/messages"):
            return ProbeReply(b'{"input_tokens": 100, "data": []}')
        try:
            asked = json.loads(body)
            messages = asked.get("messages", [])
            if not asked.get("tools"):
                return said("ok", asked)
            part = task_part(messages[:1])
            turns = ((self._call(part),),) if part else ((self._call("main"), self._call("parallel")), (self.task,))
            made = times_spoken(messages)
            return uses(asked, *turns[made]) if made < len(turns) else said("done", asked)
        except (ValueError, KeyError, TypeError, AttributeError):
            return said("ok", {})

    def _call(self, part: str) -> JSON:
        return {"name": self.shell, "input": {"command": shell_line(part), "description": "a rehearsed call"}}


def times_spoken(messages: list[JSON]) -> int:
    """How often the model has spoken."""
    return sum(message.get("role") == "assistant" for message in messages)


def said(text: str, asked: JSON) -> ProbeReply:
    return _message([{"type": "text", "text": text}], "end_turn", asked)


def uses(asked: JSON, *calls: JSON) -> ProbeReply:
    own = _name_of(asked)
    blocks = [{"type": "tool_use", "id": f"toolu_{own}{at:02}", **call} for at, call in enumerate(calls)]
    return _message(blocks, "tool_use", asked)


def _name_of(asked: JSON) -> str:
    """Of a message and its calls: a client takes two of one name for one."""
    return digest(json.dumps(asked), 11)


def _message(blocks: list[JSON], stop: str, asked: JSON) -> ProbeReply:
    usage = {"input_tokens": 100, "output_tokens": 10}
    message = {
        "id": f"msg_{_name_of(asked)}",
        "type": "message",
        "role": "assistant",
        "model": asked.get("model"),
        "usage": usage,
    }
    if not asked.get("stream"):
        return ProbeReply(json.dumps({**message, "content": blocks, "stop_reason": stop}).encode())
    events = "".join(
        f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in _events(message, blocks, stop)
    )
    return ProbeReply(events.encode(), content_type="text/event-stream")


def _events(message: JSON, blocks: list[JSON], stop: str) -> Iterator[JSON]:
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}
    for at, block in enumerate(blocks):
        is_text = block["type"] == "text"
        begun = {**block, "text": ""} if is_text else {**block, "input": {}}
        delta = (
            {"type": "text_delta", "text": block["text"]}
            if is_text
            else {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        )
        yield {"type": "content_block_start", "index": at, "content_block": begun}
        yield {"type": "content_block_delta", "index": at, "delta": delta}
        yield {"type": "content_block_stop", "index": at}
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": stop, "stop_sequence": None},
        "usage": {"output_tokens": 10},
    }
    yield {"type": "message_stop"}
