"""The conversation that a request carries, in one form for the three APIs, and the places in it that have a name.

A place is where words can be added for good: it is named by the calls that are answered there, else by a digest of what
the user says there. Counts and positions would not do, as clients compact, rewind and retry. Nor would the bytes: a
client that moves its cache mark on writes the same message otherwise the next time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from leeboard.model.text import digest
from leeboard.wire.seam import Api, CallResult

_LONGEST_RESULT = 20_000
_REMINDER = "<system-reminder>"


class Turn(msgspec.Struct, frozen=True):
    """One message or item of a conversation."""

    role: Literal["user", "model", "other"]
    texts: tuple[str, ...] = ()
    """What is said in it, where it is the user's or is put before the conversation."""
    results: tuple[CallResult, ...] = ()


class Place(msgspec.Struct, frozen=True):
    """Where words can be added."""

    names: tuple[str, ...]
    """The last is the one it is known by first of all."""
    turn: int
    """The number of the turn that it ends with."""


def read_turns(api: Api, body: dict[str, Any]) -> list[Turn]:
    """One turn for each message or item, in their order."""
    if api == "responses":
        found = body.get("input")
        return [Turn("user", (found,))] if isinstance(found, str) else [_read_item(item) for item in _list(found)]
    read = _read_message if api == "anthropic" else _read_chat
    return [read(message) for message in _list(body.get("messages"))]


def places(turns: list[Turn]) -> list[Place]:
    """All places, in their order. Answers to calls that follow each other directly share one."""
    found: list[Place] = []
    last_call = ""
    for number, turn in enumerate(turns):
        if turn.results:
            names = tuple(result.id for result in turn.results)
            if found and found[-1].turn == number - 1 and turns[number - 1].results:
                names = (*found.pop().names, *names)
            found.append(Place(names, number))
            last_call = names[-1]
        elif turn.role == "user":
            found.append(Place((key_of(turn, last_call),), number))
    return found


def key_of(turn: Turn, last_call: str) -> str:
    """The name of what the user says there, after that call was answered."""
    said = [text for text in turn.texts if not text.startswith(_REMINDER)] or turn.texts
    return digest("\0".join((last_call, *said)), size=12)


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _read_message(message: object) -> Turn:
    """A message of Anthropic's API."""
    match message:
        case {"role": "assistant"}:
            return Turn("model")
        case {"role": "user", "content": content}:
            results = tuple(
                CallResult(str(block.get("tool_use_id")), _text(block.get("content")), block.get("is_error") is True)
                for block in _list(content)
                if isinstance(block, dict) and block.get("type") == "tool_result"
            )
            return Turn("user", tuple(_texts(content)), results)
        case {"content": content}:
            return Turn("other", tuple(_texts(content)))
    return Turn("other")


def _read_chat(message: Any) -> Turn:
    """A message of Chat Completions."""
    match message:
        case {"role": "assistant"}:
            return Turn("model")
        case {"role": "tool", "tool_call_id": str(call_id)}:
            return Turn("other", (), (CallResult(call_id, _text(message.get("content"))),))
        case {"role": "function", "name": str(name)}:
            return Turn("other", (), (CallResult(name, _text(message.get("content"))),))
        case {"role": "user", "content": content}:
            return Turn("user", tuple(_texts(content)))
        case {"content": content}:
            return Turn("other", tuple(_texts(content)))
    return Turn("other")


def _read_item(item: Any) -> Turn:
    """An item of the Responses API."""
    match item:
        case {"type": str(kind), "call_id": str(call_id)} if kind.endswith("_output"):
            return Turn("other", (), (CallResult(call_id, _text(item.get("output"))),))
        case {"role": "assistant"} | {"type": "reasoning"} | {"call_id": str()}:
            return Turn("model")
        case {"role": "user", "content": content}:
            return Turn("user", tuple(_texts(content)))
        case {"content": content}:
            return Turn("other", tuple(_texts(content)))
    return Turn("other")


def _texts(content: object) -> Iterable[str]:
    """A text alone, or the texts of a list of blocks, whatever the API calls them."""
    if isinstance(content, str):
        yield content
    for block in _list(content):
        match block:
            case {"type": "text" | "input_text" | "output_text", "text": str(text)}:
                yield text
            case str(text):
                yield text


def _text(content: object) -> str:
    if isinstance(content, dict):
        content = content.get("content") or content.get("output")
    return "\n".join(_texts(content))[:_LONGEST_RESULT]
