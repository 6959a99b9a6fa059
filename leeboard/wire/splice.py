"""Words put into a request, byte by byte: all that the client wrote stays as it wrote it.

A provider charges little for a conversation that begins as the one before. So nothing is decoded and written anew: the
place is looked up in the bytes, the words go in there, and the result is read again and compared. Where anything but
the words differs, the request goes on as it came.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from leeboard.errors import WireError
from leeboard.wire.conversation import places, read_turns
from leeboard.wire.json_spans import Span, elements, members, replaced
from leeboard.wire.seam import Api, Insertion, RequestFacts, Spliced
from leeboard.wire.sse import read_object, write_json

_BETWEEN = "\n\n"
CONVERSATION: dict[Api, str] = {"anthropic": "messages", "chat": "messages", "responses": "input"}


def splice(body: bytes, facts: RequestFacts, insertions: Sequence[Insertion]) -> Spliced:
    """The request with these words, each right after what its anchor names; those without an anchor are left out.

    The same insertions give the same bytes in every request in which their anchors stand.
    """
    try:
        fields = read_object(body)
        turns = {name: place.turn for place in places(read_turns(facts.api, fields)) for name in place.names}
        placed = tuple(insertion for insertion in insertions if insertion.anchor in turns and insertion.text.strip())
        if not placed:
            return Spliced(body)
        texts: dict[int, str] = {}
        for insertion in placed:
            turn = turns[insertion.anchor]
            texts[turn] = f"{texts[turn]}{_BETWEEN}{insertion.text}" if turn in texts else insertion.text
        spliced = _put_in(body, facts.api, texts)
        return Spliced(spliced, placed) if _is_only_added(fields, spliced, facts.api, texts) else Spliced(body)
    except (WireError, ValueError, RecursionError):
        return Spliced(body)


def _put_in(body: bytes, api: Api, texts: dict[int, str]) -> bytes:
    start, end = members(body, (0, len(body)))[CONVERSATION[api]]
    if body[start:end].startswith(b'"'):
        return replaced(body, [((end - 1, end - 1), _more_text(texts[0]))])
    turns = elements(body, (start, end))
    return replaced(body, [_edit(body, api, turns[turn], text) for turn, text in texts.items()])


def _edit(body: bytes, api: Api, turn: Span, text: str) -> tuple[Span, bytes]:
    """Where bytes go in, and which."""
    if api != "anthropic":
        return (turn[1], turn[1]), b"," + write_json(_message(api, text))
    start, end = members(body, turn)["content"]
    if body[start:end].startswith(b'"'):
        return (end - 1, end - 1), _more_text(text)
    blocks = elements(body, (start, end))
    block = write_json(_block(text))
    at = blocks[-1][1] if blocks else start + 1
    return (at, at), (b"," + block if blocks else block)


def _more_text(text: str) -> bytes:
    """What is added inside the quotes of a JSON string."""
    return write_json(_BETWEEN + text)[1:-1]


def _block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _message(api: Api, text: str) -> dict[str, Any]:
    if api == "chat":
        return {"role": "user", "content": text}
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}


def _is_only_added(fields: dict[str, Any], spliced: bytes, api: Api, texts: dict[int, str]) -> bool:
    key = CONVERSATION[api]
    return read_object(spliced) == {**fields, key: _expected(fields[key], api, texts)}


def _expected(turns: Any, api: Api, texts: dict[int, str]) -> object:
    """The conversation as it is to be, made of the decoded one."""
    if isinstance(turns, str):
        return turns + _BETWEEN + texts[0]
    expected: list[Any] = []
    for number, turn in enumerate(turns):
        text = texts.get(number)
        if text is None:
            expected.append(turn)
        elif api != "anthropic":
            expected += [turn, _message(api, text)]
        elif isinstance(turn["content"], str):
            expected.append({**turn, "content": turn["content"] + _BETWEEN + text})
        else:
            expected.append({**turn, "content": [*turn["content"], _block(text)]})
    return expected
