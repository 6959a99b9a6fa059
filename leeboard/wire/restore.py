"""Calls that were withheld, put back into the conversation as the model wrote them, with the reason for their result.

The client knows only the harmless call that took the place of one. A model that is shown it would learn that it had
asked for that. So each later request tells what was: the same bytes every time, so that the provider's cache holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from leeboard.errors import WireError
from leeboard.wire.json_spans import Span, elements, members, replaced
from leeboard.wire.seam import Api, RequestFacts, Restoration
from leeboard.wire.splice import CONVERSATION
from leeboard.wire.sse import read_json, read_object, write_json

_CHANGING = frozenset({"name", "input", "arguments", "content", "output"})


def restore(body: bytes, facts: RequestFacts, known: Sequence[Restoration]) -> bytes:
    """The request with those of the calls that stand in it; the very bytes where none does, or anything is unclear."""
    calls = {one.id: one for one in known if one.id.encode() in body}
    if not calls:
        return body
    try:
        edits = _Edits(body, facts.api, calls).all()
        changed = replaced(body, edits)
        return changed if edits and _is_only_restored(read_object(body), read_object(changed)) else body
    except (WireError, ValueError, RecursionError, KeyError):
        return body


class _Edits:
    """What is to be changed in one request. A result is, where its call was."""

    def __init__(self, body: bytes, api: Api, calls: Mapping[str, Restoration]) -> None:
        self._body, self._api, self._calls = body, api, calls
        self._met: set[str] = set()

    def all(self) -> list[tuple[Span, bytes]]:
        body = self._body
        start, end = members(body, (0, len(body)))[CONVERSATION[self._api]]
        turns = elements(body, (start, end)) if body[start:end].startswith(b"[") else []
        parts = [part for turn in turns for part in _parts(body, turn, self._api)]
        return [edit for part in parts for edit in self._of(part)]

    def _of(self, part: Span) -> Iterator[tuple[Span, bytes]]:
        value, spans = read_object(self._body[part[0] : part[1]]), members(self._body, part)
        match value:
            case {"type": "tool_use", "id": id_, "name": name, "input": given}:
                if kept := self._found(id_, name, given):
                    yield spans["name"], write_json(kept.name)
                    yield spans["input"], kept.input_text.encode()
            case {"type": "function_call", "call_id": id_, "name": name, "arguments": str(text)}:
                if kept := self._found(id_, name, read_json(text)):
                    yield from _function(spans, kept)
            case {"id": id_, "function": {"name": name, "arguments": str(text)}}:
                if kept := self._found(id_, name, read_json(text)):
                    yield from _function(members(self._body, spans["function"]), kept)
            case {"tool_use_id": id_, "content": told} | {"tool_call_id": id_, "content": told}:
                yield from self._result(id_, told, spans["content"])
            case {"type": "function_call_output", "call_id": id_, "output": told}:
                yield from self._result(id_, told, spans["output"])

    def _found(self, id_: object, name: object, given: object) -> Restoration | None:
        """The call that this one took the place of."""
        kept = self._calls.get(id_) if isinstance(id_, str) else None
        if kept is None or (name, given) != (kept.substitute.name, kept.substitute.input):
            return None
        self._met.add(kept.id)
        return kept

    def _result(self, id_: object, told: object, span: Span) -> Iterator[tuple[Span, bytes]]:
        """Only what the harmless call has printed: whatever else became of it is for the model to know."""
        kept = self._calls.get(id_) if isinstance(id_, str) and id_ in self._met else None
        if kept is not None and kept.mark in write_json(told).decode():
            yield span, write_json(kept.words)


def _function(spans: Mapping[str, Span], kept: Restoration) -> Iterator[tuple[Span, bytes]]:
    yield spans["name"], write_json(kept.name)
    yield spans["arguments"], write_json(kept.input_text)


def _parts(body: bytes, turn: Span, api: Api) -> list[Span]:
    """The blocks of a message, its calls, or the item itself."""
    if api == "responses":
        return [turn]
    fields = members(body, turn)
    held = fields.get("content" if api == "anthropic" else "tool_calls")
    inner = elements(body, held) if held and body[held[0] : held[1]].startswith(b"[") else []
    return inner if api == "anthropic" else [*inner, turn]


def _is_only_restored(before: Any, after: Any, key: str = "") -> bool:
    """Whether nothing differs but what a call and its result say."""
    if key in _CHANGING and before != after and not isinstance(before, list):
        return True
    if isinstance(before, dict) and isinstance(after, dict):
        return [*before] == [*after] and all(_is_only_restored(before[name], after[name], name) for name in before)
    if isinstance(before, list) and isinstance(after, list):
        return len(before) == len(after) and all(map(_is_only_restored, before, after))
    return bool(before == after) or (key in _CHANGING and isinstance(after, str))
