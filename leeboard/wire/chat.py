"""OpenAI Chat Completions: how an answer streams, and how it looks as a whole.

A call has no end of its own: it is complete when its choice says why it finished. From the first piece of a call on all
frames wait. Where no call of a choice is refused they go on as they came; else its calls are written anew, each in one
piece and counted from zero, before a frame that says nothing but the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from leeboard.errors import WireError
from leeboard.wire.docket import AMBIGUOUS, CallRun, Docket, HeldCall, closing_words, read_arguments
from leeboard.wire.passages import Passages, reasonings
from leeboard.wire.seam import Reasoning, Usage, WireCall
from leeboard.wire.sse import payload, payloads, read_object, render, replace_data, write_json
from leeboard.wire.waiting import Part, PiecedText

_DONE = b"[DONE]"
_SPELLED_OUT = re.compile(rb"\\u00[4-7]")
"""Letters that need no escape, and can hide the key of a call behind one."""
_CALL_KEYS = ("tool_calls", "function_call")
"""So calls are spelled, and so are the reasons to finish with them."""
_APART = "\n\n"
"""Before the words that take the place of calls: a choice has one text, and something may have been said in it."""
_LEGACY = "function_call"
"""The one call of a choice as it was written before there were several."""
_SPEECH = -1
"""Words stand before all calls: a choice has one text."""


class _Piece:
    """One call of a choice, put together from its fragments."""

    def __init__(self, held: HeldCall, fallback_id: str, *, is_legacy: bool) -> None:
        self.held = held
        self._is_legacy = is_legacy
        self._fields: dict[str, Any] = {}
        self._function: dict[str, Any] = {}
        self._arguments = PiecedText()
        self._fallback_id = fallback_id
        self.is_ambiguous = False

    def add(self, fragment: dict[str, Any]) -> None:
        fields = {} if self._is_legacy else fragment
        function = fragment if self._is_legacy else fragment.get("custom") or fragment.get("function")
        self._fields |= {key: value for key, value in fields.items() if value is not None}
        self.is_ambiguous |= "custom" in self._fields and "function" in self._fields
        for key, value in function.items() if isinstance(function, dict) else ():
            if key == self._arguments_key and isinstance(value, str):
                self._arguments.add(value)
            elif value is not None:
                # One reader keeps the first name, another the last, a third puts them together.
                self.is_ambiguous |= key == "name" and self._function.get("name", "") not in {"", value}
                self._function[key] = value

    def call(self, index: int) -> WireCall:
        name, call_id = self._function.get("name"), self._fields.get("id")
        text = str(self._arguments)
        found, unreadable = (None, "") if "custom" in self._fields else read_arguments(text)
        unreadable = AMBIGUOUS if self.is_ambiguous else unreadable
        return WireCall(
            id=call_id if isinstance(call_id, str) and call_id else self._fallback_id,
            name=name if isinstance(name, str) else "",
            input=found,
            input_text=text,
            index=index,
            unreadable=unreadable,
        )

    def written(self, index: int) -> dict[str, Any]:
        """The delta that has all of the call."""
        kind = "custom" if "custom" in self._fields else "function"
        function = {**self._function, self._arguments_key: str(self._arguments)}
        if substitute := self.held.substitute:
            kind = "function"
            function = {"name": substitute.name, "arguments": write_json(substitute.input).decode()}
        if self._is_legacy:
            return {"function_call": function}
        fields = {key: value for key, value in self._fields.items() if key not in {"custom", "function"}}
        return {"tool_calls": [{**fields, "index": index, "type": kind, kind: function}]}

    @property
    def _arguments_key(self) -> str:
        return "input" if "custom" in self._fields else "arguments"


class _Choice:
    """One of the answers in an answer, with its calls."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.pieces: dict[object, _Piece] = {}
        self.run = CallRun()
        self.is_finished = False
        self.is_late = False
        """It has what is told of a choice that is finished: some readers still take it."""

    def add(self, place: object, piece: _Piece) -> None:
        self.pieces[place] = piece
        self.run.add(piece.held)

    def dispute(self, place: object) -> None:
        """Marks the calls to which readers add a fragment that go by its number, and those that count: the SDKs."""
        pieces = list(self.pieces.values())
        if isinstance(place, int) and -len(pieces) <= place < len(pieces) and pieces[place] is not self.pieces[place]:
            pieces[place].is_ambiguous = self.pieces[place].is_ambiguous = True


class _Choices:
    """The choices that a frame has pieces of calls of, or the end."""

    def __init__(self, choices: list[_Choice]) -> None:
        self.choices = choices

    @property
    def may_go(self) -> bool:
        return all(choice.run.may_go for choice in self.choices)

    @property
    def is_refused(self) -> bool:
        return any(choice.run.is_refused for choice in self.choices)


class ChatStream:
    """The dialect of a streamed completion."""

    is_plain = True

    def __init__(self, docket: Docket) -> None:
        self.passages = Passages(_read_passage)
        self.passages.begin(_SPEECH)
        self._docket = docket
        self._choices: dict[int, _Choice] = {}
        self._parts: dict[tuple[int, ...], _Choices] = {}
        self._late: dict[int, _Choice] = {}
        self._id = ""

    def is_bulk(self, raw: bytes) -> bool:
        """Frames that are whole, and each of them with a reason to finish that is null and without a call."""
        if not (raw.endswith(b"\n\n") and raw.startswith(b"data: ")) or b"\r" in raw:
            return False
        if b'"tool_calls"' in raw or b'"function_call"' in raw or b'"usage":{' in raw or b'"usage": {' in raw:
            return False
        if _SPELLED_OUT.search(raw):
            return False
        unfinished = raw.count(b'"finish_reason":null') + raw.count(b'"finish_reason": null')
        return unfinished == raw.count(b"\n\n") == raw.count(b"data: {")

    def read(self, frame: bytes) -> Part | None:
        data = payload(frame)
        if data.strip() == _DONE:
            self.finish(cut=False)
            self._docket.is_complete = True
            return None
        if not data:
            return None
        told = read_object(data)
        if isinstance(told.get("error"), dict):
            self._docket.abandon()
            self._docket.error = str(told["error"].get("message", "error"))
        if isinstance(told.get("usage"), dict):
            self._docket.usage = read_usage(told["usage"])
        self._id = str(told.get("id") or self._id)
        if any(any(_speech(_delta(fields))) for fields in _choices(told)):
            self.passages.add(frame)
        touched = [choice for fields in _choices(told) if (choice := self._read_choice(fields))]
        numbers = tuple(map(id, touched))
        return self._parts.setdefault(numbers, _Choices(touched)) if touched else None

    def write(self, frame: bytes, part: Part | None) -> bytes:
        if not isinstance(part, _Choices) or not part.is_refused:
            return frame
        refused = {choice.number: choice for choice in part.choices if choice.run.is_refused}
        told = read_object(payload(frame))
        rest, calls, ends = [], [], []
        for fields in _choices(told):
            number = _number(fields)
            choice = refused.get(number) if number >= 0 else next(iter(refused.values()))
            if choice is None:
                rest.append(fields)
                continue
            spoken = {key: value for key, value in _delta(fields).items() if key not in _CALL_KEYS}
            if choice.is_late:
                rest.append({**fields, "delta": spoken})
                continue
            rest.append({**fields, "delta": spoken, "finish_reason": None})
            if reason := fields.get("finish_reason"):
                calls += [{**fields, "delta": delta, "finish_reason": None} for delta in _deltas(choice)]
                ends.append({**fields, "delta": {}, "finish_reason": _reason(reason, choice.run.calls)})
        bare = {key: value for key, value in told.items() if key != "usage"}
        written = [render("", {**bare, "choices": [fields]}) for fields in calls]
        if any(_delta(fields) or fields.get("finish_reason") for fields in rest):
            written.insert(0, replace_data(frame, {**(bare if ends else told), "choices": rest}))
        if ends:
            written.append(replace_data(frame, {**told, "choices": ends}))
        return b"".join(written)

    def finish(self, *, cut: bool) -> None:
        if cut:
            self._docket.abandon()
        for choice in self._choices.values():
            self._finish(choice)

    def _read_choice(self, fields: dict[str, Any]) -> _Choice | None:
        """The choice, where the frame tells something of its calls."""
        number, delta, reason = self._counted(fields), _delta(fields), fields.get("finish_reason")
        choice = self._choices.setdefault(number, _Choice(number))
        if choice.is_finished:
            choice = self._late.setdefault(number, _Choice(number))
            choice.is_late = True
        fragments = delta.get("tool_calls")
        is_concerned = False
        for fragment in fragments if isinstance(fragments, list) else ():
            if isinstance(fragment, dict):
                self._add(choice, _place(fragment, choice), fragment)
                is_concerned = True
        if isinstance(delta.get("function_call"), dict):
            self._add(choice, _LEGACY, delta["function_call"])
            is_concerned = True
        if reason:
            self._docket.stop_reason = str(reason)
            self._finish(choice)
        return choice if choice.pieces and (is_concerned or reason) else None

    def _counted(self, fields: dict[str, Any]) -> int:
        """The number of a choice. The SDKs take one below zero for the last."""
        number = _number(fields)
        return number if number >= 0 or not self._choices else max(self._choices)

    def _add(self, choice: _Choice, place: object, fragment: dict[str, Any]) -> None:
        is_legacy = place == _LEGACY
        fallback = f"{self._id}:{choice.number}:{place}"
        if choice.is_late:
            late = _Piece(self._docket.open(), fallback, is_legacy=is_legacy)
            late.is_ambiguous = True
            late.add(fragment)
            choice.add(late, late)
            self._docket.complete(late.held, late.call(len(choice.pieces) - 1))
            return
        if place not in choice.pieces:
            choice.add(place, _Piece(self._docket.open(), fallback, is_legacy=is_legacy))
        choice.pieces[place].add(fragment)
        choice.dispute(place)

    def _finish(self, choice: _Choice) -> None:
        if choice.is_finished:
            return
        choice.is_finished = True
        for index, piece in enumerate(choice.pieces.values()):
            self._docket.complete(piece.held, piece.call(index))


class ChatCompletion:
    """The shape of a completion that comes whole."""

    def __init__(self, docket: Docket) -> None:
        self._docket = docket
        self._choices: dict[int, _Choice] = {}

    def read(self, body: dict[str, Any]) -> tuple[Reasoning, ...]:
        said: list[Reasoning] = []
        for fields in _choices(body):
            message = fields.get("message")
            message = message if isinstance(message, dict) else {}
            thought, spoken = _speech(message)
            said += reasonings(thought, spoken, _SPEECH)
            choice = self._choices[_number(fields)] = _Choice(_number(fields))
            for place, fragment in _whole_calls(message):
                held = self._docket.open()
                piece = _Piece(held, f"{body.get('id', '')}:{choice.number}:{place}", is_legacy=place == _LEGACY)
                piece.add(fragment)
                choice.add(place, piece)
                self._docket.complete(held, piece.call(len(choice.pieces) - 1))
            self._docket.stop_reason = str(fields.get("finish_reason") or "")
        usage = body.get("usage")
        self._docket.usage = read_usage(usage) if isinstance(usage, dict) else Usage()
        self._docket.is_complete = "choices" in body
        return tuple(said)

    def write(self, body: dict[str, Any]) -> dict[str, Any]:
        choices = [self._written(fields, self._choices[_number(fields)]) for fields in _choices(body)]
        return {**body, "choices": choices}

    def _written(self, fields: dict[str, Any], choice: _Choice) -> dict[str, Any]:
        if not choice.run.is_refused:
            return fields
        message = {key: value for key, value in fields["message"].items() if key not in _CALL_KEYS}
        for delta in _deltas(choice):
            if "content" in delta:
                message["content"] = ((message.get("content") or "") + delta["content"]).removeprefix(_APART)
            elif "function_call" in delta:
                message |= delta
            else:
                calls = [{key: value for key, value in call.items() if key != "index"} for call in delta["tool_calls"]]
                message["tool_calls"] = [*message.get("tool_calls", ()), *calls]
        reason = fields.get("finish_reason")
        return {**fields, "message": message, "finish_reason": _reason(reason, choice.run.calls)}


def read_usage(usage: dict[str, Any]) -> Usage:
    """What the usage of a completion says, with zero for what it leaves out."""
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else 0
    counts = (usage.get("prompt_tokens"), usage.get("completion_tokens"), cached)
    told, written, read = (count if isinstance(count, int) else 0 for count in counts)
    return Usage(input=told, output=written, cache_read=read)


def _choices(told: dict[str, Any]) -> list[dict[str, Any]]:
    choices = told.get("choices")
    return [fields for fields in choices if isinstance(fields, dict)] if isinstance(choices, list) else []


def _number(fields: dict[str, Any]) -> int:
    index = fields.get("index")
    return index if isinstance(index, int) else 0


def _delta(fields: dict[str, Any]) -> dict[str, Any]:
    delta = fields.get("delta")
    return delta if isinstance(delta, dict) else {}


def _place(fragment: dict[str, Any], choice: _Choice) -> object:
    """By its index; where a provider gives none, a fragment with an id of its own begins a call."""
    index = fragment.get("index")
    if isinstance(index, int):
        return index
    call_id = fragment.get("id")
    return str(call_id) if call_id or not choice.pieces else next(reversed(choice.pieces))


def _deltas(choice: _Choice) -> Iterator[dict[str, Any]]:
    """What is left of the calls of a choice, and the words where nothing is."""
    left = [piece for piece in choice.pieces.values() if piece.held.substitute or not piece.held.is_refused]
    for index, piece in enumerate(left):
        yield piece.written(index)
    if words := closing_words(choice.run.calls):
        yield {"content": _APART + words}


def _reason(reason: object, calls: list[HeldCall]) -> object:
    return "stop" if reason in _CALL_KEYS and closing_words(calls) else reason


def _whole_calls(message: dict[str, Any]) -> Iterator[tuple[object, dict[str, Any]]]:
    calls = message.get("tool_calls")
    for index, call in enumerate(calls if isinstance(calls, list) else ()):
        if isinstance(call, dict):
            yield index, call
    if isinstance(message.get("function_call"), dict):
        yield _LEGACY, message["function_call"]


def _speech(fields: dict[str, Any]) -> tuple[str, str]:
    thought = fields.get("reasoning_content") or fields.get("reasoning")
    said = fields.get("content")
    return (thought if isinstance(thought, str) else ""), (said if isinstance(said, str) else "")


def _read_passage(raw: bytes) -> tuple[str, str]:
    found = []
    for data in payloads(raw):
        try:
            found += [_speech(_delta(fields)) for fields in _choices(read_object(data))]
        except WireError:
            continue
    return "".join(thought for thought, _ in found), "".join(said for _, said in found)
