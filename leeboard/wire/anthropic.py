"""Anthropic Messages: how an answer streams, and how it looks as a whole.

What must hold of every answer that leaves here: block numbers without a gap that was not there before, each block with
one start and one stop, nothing but calls after the first call, `stop_reason` `tool_use` only with a call in it, and no
text that is empty. Anything else ends the session of the client for good at its next request.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from leeboard.errors import WireError
from leeboard.wire.docket import Docket, HeldCall, closing_words, read_arguments
from leeboard.wire.passages import Passages, reasonings
from leeboard.wire.seam import Reasoning, Usage, WireCall
from leeboard.wire.sse import (
    event_name,
    payload,
    payloads,
    read_object,
    render,
    replace_data,
    replace_number,
    write_json,
)
from leeboard.wire.waiting import Part, PiecedText

_BULK = re.compile(rb"(?:event: (?:content_block_delta|ping)\r?\ndata: [^\r\n]*+\r?\n\r?\n)++")
_BLOCK_EVENTS = frozenset((b"content_block_start", b"content_block_delta", b"content_block_stop"))


class _Delta(msgspec.Struct):
    text: str = ""
    thinking: str = ""
    partial_json: str = ""


class _DeltaFrame(msgspec.Struct):
    index: int = -1
    delta: _Delta = msgspec.field(default_factory=_Delta)


_DELTA = msgspec.json.Decoder(_DeltaFrame)


class _OpenCall:
    """A call that is being written."""

    __slots__ = ("arguments", "block", "held", "index")

    def __init__(self, index: int, block: dict[str, Any], held: HeldCall) -> None:
        self.index = index
        self.block = block
        self.held = held
        self.arguments = PiecedText()

    def finished(self) -> WireCall:
        return _call(self.block, self.index, str(self.arguments))


class AnthropicStream:
    """The dialect of a streamed message."""

    def __init__(self, docket: Docket) -> None:
        self.passages = Passages(_read_passage)
        self._docket = docket
        self._open: dict[int, _OpenCall] = {}
        self._places: dict[int, int] = {}
        self._shift = 0
        self._next = 0

    @property
    def is_plain(self) -> bool:
        return not self._shift and not any(opened.held.is_refused for opened in self._open.values())

    def is_bulk(self, raw: bytes) -> bool:
        return _BULK.fullmatch(raw) is not None

    def read(self, frame: bytes) -> Part | None:
        match _name(frame):
            case b"content_block_start":
                return self._begin(read_object(payload(frame)))
            case b"content_block_delta":
                return self._continue(frame)
            case b"content_block_stop":
                return self._end(_read_delta(frame).index)
            case b"message_start":
                self._read_usage(read_object(payload(frame)).get("message"))
            case b"message_delta":
                self.finish(cut=False)
                told = read_object(payload(frame))
                self._read_usage(told)
                self._docket.stop_reason = _stop_reason(told.get("delta"))
            case b"message_stop":
                self._docket.is_complete = True
            case b"error":
                self._docket.abandon()
                self._docket.error = _error_text(read_object(payload(frame)))
        return None

    def write(self, frame: bytes, part: Part | None) -> bytes:
        name = _name(frame)
        if isinstance(part, HeldCall) and part.is_refused:
            return self._write_refused(frame, name, part)
        if name == b"message_delta":
            return self._write_end(frame)
        return self._renumbered(frame, name) if name in _BLOCK_EVENTS else frame

    def finish(self, *, cut: bool) -> None:
        if cut:
            self._docket.abandon()
        for index in list(self._open):
            self._end(index)

    # Reading.

    def _begin(self, told: dict[str, Any]) -> Part | None:
        index, block = told.get("index"), told.get("content_block")
        self.passages.end()
        if not isinstance(index, int) or not isinstance(block, dict):
            return None
        match block.get("type"):
            case "tool_use":
                opened = self._open[index] = _OpenCall(index, block, self._docket.open())
                return opened.held
            case "text" | "thinking":
                self.passages.begin(index)
        return None

    def _continue(self, frame: bytes) -> Part | None:
        if not self._open:
            self.passages.add(frame)
            return None
        told = _read_delta(frame)
        opened = self._open.get(told.index)
        if opened is None:
            self.passages.add(frame)
            return None
        if not opened.held.may_go:
            opened.arguments.add(told.delta.partial_json)
        return opened.held

    def _end(self, index: int) -> Part | None:
        opened = self._open.pop(index, None)
        if opened is None:
            self.passages.end()
            return None
        self._docket.complete(opened.held, opened.finished())
        return opened.held

    def _read_usage(self, holder: object) -> None:
        usage = holder.get("usage") if isinstance(holder, dict) else None
        if isinstance(usage, dict):
            self._docket.usage = read_usage(usage, self._docket.usage)

    # Writing.

    def _renumbered(self, frame: bytes, name: bytes) -> bytes:
        if name != b"content_block_start" and not self._shift:
            return frame
        index = _read_delta(frame).index
        place = self._places.get(index, index)
        if name == b"content_block_start":
            place = self._places[index] = index - self._shift
            self._next = place + 1
        return frame if place == index else replace_number(frame, "index", place)

    def _write_refused(self, frame: bytes, name: bytes, held: HeldCall) -> bytes:
        """Of a substitute all is written where the call began."""
        if name != b"content_block_start":
            return b""
        index = _read_delta(frame).index
        if held.substitute is None:
            self._shift += 1
            return b""
        place = index - self._shift
        self._next = place + 1
        block = {**read_object(payload(frame))["content_block"], "name": held.substitute.name, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": write_json(held.substitute.input).decode()}
        return _block_frames(place, block, delta)

    def _write_end(self, frame: bytes) -> bytes:
        """The words for withheld calls go before it, where nothing but words is left."""
        if not (text := closing_words(self._docket.calls)):
            return frame
        delta = {"type": "text_delta", "text": text}
        words = _block_frames(self._next, {"type": "text", "text": ""}, delta)
        told = read_object(payload(frame))
        if _stop_reason(told.get("delta")) != "tool_use":
            return words + frame
        told["delta"]["stop_reason"] = "end_turn"
        return words + replace_data(frame, told)


class AnthropicMessage:
    """The shape of a message that comes whole."""

    def __init__(self, docket: Docket) -> None:
        self._docket = docket
        self._calls: dict[int, HeldCall] = {}

    def read(self, body: dict[str, Any]) -> tuple[Reasoning, ...]:
        said: list[Reasoning] = []
        for index, block in enumerate(_blocks(body)):
            match block:
                case {"type": "tool_use"}:
                    self._calls[index] = self._docket.open()
                    self._docket.complete(self._calls[index], _call(block, index, ""))
                case {"type": "text", "text": str(text)}:
                    said += reasonings("", text, index)
                case {"type": "thinking", "thinking": str(text)}:
                    said += reasonings(text, "", index)
        self._docket.stop_reason = _stop_reason(body)
        self._docket.is_complete = body.get("type") == "message"
        usage = body.get("usage")
        self._docket.usage = read_usage(usage, Usage()) if isinstance(usage, dict) else Usage()
        return tuple(said)

    def write(self, body: dict[str, Any]) -> dict[str, Any]:
        content = []
        for index, block in enumerate(_blocks(body)):
            held = self._calls.get(index)
            if held is None or not held.is_refused:
                content.append(block)
            elif held.substitute:
                content.append({**block, "name": held.substitute.name, "input": held.substitute.input})
        changed = {**body, "content": content}
        if words := closing_words(self._docket.calls):
            content.append({"type": "text", "text": words})
            if _stop_reason(body) == "tool_use":
                changed["stop_reason"] = "end_turn"
        return changed


def read_usage(usage: dict[str, Any], before: Usage) -> Usage:
    """What the usage of a message says; what it leaves out is as it was said before."""

    def count(key: str, known: int) -> int:
        found = usage.get(key)
        return found if isinstance(found, int) else known

    return Usage(
        input=count("input_tokens", before.input),
        output=count("output_tokens", before.output),
        cache_read=count("cache_read_input_tokens", before.cache_read),
        cache_creation=count("cache_creation_input_tokens", before.cache_creation),
    )


def _name(frame: bytes) -> bytes:
    name = event_name(frame)
    if name or not (data := payload(frame)):
        return name
    kind = read_object(data).get("type")
    return kind.encode() if isinstance(kind, str) else b""


def _read_delta(frame: bytes) -> _DeltaFrame:
    data = payload(frame)
    try:
        return _DELTA.decode(data)
    except (ValueError, RecursionError):
        try:
            return msgspec.convert(read_object(data), _DeltaFrame)
        except msgspec.ValidationError as wrong:
            raise WireError("a part of a message is not as Anthropic writes it") from wrong


def _read_passage(raw: bytes) -> tuple[str, str]:
    deltas = []
    for data in payloads(raw):
        try:
            deltas.append(_DELTA.decode(data).delta)
        except (ValueError, RecursionError):
            continue
    return "".join(delta.thinking for delta in deltas), "".join(delta.text for delta in deltas)


def _blocks(body: dict[str, Any]) -> list[dict[str, Any]]:
    content = body.get("content")
    return [block if isinstance(block, dict) else {} for block in content] if isinstance(content, list) else []


def _call(block: dict[str, Any], index: int, written: str) -> WireCall:
    arguments: object = block.get("input") or {}
    text = written or write_json(arguments).decode()
    found, unreadable = read_arguments(text)
    name, call_id = block.get("name"), block.get("id")
    return WireCall(
        id=call_id if isinstance(call_id, str) else f"tool_use_{index}",
        name=name if isinstance(name, str) else "",
        input=found,
        input_text=text,
        index=index,
        unreadable=unreadable,
    )


def _block_frames(index: int, block: dict[str, Any], delta: dict[str, Any]) -> bytes:
    start = {"type": "content_block_start", "index": index, "content_block": block}
    middle = {"type": "content_block_delta", "index": index, "delta": delta}
    stop = {"type": "content_block_stop", "index": index}
    return b"".join(render(str(told["type"]), told) for told in (start, middle, stop))


def _stop_reason(holder: object) -> str:
    reason = holder.get("stop_reason") if isinstance(holder, dict) else None
    return reason if isinstance(reason, str) else ""


def _error_text(told: dict[str, Any]) -> str:
    error = told.get("error")
    return f"{error.get('type', 'error')}: {error.get('message', '')}" if isinstance(error, dict) else "error"
