"""OpenAI Responses: how an answer streams, and how it looks as a whole.

A client acts when an item is done. All events of a call wait, from the one that adds it. The thoughts before it stream
as they come; only the event that they are done waits for what they lead to, because thoughts that lead to nothing must
not stay in the conversation, and a call must not stay without its thoughts. Codex keeps what is done, and gets no such
event for thoughts that led to nothing. The SDK of OpenAI refuses an answer with items that are not done, and keeps what
the last event says: there they are done, and left out at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from leeboard.wire import response_items
from leeboard.wire.docket import AMBIGUOUS, CallRun, Docket, HeldCall, closing_words, read_arguments
from leeboard.wire.passages import Passages
from leeboard.wire.response_items import is_call, is_thought, read_call
from leeboard.wire.seam import Reasoning, WireCall
from leeboard.wire.sse import as_int, event_name, payload, payloads, read_object, render, replace_data, replace_number
from leeboard.wire.waiting import Part, PiecedText

_BULK = re.compile(
    rb"(?:event: response\.[a-z_.]+\.delta\r?\n"
    rb'data: \{"type": ?"response\.[a-z_.]+\.delta"'
    rb'(?:, ?"(?!type")[a-z_]++": ?(?:"(?:[^"\\\r\n]++|\\[^\r\n])*+"|\d++|\[\]|null))*+'
    rb"\}\r?\n\r?\n)++"
)
"""As OpenAI writes them, with one type each: what is written otherwise is read, whatever its event is called."""
_NUMBER = b'"sequence_number"'
_ENDS = frozenset((b"response.completed", b"response.incomplete", b"response.failed"))


class _Frame(msgspec.Struct):
    """Every field may have any type, so that one odd value hides no other."""

    type: object = ""
    output_index: object = -1
    sequence_number: object = -1
    delta: object = None
    response: object = None

    @property
    def place(self) -> int:
        return -1 if (found := as_int(self.output_index)) is None else found

    @property
    def number(self) -> int:
        return self.sequence_number if isinstance(self.sequence_number, int) else -1


_FRAME = msgspec.json.Decoder(_Frame)


class _Group:
    """Thoughts, and the calls that they led to."""

    def __init__(self) -> None:
        self.run = CallRun()
        self.is_over = False


class _Thought:
    """The event that a thought is done."""

    def __init__(self, group: _Group) -> None:
        self._group = group

    @property
    def may_go(self) -> bool:
        return self._group.run.has_left or (self._group.is_over and self._group.run.may_go)

    @property
    def is_refused(self) -> bool:
        return bool(self._group.run.calls) and not self._group.run.has_left


class _Call:
    """A call, and whether the client was given anything in its place yet."""

    def __init__(self, held: HeldCall) -> None:
        self.held = held
        self.is_begun = False
        self._pieces = PiecedText()

    def hear(self, told: _Frame) -> None:
        """Takes what some clients put the arguments together from; others wait for the item that is done."""
        if isinstance(told.delta, str) and not self.may_go:
            self._pieces.add(told.delta)

    def contradicts(self, call: WireCall) -> bool:
        """Whether the pieces are other arguments than the item has."""
        pieced = str(self._pieces)
        if not pieced or pieced == call.input_text:
            return False
        return call.input is None or read_arguments(pieced)[0] != call.input

    @property
    def may_go(self) -> bool:
        return self.held.may_go

    @property
    def is_refused(self) -> bool:
        return self.held.is_refused


class ResponsesStream:
    """How the Responses API streams calls and text, for the rewriter that holds calls back."""

    def __init__(self, docket: Docket, *, keeps_what_is_done: bool = False) -> None:
        self.passages = Passages(_read_passage)
        self._docket = docket
        self._keeps_what_is_done = keeps_what_is_done
        self._group = _Group()
        self._open: dict[int, _Call] = {}
        self._known: dict[str, HeldCall] = {}
        self._places: dict[int, int] = {}
        self._shift = 0
        self._numbers = 0
        self._next = 0

    @property
    def is_plain(self) -> bool:
        return not (self._shift or self._numbers or any(opened.is_refused for opened in self._open.values()))

    def is_bulk(self, raw: bytes) -> bool:
        return _BULK.fullmatch(raw) is not None

    def read(self, frame: bytes) -> Part | None:
        told = _read_frame(frame) if payload(frame) else _Frame()
        name = _kind(told, frame)
        if name == b"response.output_item.added":
            return self._begin(*_item(frame))
        if name == b"response.output_item.done":
            return self._end(*_item(frame))
        if name in _ENDS:
            return self._end_all(told.response, name)
        if isinstance(told.response, dict) and told.response.get("output"):
            return self._unseen(told.response)
        if name == b"error":
            self._break_off(read_object(payload(frame)))
        elif opened := self._open.get(told.place):
            opened.hear(told)
            return opened
        else:
            self.passages.add(frame)
        return None

    def write(self, frame: bytes, part: Part | None) -> bytes:
        if isinstance(part, _Call) and part.is_refused:
            return self._write_refused(frame, part)
        if isinstance(part, _Thought) and part.is_refused and self._keeps_what_is_done:
            return self._dropped(frame)
        if self.is_plain and self.is_bulk(frame):
            return frame
        name = _name(frame)
        if name in _ENDS and self._docket.is_changed:
            return self._write_end(frame)
        if isinstance(part, CallRun) and part.is_refused:
            return self._renumbered(self._without_refused(frame))
        if name == b"response.output_item.added":
            index = _read_frame(frame).place
            self._places[index] = index - self._shift
            self._next = self._places[index] + 1
        return frame if self.is_plain else self._renumbered(frame)

    def finish(self, *, cut: bool) -> None:  # noqa: ARG002 - what is not done by now never will be, cut or not
        self._group.is_over = True
        self._docket.abandon()

    # Reading.

    def _begin(self, index: int, item: dict[str, Any]) -> Part | None:
        self.passages.end()
        if is_call(item):
            opened = self._open[index] = _Call(self._docket.open())
            self._group.run.add(opened.held)
            return opened
        if not is_thought(item) or self._group.run.calls:
            self._close_group()
        if is_thought(item) or item.get("type") == "message":
            self.passages.begin(index)
        return None

    def _end(self, index: int, item: dict[str, Any]) -> Part | None:
        self.passages.end()
        if is_thought(item):
            return _Thought(self._group)
        if not is_call(item):
            return None
        opened = self._open.pop(index, None)
        if opened is None:
            opened = _Call(self._docket.open())
            self._group.run.add(opened.held)
        self._complete(opened, item, index)
        return opened

    def _end_all(self, told: object, name: bytes) -> Part:
        """The end repeats all items, and may have calls that were not seen before: it waits for those."""
        response = told if isinstance(told, dict) else {}
        unseen = self._unseen(response)
        self.finish(cut=False)
        _note(self._docket, response)
        self._docket.is_complete = name != b"response.failed"
        return unseen

    def _unseen(self, response: dict[str, Any]) -> CallRun:
        """The calls that a response tells of, and that were not seen before as they stand there."""
        unseen = CallRun()
        for index, item in enumerate(_output(response)):
            if not is_call(item):
                continue
            call = read_call(item, index)
            known = self._known.get(call.id)
            if known is None or not _is_same(known.call, call):
                opened = self._open.pop(index, None) or _Call(self._docket.open())
                unseen.add(opened.held)
                self._complete(opened, item, index)
        return unseen

    def _complete(self, opened: _Call, item: dict[str, Any], index: int) -> None:
        call = read_call(item, index)
        self._known[call.id] = opened.held
        if opened.contradicts(call):
            call = msgspec.structs.replace(call, unreadable=AMBIGUOUS)
        self._docket.complete(opened.held, call)

    def _break_off(self, told: dict[str, Any]) -> None:
        self.finish(cut=False)
        error = told.get("error")
        error = error if isinstance(error, dict) else told
        self._docket.error = str(error.get("message") or error.get("code") or "error")

    def _close_group(self) -> None:
        self._group.is_over = True
        self._group = _Group()

    # Writing.

    def _write_refused(self, frame: bytes, call: _Call) -> bytes:
        """A substitute is written whole where the call began."""
        if call.is_begun:
            return self._dropped(frame)
        call.is_begun = True
        index, item = _item(frame)
        if call.held.substitute is None:
            self._shift += 1
            return self._dropped(frame)
        place = index - self._shift
        self._next = place + 1
        done = response_items.substituted(item, call.held.substitute)
        return self._inserted(frame, _call_events(place, done), instead=True)

    def _without_refused(self, frame: bytes) -> bytes:
        told = read_object(payload(frame))
        told["response"]["output"] = response_items.edit(_output(told["response"]), self._known)
        return replace_data(frame, told)

    def _write_end(self, frame: bytes) -> bytes:
        told = read_object(payload(frame))
        response = told.get("response")
        if not isinstance(response, dict):
            return self._renumbered(frame)
        output = _output(response)
        items = response_items.edit(output, self._known)
        written = b""
        if words := closing_words(self._docket.calls):
            items.append(response_items.message(words, str(response.get("id"))))
            written = self._inserted(frame, _message_events(self._next, items[-1]), instead=False)
        if items != output:
            response["output"] = items
            frame = replace_data(frame, told)
        return written + self._renumbered(frame)

    def _dropped(self, frame: bytes) -> bytes:
        self._numbers -= _NUMBER in frame
        return b""

    def _inserted(self, frame: bytes, events: Iterator[dict[str, Any]], *, instead: bool) -> bytes:
        """Events before the frame or instead of it, numbered on where the frames are numbered."""
        first = _read_frame(frame).number
        numbered = []
        for offset, told in enumerate(events):
            if first >= 0:
                told["sequence_number"] = first + self._numbers + offset
            numbered.append(render(told["type"], told))
        if first >= 0:
            self._numbers += len(numbered) - instead
        return b"".join(numbered)

    def _renumbered(self, frame: bytes) -> bytes:
        told = _read_frame(frame)
        place = self._places.get(told.place, told.place)
        if place != told.place:
            frame = replace_number(frame, "output_index", place)
        if self._numbers and told.number >= 0:
            frame = replace_number(frame, "sequence_number", told.number + self._numbers)
        return frame


class ResponsesObject:
    """The shape of a response that comes whole."""

    def __init__(self, docket: Docket) -> None:
        self._docket = docket
        self._calls: dict[str, HeldCall] = {}

    def read(self, body: dict[str, Any]) -> tuple[Reasoning, ...]:
        said: list[Reasoning] = []
        for index, item in enumerate(_output(body)):
            if is_call(item):
                call = read_call(item, index)
                self._calls[call.id] = self._docket.open()
                self._docket.complete(self._calls[call.id], call)
            else:
                said += response_items.read_thought(item, index)
        _note(self._docket, body)
        self._docket.is_complete = body.get("object") == "response"
        return tuple(said)

    def write(self, body: dict[str, Any]) -> dict[str, Any]:
        items = response_items.edit(_output(body), self._calls)
        if words := closing_words(self._docket.calls):
            items.append(response_items.message(words, str(body.get("id"))))
        return {**body, "output": items}


def _note(docket: Docket, response: dict[str, Any]) -> None:
    usage, error = response.get("usage"), response.get("error")
    if isinstance(usage, dict):
        docket.usage = response_items.read_usage(usage)
    if isinstance(error, dict):
        docket.error = str(error.get("message") or "error")
    docket.stop_reason = str(response.get("status") or "")


def _output(response: dict[str, Any]) -> list[dict[str, Any]]:
    output = response.get("output")
    return [item for item in output if isinstance(item, dict)] if isinstance(output, list) else []


def _name(frame: bytes) -> bytes:
    return _kind(_read_frame(frame), frame) if payload(frame) else b""


def _kind(told: _Frame, frame: bytes) -> bytes:
    """By its data, as every reader takes it. The event only names what has no type."""
    kind = told.type
    return kind.encode("utf-8", "replace") if kind and isinstance(kind, str) else event_name(frame)


def _read_frame(frame: bytes) -> _Frame:
    data = payload(frame)
    try:
        return _FRAME.decode(data)
    except (ValueError, RecursionError):
        return msgspec.convert(read_object(data), _Frame)


def _item(frame: bytes) -> tuple[int, dict[str, Any]]:
    told = read_object(payload(frame))
    index, item = as_int(told.get("output_index")), told.get("item")
    return (-1 if index is None else index), (item if isinstance(item, dict) else {})


def _is_same(known: WireCall | None, call: WireCall) -> bool:
    return known is not None and (known.name, known.input_text) == (call.name, call.input_text)


def _read_passage(raw: bytes) -> tuple[str, str]:
    thought: list[str] = []
    said: list[str] = []
    for data in payloads(raw):
        try:
            told = _FRAME.decode(data)
        except (ValueError, RecursionError):
            continue
        if isinstance(told.delta, str):
            (thought if "reasoning" in str(told.type) else said).append(told.delta)
    return "".join(thought), "".join(said)


def _call_events(place: int, item: dict[str, Any]) -> Iterator[dict[str, Any]]:
    about = {"item_id": item.get("id"), "output_index": place}
    arguments = item["arguments"]
    begun = {**item, "arguments": "", "status": "in_progress"}
    yield {"type": "response.output_item.added", "output_index": place, "item": begun}
    yield {"type": "response.function_call_arguments.delta", **about, "delta": arguments}
    done = {"type": "response.function_call_arguments.done", **about, "arguments": arguments, "name": item["name"]}
    yield done
    yield {"type": "response.output_item.done", "output_index": place, "item": item}


def _message_events(place: int, item: dict[str, Any]) -> Iterator[dict[str, Any]]:
    about = {"item_id": item["id"], "output_index": place, "content_index": 0}
    part = item["content"][0]
    begun = {**item, "status": "in_progress", "content": []}
    yield {"type": "response.output_item.added", "output_index": place, "item": begun}
    yield {"type": "response.content_part.added", **about, "part": {**part, "text": ""}}
    yield {"type": "response.output_text.delta", **about, "delta": part["text"], "logprobs": []}
    yield {"type": "response.output_text.done", **about, "text": part["text"], "logprobs": []}
    yield {"type": "response.content_part.done", **about, "part": part}
    yield {"type": "response.output_item.done", "output_index": place, "item": item}
