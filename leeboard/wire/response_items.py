"""The items of a response of OpenAI: calls read from them, and a list of them as the rulings want it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from leeboard.data import load
from leeboard.model.text import digest
from leeboard.wire.docket import HeldCall, read_arguments
from leeboard.wire.passages import reasonings
from leeboard.wire.seam import Reasoning, Substitute, Usage, WireCall
from leeboard.wire.sse import write_json


class _CallItem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    input: str
    form: Literal["json", "text", "object"]
    name: str = ""


class _CallItems(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    items: dict[str, _CallItem]


_CALLS = load("wire/call_items", _CallItems).items


def is_call(item: dict[str, Any]) -> bool:
    kind = item.get("type")
    return isinstance(kind, str) and kind in _CALLS


def is_thought(item: dict[str, Any]) -> bool:
    return item.get("type") == "reasoning"


def read_call(item: dict[str, Any], index: int) -> WireCall:
    """The call that an item makes, whichever of the API's kinds of call it is."""
    kind = _CALLS[item["type"]]
    written = item.get(kind.input)
    text = written if isinstance(written, str) else write_json(written if written is not None else {}).decode()
    call_id, name, namespace = item.get("call_id") or item.get("id"), item.get("name"), item.get("namespace")
    name = name if isinstance(name, str) and name else kind.name
    found, unreadable = (None, "") if kind.form == "text" else read_arguments(text)
    return WireCall(
        id=call_id if isinstance(call_id, str) else f"{item['type']}_{index}",
        name=f"{namespace}__{name}" if isinstance(namespace, str) and namespace else name,
        input=found,
        input_text=text,
        index=index,
        unreadable=unreadable,
    )


def substituted(item: dict[str, Any], substitute: Substitute) -> dict[str, Any]:
    """The harmless call in place of the item, with its ids."""
    return {
        "type": "function_call",
        **{key: item[key] for key in ("id", "call_id") if key in item},
        "name": substitute.name,
        "arguments": write_json(substitute.input).decode(),
        "status": "completed",
    }


def message(words: str, seed: str) -> dict[str, Any]:
    """A message of the model's with these words; the same seed and words give the same id."""
    return {
        "type": "message",
        "id": f"msg_{digest(seed + words, size=24)}",
        "status": "completed",
        "role": "assistant",
        "content": [{"type": "output_text", "text": words, "annotations": [], "logprobs": []}],
    }


def edit(items: list[dict[str, Any]], known: Mapping[str, HeldCall]) -> list[dict[str, Any]]:
    """The items without what was withheld, by the ids of `known`, and without the thoughts that led to nothing else.

    A thought must be followed by what it led to: the provider refuses a conversation with one that is not.
    """
    kept: list[dict[str, Any]] = []
    thoughts: list[dict[str, Any]] = []
    is_emptied = False
    for index, item in enumerate(items):
        call = known.get(read_call(item, index).id) if is_call(item) else None
        if is_thought(item):
            if is_emptied:
                thoughts.clear()
                is_emptied = False
            thoughts.append(item)
        elif call is not None and call.is_refused and call.substitute is None:
            is_emptied = bool(thoughts)
        else:
            kept += [] if is_emptied and call is None else thoughts
            kept.append(substituted(item, call.substitute) if call and call.substitute else item)
            thoughts.clear()
            is_emptied = False
    return kept if is_emptied else [*kept, *thoughts]


def read_thought(item: dict[str, Any], index: int) -> tuple[Reasoning, ...]:
    """What an item that comes whole says or thinks."""
    parts = [part for key in ("summary", "content") if isinstance(item.get(key), list) for part in item[key]]
    texts = [part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)]
    text = "\n".join(texts)
    return reasonings(text, "", index) if is_thought(item) else reasonings("", text, index)


def read_usage(usage: dict[str, Any]) -> Usage:
    """What the usage of a response says, with zero for what it leaves out."""
    details = usage.get("input_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else 0
    counts = (usage.get("input_tokens"), usage.get("output_tokens"), cached)
    told, written, read = (count if isinstance(count, int) else 0 for count in counts)
    return Usage(input=told, output=written, cache_read=read)
