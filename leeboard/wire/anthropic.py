"""Anthropic Messages: how an answer streams, and how it looks as a whole.

What must hold of every answer that leaves here: block numbers without a gap that was not there before, each block with
one start and one stop, nothing but calls after the first call, `stop_reason` `tool_use` only with a call in it, and no
text that is empty. Anything else ends the session of the client for good at its next request.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from leeboard.wire.docket import AMBIGUOUS, CallRun, Docket, HeldCall, closing_words, read_arguments
from leeboard.wire.passages import Passages, reasonings
from leeboard.wire.seam import Reasoning, Usage, WireCall
from leeboard.wire.sse import (
    as_int,
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

_BULK = re.compile(
    rb"(?:event: (?:"
    rb'ping\r?\ndata: \{"type": ?"ping" ?\}|'
    rb'content_block_delta\r?\ndata: \{"type": ?"content_block_delta", ?"index": ?\d++, ?"delta": ?'
    rb'\{"type": ?"(?:text|thinking|signature)_delta", ?"[a-z]++": ?"(?:[^"\\\r\n]++|\\[^\r\n])*+" ?\} *+\}'
    rb") *+\r?\n\r?\n)++"
)
"""As Anthropic writes them, every key at its place: what is written otherwise is read, whatever its event is called."""
_PLAIN_DELTA = re.compile(
    rb'event: content_block_delta\r?\ndata: \{"type": ?"content_block_delta", ?"index": ?\d++, ?"delta": ?'
    rb'\{"type": ?"[a-z_]++", ?"[a-z_]++": ?"(?:[^"\\\r\n]++|\\[^\r\n])*+" ?\} *+\} *+\r?\n\r?\n'
)
_BLOCK_EVENTS = frozenset((b"content_block_start", b"content_block_delta", b"content_block_stop"))


class _Delta(msgspec.Struct):
    """Every field may have any type, so that one odd value hides no other."""

    type: object = ""
    text: object = ""
    thinking: object = ""
    partial_json: object = ""

    @property
    def arguments(self) -> str:
        """What readers add to the arguments of a call."""
        return self.partial_json if self.type == "input_json_delta" and isinstance(self.partial_json, str) else ""


class _DeltaFrame(msgspec.Struct):
    type: object = ""
    index: object = None
    delta: _Delta = msgspec.field(default_factory=_Delta)

    @property
    def place(self) -> int:
        found = as_int(self.index)
        return _NOWHERE if found is None else found


_DELTA = msgspec.json.Decoder(_DeltaFrame)
_NOWHERE = -(1 << 31)
"""The number of a block that has none."""


class _OpenCall:
    """A call that is being written."""

    __slots__ = ("arguments", "block", "held", "index", "is_ambiguous", "is_named")

    def __init__(self, index: int, block: dict[str, Any], held: HeldCall, *, is_named: bool) -> None:
        self.index = index
        self.block = block
        self.held = held
        self.arguments = PiecedText()
        self.is_named = is_named
        """Its frames say in `event:` what they are. Some readers skip those that do not, others never look there."""
        self.is_ambiguous = False

    def finished(self) -> WireCall:
        call = _call(self.block, self.index, str(self.arguments))
        return msgspec.structs.replace(call, unreadable=AMBIGUOUS) if self.is_ambiguous else call

    def heard_from(self, frame: bytes, kind: bytes) -> None:
        """Notes whether all readers take this frame for what it is."""
        self.is_ambiguous |= event_name(frame) != (kind if self.is_named else b"")


class AnthropicStream:
    """The dialect of a streamed message."""

    def __init__(self, docket: Docket) -> None:
        self.passages = Passages(_read_passage)
        self._docket = docket
        self._open: dict[int, _OpenCall] = {}
        self._begun: list[_OpenCall | None] = []
        """All blocks in the order in which they began, with None for what is no call. The SDKs count; others go by the
        number that the block was given, which is `_numbered`."""
        self._numbered: dict[int, _OpenCall | None] = {}
        self._places: dict[int, int] = {}
        self._shift = 0
        self._next = 0

    @property
    def is_plain(self) -> bool:
        return not self._shift and not any(opened.held.is_refused for opened in self._open.values())

    def is_bulk(self, raw: bytes) -> bool:
        return _BULK.fullmatch(raw) is not None

    def read(self, frame: bytes) -> Part | None:
        if not payload(frame):
            return None
        told = _read_delta(frame)
        match _kind(told, frame):
            case b"content_block_start":
                return self._begin(frame)
            case b"content_block_delta":
                return self._continue(frame, told)
            case b"content_block_stop":
                return self._stop(frame, told.place)
            case b"message_start":
                return self._begin_message(read_object(payload(frame)).get("message"))
            case b"message_delta":
                self.finish(cut=False)
                ended = read_object(payload(frame))
                self._read_usage(ended)
                self._docket.stop_reason = _stop_reason(ended.get("delta"))
            case b"message_stop":
                self._docket.is_complete = True
            case b"error":
                self._docket.abandon()
                self._docket.error = _error_text(read_object(payload(frame)))
        return None

    def write(self, frame: bytes, part: Part | None) -> bytes:
        is_refused = part is not None and part.is_refused
        if not is_refused and not self._shift and _PLAIN_DELTA.fullmatch(frame):
            return frame
        name = _name(frame)
        if isinstance(part, HeldCall) and part.is_refused:
            return self._write_refused(frame, name, part)
        if isinstance(part, _Beginning) and part.is_refused:
            return self._write_beginning(frame, part)
        if name == b"message_delta":
            return self._write_end(frame)
        return self._renumbered(frame, name) if name in _BLOCK_EVENTS else frame

    def finish(self, *, cut: bool) -> None:
        if cut:
            self._docket.abandon()
        for index in list(self._open):
            self._end(index)

    # Reading.

    def _begin_message(self, message: object) -> Part | None:
        """As a rule it is empty. The SDKs keep what it has, and act on it."""
        self._read_usage(message)
        blocks = _blocks(message) if isinstance(message, dict) else []
        beginning = _Beginning()
        self._next = len(blocks)
        for index, block in enumerate(blocks):
            opened = None
            if block.get("type") == "tool_use":
                opened = _OpenCall(index, block, self._docket.open(), is_named=True)
                self._docket.complete(opened.held, opened.finished())
                beginning.add_at(index, opened.held)
            self._begun.append(opened)
        return beginning if beginning.calls else None

    def _begin(self, frame: bytes) -> Part | None:
        told = read_object(payload(frame))
        index, block = as_int(told.get("index")), told.get("content_block")
        index = _NOWHERE if index is None else index
        self.passages.end()
        if (shadowed := self._open.get(index)) is not None:
            shadowed.is_ambiguous = True
            self._end(index)
        opened = None
        if isinstance(block, dict) and block.get("type") == "tool_use":
            opened = _OpenCall(index, block, self._docket.open(), is_named=bool(event_name(frame)))
            opened.heard_from(frame, b"content_block_start")
            opened.is_ambiguous |= shadowed is not None
            self._open[index] = opened
        elif isinstance(block, dict) and block.get("type") in {"text", "thinking"}:
            self.passages.begin(index)
        self._begun.append(opened)
        self._numbered[index] = opened
        return opened.held if opened else None

    def _continue(self, frame: bytes, told: _DeltaFrame) -> Part | None:
        opened = self._open.get(told.place)
        if opened is not None:
            opened.heard_from(frame, b"content_block_delta")
        if told.delta.arguments and (held := self._disputed(told, opened)):
            return held
        if opened is None:
            self.passages.add(frame)
            return None
        if not opened.held.may_go:
            opened.arguments.add(told.delta.arguments)
        return opened.held

    def _disputed(self, told: _DeltaFrame, opened: _OpenCall | None) -> HeldCall | None:
        """What arguments wait for that one reader adds to another call than the next, or to one that is complete."""
        index, count = told.place, len(self._begun)
        counted = self._begun[index] if -count <= index < count else None
        takers = [call for call in (opened, counted, self._numbered.get(index)) if call is not None]
        if all(call is opened for call in takers):
            return None
        still_open = [call for call in takers if call in self._open.values()]
        for call in still_open:
            call.is_ambiguous = True
        if still_open:
            return still_open[0].held
        held = self._docket.open()
        self._docket.complete(held, _call(takers[0].block, index, told.delta.arguments))
        return held

    def _stop(self, frame: bytes, index: int) -> Part | None:
        if (opened := self._open.get(index)) is not None:
            opened.heard_from(frame, b"content_block_stop")
        return self._end(index)

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
        index = _read_delta(frame).place
        if index == _NOWHERE:
            return frame
        place = self._places.get(index, index)
        if name == b"content_block_start":
            place = self._places[index] = index - self._shift
            self._next = place + 1
        return frame if place == index else replace_number(frame, "index", place)

    def _write_refused(self, frame: bytes, name: bytes, held: HeldCall) -> bytes:
        """A substitute is written whole where the call began."""
        if name != b"content_block_start":
            return b""
        index = _read_delta(frame).place
        if held.substitute is None:
            self._shift += 1
            return b""
        place = index - self._shift
        self._next = place + 1
        block = {**read_object(payload(frame))["content_block"], "name": held.substitute.name, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": write_json(held.substitute.input).decode()}
        return _block_frames(place, block, delta)

    def _write_beginning(self, frame: bytes, beginning: _Beginning) -> bytes:
        """The event without the calls that are refused, or with what stands for them."""
        told = read_object(payload(frame))
        blocks = _blocks(told["message"])
        kept = beginning.settled(blocks)
        self._shift += len(blocks) - len(kept)
        self._next = len(kept)
        return replace_data(frame, {**told, "message": {**told["message"], "content": kept}})

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


class _Beginning(CallRun):
    """The calls that stand in the event that begins a message."""

    def __init__(self) -> None:
        super().__init__()
        self._places: dict[int, HeldCall] = {}

    def add_at(self, index: int, held: HeldCall) -> None:
        self.add(held)
        self._places[index] = held

    def settled(self, blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return _settled(blocks, self._places)


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
        content = _settled(_blocks(body), self._calls)
        changed = {**body, "content": content}
        if words := closing_words(self._docket.calls):
            content.append({"type": "text", "text": words})
            if _stop_reason(body) == "tool_use":
                changed["stop_reason"] = "end_turn"
        return changed


def _settled(blocks: list[dict[str, Any]], calls: Mapping[int, HeldCall]) -> list[dict[str, Any]]:
    """The blocks without the calls that are refused, or with what stands for them; the calls by their places."""
    kept = []
    for index, block in enumerate(blocks):
        held = calls.get(index)
        if held is None or not held.is_refused:
            kept.append(block)
        elif held.substitute:
            kept.append({**block, "name": held.substitute.name, "input": held.substitute.input})
    return kept


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
    return _kind(_read_delta(frame), frame) if payload(frame) else b""


def _kind(told: _DeltaFrame, frame: bytes) -> bytes:
    """By its data, as every reader takes it. The event only names what has no type."""
    kind = told.type
    return kind.encode("utf-8", "replace") if kind and isinstance(kind, str) else event_name(frame)


def _read_delta(frame: bytes) -> _DeltaFrame:
    data = payload(frame)
    try:
        return _DELTA.decode(data)
    except (ValueError, RecursionError):
        told = read_object(data)
        delta = told.get("delta")
        found = msgspec.convert(delta, _Delta) if isinstance(delta, dict) else _Delta()
        return _DeltaFrame(told.get("type"), told.get("index"), found)


def _read_passage(raw: bytes) -> tuple[str, str]:
    deltas = []
    for data in payloads(raw):
        try:
            deltas.append(_DELTA.decode(data).delta)
        except (ValueError, RecursionError):
            continue
    thought = (delta.thinking for delta in deltas if isinstance(delta.thinking, str))
    said = (delta.text for delta in deltas if isinstance(delta.text, str))
    return "".join(thought), "".join(said)


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
