"""Which rewriter an answer gets: by the API that was asked, and by how the answer comes."""

from __future__ import annotations

import re
from collections.abc import Callable

from leeboard.wire.anthropic import AnthropicMessage, AnthropicStream
from leeboard.wire.chat import ChatCompletion, ChatStream
from leeboard.wire.docket import Docket
from leeboard.wire.responses import ResponsesObject, ResponsesStream
from leeboard.wire.seam import (
    HELD_LIMIT,
    UNCHECKED,
    Api,
    CallRuling,
    Carried,
    RequestFacts,
    ResponseRewriter,
    Summary,
)
from leeboard.wire.stream import Dialect, StreamRewriter
from leeboard.wire.whole import AnswerShape, WholeRewriter

_SHAPES: dict[Api, Callable[[Docket], AnswerShape]] = {
    "anthropic": AnthropicMessage,
    "responses": ResponsesObject,
    "chat": ChatCompletion,
}

_OTHER_THAN_OBJECT = re.compile(rb"(?:\xef\xbb\xbf)?\s*[^\s{\xef]")
_LONGEST_BLANK = 1024
"""Bytes at the beginning in which nothing is said yet. After more of them an answer is kept until it is there."""
_DATA_LINE = re.compile(rb"[\r\n]data(?=[:\r\n]|\Z)")
"""What a reader of streams acts on. No JSON has it where a line begins, but for what lenient readers take for some."""


def open_rewriter(
    facts: RequestFacts, content_type: str, limit: int = HELD_LIMIT, unread: CallRuling = UNCHECKED
) -> ResponseRewriter | None:
    """For an answer of status 200 with this content type; None for one that is to be passed on as it is.

    The bytes it is fed must not be compressed. `limit` is how many of them may wait; `unread` is
    what becomes of a call that is longer. Clients that asked for a stream read one, whatever it is called.
    """
    kind = content_type.partition(";")[0].strip().lower()
    if facts.kind == "background":
        return None

    def stream() -> ResponseRewriter:
        docket = Docket()
        return StreamRewriter(docket, _dialect(facts, docket), limit, unread)

    def whole() -> ResponseRewriter:
        docket = Docket()
        return WholeRewriter(docket, _SHAPES[facts.api](docket), limit, unread)

    if kind == "text/event-stream" or (facts.streaming and not kind.endswith("json")):
        return stream()
    return LabelledRewriter(whole, stream, limit, may_flow=facts.streaming)


class LabelledRewriter:
    """For an answer whose label does not settle how it comes: the SDKs take a stream for one, whatever it is called.

    What begins like an object is kept until it is there, and read as what it is. Anything else is a stream from its
    first byte on, where the client may have asked for one.
    """

    def __init__(
        self,
        whole: Callable[[], ResponseRewriter],
        stream: Callable[[], ResponseRewriter],
        limit: int,
        *,
        may_flow: bool,
    ) -> None:
        self._whole, self._stream = whole, stream
        self._limit = limit
        self._may_flow = may_flow
        self._kept = bytearray()
        self._chosen: ResponseRewriter | None = None

    @property
    def holding(self) -> bool:
        return self._chosen.holding if self._chosen is not None else bool(self._kept)

    @property
    def waiting(self) -> frozenset[str]:
        return self._chosen.waiting if self._chosen is not None else frozenset()

    @property
    def summary(self) -> Summary:
        return self._chosen.summary if self._chosen is not None else Summary()

    @property
    def keep_alive(self) -> bytes:
        return self._chosen.keep_alive if self._chosen is not None else b""

    def feed(self, chunk: bytes) -> Carried:
        if self._chosen is not None:
            return self._chosen.feed(chunk)
        is_beginning = len(self._kept) < _LONGEST_BLANK
        self._kept += chunk
        if self._may_flow and is_beginning and _OTHER_THAN_OBJECT.match(self._kept):
            return self._choose(self._stream)
        return self._choose(self._whole) if len(self._kept) > self._limit else Carried()

    def rule(self, call_id: str, ruling: CallRuling) -> bytes:
        return self._chosen.rule(call_id, ruling) if self._chosen is not None else b""

    def close(self, *, cut: bool = False) -> Carried:
        first = Carried()
        if self._chosen is None:
            first = self._choose(self._stream if _DATA_LINE.search(self._kept) else self._whole)
        last = self._chosen.close(cut=cut) if self._chosen is not None else Carried()
        return Carried(first.data + last.data, (*first.calls, *last.calls), (*first.reasoning, *last.reasoning))

    def give_up(self) -> bytes:
        first = self._choose(self._whole).data if self._chosen is None else b""
        return first + (self._chosen.give_up() if self._chosen is not None else b"")

    def _choose(self, make: Callable[[], ResponseRewriter]) -> Carried:
        kept, self._kept = bytes(self._kept), bytearray()
        self._chosen = make()
        return self._chosen.feed(kept)


def _dialect(facts: RequestFacts, docket: Docket) -> Dialect:
    match facts.api:
        case "anthropic":
            return AnthropicStream(docket)
        case "chat":
            return ChatStream(docket)
        case "responses":
            return ResponsesStream(docket, keeps_what_is_done=facts.client == "codex")
