"""Which rewriter an answer gets: by the API that was asked, and by how the answer comes."""

from __future__ import annotations

from collections.abc import Callable

from leeboard.wire.anthropic import AnthropicMessage, AnthropicStream
from leeboard.wire.chat import ChatCompletion, ChatStream
from leeboard.wire.docket import Docket
from leeboard.wire.responses import ResponsesObject, ResponsesStream
from leeboard.wire.seam import HELD_LIMIT, UNCHECKED, Api, CallRuling, RequestFacts, ResponseRewriter
from leeboard.wire.stream import Dialect, StreamRewriter
from leeboard.wire.whole import AnswerShape, WholeRewriter

_SHAPES: dict[Api, Callable[[Docket], AnswerShape]] = {
    "anthropic": AnthropicMessage,
    "responses": ResponsesObject,
    "chat": ChatCompletion,
}


def open_rewriter(
    facts: RequestFacts, content_type: str, limit: int = HELD_LIMIT, unread: CallRuling = UNCHECKED
) -> ResponseRewriter | None:
    """For an answer of status 200 with this content type; None for one that is to be passed on as it is.

    The bytes it is fed must not be compressed. `limit` is how many of them may wait; `unread` is
    what becomes of a call that is longer. Clients that asked for a stream read one, whatever it is called.
    """
    kind = content_type.partition(";")[0].strip().lower()
    docket = Docket()
    if facts.kind == "background":
        return None
    if kind.endswith("json"):
        return WholeRewriter(docket, _SHAPES[facts.api](docket), limit, unread)
    if kind == "text/event-stream" or facts.streaming:
        return StreamRewriter(docket, _dialect(facts, docket), limit, unread)
    return None


def _dialect(facts: RequestFacts, docket: Docket) -> Dialect:
    match facts.api:
        case "anthropic":
            return AnthropicStream(docket)
        case "chat":
            return ChatStream(docket)
        case "responses":
            return ResponsesStream(docket, keeps_what_is_done=facts.client == "codex")
