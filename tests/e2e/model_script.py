"""What the scripted model answers: one Reply for each request it gets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec

JSON = dict[str, Any]
PIECE = 60
"""Characters in one delta, so that the client has to put every text and input together."""


class Use(msgspec.Struct, frozen=True):
    """A tool use the model asks for."""

    tool: str
    input: JSON


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    text: str = ""
    thinking: str = ""
    uses: tuple[Use, ...] = ()
    tokens: int = 1_000
    """What the request cost, as the client is told: near the model's window it compacts."""
    meanwhile: str = ""
    """A shell line that some other process runs before the client gets this reply."""


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """Replies in order, to the main agent and to sub-agents; after the last one there is only `Done.`"""

    main: tuple[Reply, ...]
    sub_agent: tuple[Reply, ...] = ()
    summary: str = "<analysis>a</analysis><summary>Work on the task goes on.</summary>"
    """The answer to a request for a summary."""


DONE = Reply(text="Done.")


def say(text: str, tokens: int = 1_000) -> Reply:
    return Reply(text=text, tokens=tokens)


def use(*uses: Use, text: str = "", thinking: str = "", tokens: int = 1_000) -> Reply:
    return Reply(text=text, thinking=thinking, uses=uses, tokens=tokens)


def use_after(meanwhile: str, *uses: Use) -> Reply:
    """Tool uses that are asked for once another process has run this line."""
    return Reply(uses=uses, meanwhile=meanwhile)


def read(path: str) -> Use:
    return Use("Read", {"file_path": path})


def edit(path: str, old: str, new: str) -> Use:
    return Use("Edit", {"file_path": path, "old_string": old, "new_string": new})


def write(path: str, content: str) -> Use:
    return Use("Write", {"file_path": path, "content": content})


def bash(command: str) -> Use:
    return Use("Bash", {"command": command, "description": "a scripted step"})


def agent(task: str) -> Use:
    given = {"description": "a scripted task", "prompt": task, "subagent_type": "general-purpose"}
    return Use("Agent", {**given, "run_in_background": False})


def blocks_of(reply: Reply, name: str) -> list[JSON]:
    """The content of the message; its `name` makes the ids of its tool uses."""
    blocks: list[JSON] = []
    if reply.thinking:
        blocks.append({"type": "thinking", "thinking": reply.thinking, "signature": "c2lnbmF0dXJl"})
    if reply.text:
        blocks.append({"type": "text", "text": reply.text})
    for position, one in enumerate(reply.uses):
        own = f"toolu_{name}{position:02d}"
        blocks.append({"type": "tool_use", "id": own, "name": one.tool, "input": one.input})
    return blocks


def stream(reply: Reply, name: str, model: str) -> Iterator[JSON]:
    """The reply as the events of a streamed message."""
    usage = {"input_tokens": reply.tokens, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    usage |= {"output_tokens": 50}
    message: JSON = {"id": f"msg_{name}", "type": "message", "role": "assistant", "model": model, "content": []}
    message |= {"stop_reason": None, "stop_sequence": None, "usage": usage}
    yield {"type": "message_start", "message": message}
    for index, block in enumerate(blocks_of(reply, name)):
        yield from _block_events(index, block)
    stop = "tool_use" if reply.uses else "end_turn"
    yield {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage}
    yield {"type": "message_stop"}


def _block_events(index: int, block: JSON) -> Iterator[JSON]:
    start, deltas = _opened(block)
    yield {"type": "content_block_start", "index": index, "content_block": start}
    for delta in deltas:
        yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}


def _opened(block: JSON) -> tuple[JSON, list[JSON]]:
    """A block as it begins, and the deltas that fill it."""
    if block["type"] == "text":
        return {**block, "text": ""}, [{"type": "text_delta", "text": part} for part in _pieces(block["text"])]
    if block["type"] == "thinking":
        told = {"type": "thinking_delta", "thinking": block["thinking"]}
        signed = {"type": "signature_delta", "signature": block["signature"]}
        return {**block, "thinking": "", "signature": ""}, [told, signed]
    parts = _pieces(json.dumps(block["input"]))
    return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": part} for part in parts]


def _pieces(text: str) -> list[str]:
    return [text[start : start + PIECE] for start in range(0, len(text), PIECE)]
