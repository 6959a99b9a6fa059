"""Streams that readers take differently: whatever one of them acts on was judged, or is refused as unreadable."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from leeboard.wire.seam import RELEASE, Api, CallRuling, Substitute, WireCall
from leeboard.wire.sse import payload, read_json
from tests.wire.answers import (
    anthropic_stream,
    chat_call,
    chat_stream,
    chunk,
    frame,
    function_call,
    message,
    response,
    responses_stream,
    text_block,
    tool_use,
)
from tests.wire.carrying import carry, one_by_one, withhold
from tests.wire.next_request import (
    check_anthropic_history,
    check_chat_history,
    check_responses_history,
    next_anthropic,
    next_responses,
)
from tests.wire.sdk import read_anthropic, read_chat, read_responses

DANGER = "rm -rf ~"
ARGUMENTS = json.dumps({"command": DANGER})
HARMLESS = json.dumps({"command": "ls"})
DONE = b"data: [DONE]\n\n"


def strict(call: WireCall) -> CallRuling:
    """As the proxy rules where it may refuse: nothing dangerous, and nothing that it can not read."""
    return withhold() if call.unreadable or DANGER in call.input_text else RELEASE


def strict_with_substitute(call: WireCall) -> CallRuling:
    ruling = strict(call)
    substitute = Substitute("Bash", {"command": "echo held"})
    return CallRuling("withhold", ruling.text, substitute) if ruling.verdict == "withhold" else ruling


def start(index: object, name: str = "Bash", *, call_id: str = "t1", label: str = "content_block_start") -> bytes:
    return frame(
        label, {"type": "content_block_start", "index": index, "content_block": tool_use(call_id, name) | {"input": {}}}
    )


def delta(index: object, written: str, *, label: str = "content_block_delta", **more: object) -> bytes:
    piece = {"type": "input_json_delta", "partial_json": written, **more}
    return frame(label, {"type": "content_block_delta", "index": index, "delta": piece})


def stop(index: object, *, label: str = "content_block_stop") -> bytes:
    return frame(label, {"type": "content_block_stop", "index": index})


def in_message(*frames: bytes) -> bytes:
    """The frames between the beginning and the end of a message."""
    whole = anthropic_stream([])
    at = whole.index(b"event: message_delta")
    return b"".join((whole[:at], *frames, whole[at:]))


CALL = (start(0), delta(0, ARGUMENTS), stop(0))
WHOLE_CALL = [{"index": 0, "id": "c", "type": "function", "function": {"name": "bash", "arguments": ARGUMENTS}}]


def relabelled(label: str) -> bytes:
    return in_message(start(0, label=label), delta(0, ARGUMENTS, label=label), stop(0, label=label))


def begun_with_a_call(*after: bytes) -> bytes:
    told = {"type": "message_start", "message": message([tool_use("t1", command=DANGER)])}
    whole = anthropic_stream([])
    return b"".join((frame("message_start", told), *after, whole[whole.index(b"event: message_delta") :]))


def words(index: int) -> bytes:
    """A block of text."""
    block = {"type": "content_block_start", "index": index, "content_block": {"type": "text", "text": ""}}
    told = {"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": "So."}}
    return frame("content_block_start", block) + frame("content_block_delta", told) + stop(index)


def numbered_call(index: int) -> tuple[bytes, bytes, bytes]:
    return start(index, "Read", call_id="t9"), delta(index, HARMLESS), stop(index)


ANTHROPIC: dict[str, bytes] = {
    "the event is called a delta": relabelled("content_block_delta"),
    "the event is called a ping": relabelled("ping"),
    "the event is called an error": in_message(start(0), delta(0, ARGUMENTS), stop(0, label="error")),
    "the event has a name of its own": relabelled("x"),
    "no event has a name": relabelled(""),
    "only the stop is called a ping": in_message(
        start(0), delta(0, '{"command": "ls"'), stop(0, label="ping"), delta(0, f', "then": "{DANGER}"}}'), stop(0)
    ),
    "a delta in the middle is called a ping": in_message(
        start(0), delta(0, '{"command": "rm '), delta(0, "x", label="ping"), delta(0, '-rf ~"}'), stop(0)
    ),
    "a name is given twice": in_message(*CALL).replace(b"event: content", b"event: ping\nevent: content"),
    "an escape in the type": in_message(*CALL).replace(b'"tool_use"', b'"tool\\u005fuse"'),
    "an escape in a key": in_message(*CALL).replace(b'"content_block"', b'"content\\u005fblock"'),
    "a key is given twice": in_message(*CALL).replace(b'{"type": "content', b'{"type": "ping", "type": "content'),
    "CR LF": in_message(*CALL).replace(b"\n", b"\r\n"),
    "CR": in_message(*CALL).replace(b"\n", b"\r"),
    "a mark of the byte order": b"\xef\xbb\xbf" + in_message(*CALL),
    "data in several lines": in_message(*CALL).replace(b'{"type": "content', b'{\ndata\ndata:"type": "content'),
    "arguments after the stop": in_message(start(0), stop(0), delta(0, ARGUMENTS)),
    "arguments for the last block": in_message(start(0), delta(-1, ARGUMENTS), stop(0)),
    "arguments by number, blocks in another order": in_message(
        start(1), start(0, "Read", call_id="t2"), delta(0, ARGUMENTS), stop(0), stop(1)
    ),
    "two calls of one number": in_message(
        start(0), start(0, "Read", call_id="t2"), delta(0, ARGUMENTS), stop(0), stop(0)
    ),
    "a number taken again": in_message(start(0), stop(0), start(0, "Read", call_id="t2"), delta(0, ARGUMENTS), stop(0)),
    "a number in quotes": in_message(start("0"), delta("0", ARGUMENTS), stop("0")),
    "a number with a point": in_message(start(0.0), delta(0.0, ARGUMENTS), stop(0.0)),
    "no number": in_message(start(None), delta(None, ARGUMENTS), stop(None)),
    "a number of thousands of digits": in_message(*CALL).replace(b'"index": 0', b'"x": %s, "index": 0' % (b"9" * 5000)),
    "NaN": in_message(*CALL).replace(b'"index": 0', b'"x": NaN, "index": 0'),
    "a lone surrogate": in_message(*CALL).replace(b'"index": 0', b'"x": "\\ud800", "index": 0'),
    "an odd value beside the arguments": in_message(start(0), delta(0, ARGUMENTS, text=5), stop(0)),
    "an odd value beside the block": in_message(*CALL).replace(b'"content_block"', b'"delta": 5, "content_block"'),
    "the beginning has the call": begun_with_a_call(),
    "the beginning has the call and more follows": begun_with_a_call(words(1), *numbered_call(2)),
    "the beginning has the call and words follow": begun_with_a_call(words(1)),
    "two calls of one id": in_message(*CALL, start(1), delta(1, HARMLESS), stop(1)),
}

RESPONSES_CALL = function_call("c", command=DANGER)
TAME = function_call("c", command="ls")


def with_other_end() -> bytes:
    told = {"type": "response.completed", "response": response([RESPONSES_CALL]), "sequence_number": 90}
    whole = responses_stream([TAME])
    return whole[: whole.index(b"event: response.completed")] + frame("response.completed", told)


def with_lifecycle() -> bytes:
    """The SDK takes an item from there where the end lists none."""
    middle = {"type": "response.in_progress", "response": response([RESPONSES_CALL], "in_progress")}
    end = {"type": "response.completed", "response": response([]) | {"output": None}}
    whole = responses_stream([TAME])
    before = whole[: whole.index(b"event: response.completed")]
    return before + frame("response.in_progress", middle) + frame("response.completed", end)


RESPONSES: dict[str, bytes] = {
    "the event is called a delta": responses_stream([RESPONSES_CALL])
    .replace(b"event: response.output_item.added", b"event: response.output_text.delta")
    .replace(b"event: response.output_item.done", b"event: response.output_text.delta"),
    "the event is called a ping": responses_stream([RESPONSES_CALL]).replace(b"event: response.output", b"event: ping"),
    "all events are called deltas": b"".join(
        b"event: response.output_text.delta\n" + part[part.index(b"data:") :] + b"\n\n"
        for part in responses_stream([RESPONSES_CALL]).split(b"\n\n")
        if part
    ),
    "an escape in the type": responses_stream([RESPONSES_CALL]).replace(b'"function_call"', b'"function\\u005fcall"'),
    "a key is given twice": responses_stream([RESPONSES_CALL]).replace(
        b'{"type": "response', b'{"type": "response.output_text.delta", "type": "response'
    ),
    "CR": responses_stream([RESPONSES_CALL]).replace(b"\n", b"\r"),
    "a mark of the byte order": b"\xef\xbb\xbf" + responses_stream([RESPONSES_CALL]),
    "a number in quotes": responses_stream([RESPONSES_CALL]).replace(b'"output_index": 0', b'"output_index": "0"'),
    "the end has other arguments": with_other_end(),
    "an event in the middle has other arguments": with_lifecycle(),
    "the pieces are other arguments": responses_stream([RESPONSES_CALL], size=4000).replace(
        json.dumps(RESPONSES_CALL["arguments"]).encode(), json.dumps(TAME["arguments"]).encode(), 1
    ),
    "no id": responses_stream([{**RESPONSES_CALL, "id": None, "call_id": None}]),
}


def fragment(index: object, **function: str) -> dict[str, Any]:
    return {"tool_calls": [{"index": index, "id": "c", "type": "function", "function": function}]}


def chat(*frames: bytes) -> bytes:
    return b"".join((chunk({"role": "assistant", "content": ""}), *frames, DONE))


END = chunk({}, "tool_calls")
CHAT: dict[str, bytes] = {
    "an escape in the key": chat_stream("I run.", [("c", "bash", ARGUMENTS)]).replace(
        b'"tool_calls":', b'"tool\\u005fcalls":'
    ),
    "all in one frame with an escape": chat(chunk({"tool_calls": WHOLE_CALL}), END).replace(
        b'"tool_calls"', b'"\\u0074ool_calls"'
    ),
    "a key is given twice": chat(chunk({"tool_calls": WHOLE_CALL}), END).replace(
        b'"tool_calls":', b'"tool_calls": null, "tool_calls":'
    ),
    "the event has a name": chat_stream("", [("c", "bash", ARGUMENTS)]).replace(b"data: {", b"event: ping\ndata: {"),
    "CR LF": chat_stream("", [("c", "bash", ARGUMENTS)]).replace(b"\n", b"\r\n"),
    "CR": chat_stream("", [("c", "bash", ARGUMENTS)]).replace(b"\n", b"\r"),
    "a mark of the byte order": b"\xef\xbb\xbf" + chat_stream("", [("c", "bash", ARGUMENTS)]),
    "arguments after the end": chat(
        chunk(fragment(0, name="bash", arguments="")),
        END,
        chunk({"tool_calls": [{"index": 0, "function": {"arguments": ARGUMENTS}}]}),
    ),
    "a call after the end": chat(chunk({"content": "x"}, "stop"), *chat_call(0, "c", "bash", ARGUMENTS)),
    "arguments for the last call": chat(
        chunk(fragment(0, name="bash", arguments="")),
        chunk({"tool_calls": [{"index": -1, "function": {"arguments": ARGUMENTS}}]}),
        END,
    ),
    "arguments by number, calls in another order": chat(
        chunk(fragment(1, name="bash", arguments="")),
        chunk({"tool_calls": [{"index": 0, "function": {"arguments": ARGUMENTS}}]}),
        END,
    ),
    "arguments for the last choice": chat(
        chunk(fragment(0, name="bash", arguments="")),
        chunk({"tool_calls": [{"index": 0, "function": {"arguments": ARGUMENTS}}]}, None, -1),
        END,
    ),
    "a name in two pieces": chat(
        chunk(fragment(0, name="ba", arguments="")), chunk(fragment(0, name="sh", arguments=ARGUMENTS)), END
    ),
    "an empty key beside": chat(chunk({"tool_calls": [{**WHOLE_CALL[0], "custom": None}]}), END),
    "NaN": chat(chunk({"tool_calls": WHOLE_CALL}), END).replace(b'"logprobs": null', b'"logprobs": NaN'),
}


def by_number(data: bytes) -> list[str]:
    """What a reader makes of a message that goes by the data alone, and by the numbers of the blocks."""
    open_calls: dict[object, str] = {}
    done: list[str] = []
    for part in data.lstrip(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n\n"):
        told = read_json(payload(part)) if payload(part) else {}
        match told:
            case {"type": "message_start", "message": {"content": list(blocks)}}:
                done += [json.dumps(block) for block in blocks]
            case {"type": "content_block_start", "content_block": {"type": "tool_use"}}:
                open_calls[told.get("index")] = ""
            case {"type": "content_block_delta", "delta": {"partial_json": str(text)}}:
                open_calls[told.get("index")] = open_calls.get(told.get("index"), "") + text
            case {"type": "content_block_stop"}:
                done.append(open_calls.get(told.get("index"), ""))
    return [*done, *open_calls.values()]


def acted_on(read: Callable[[bytes], dict[str, Any]], data: bytes) -> str:
    """All that the SDK found, in JSON; nothing where it refuses the stream."""
    try:
        return json.dumps(read(data))
    except Exception:  # noqa: BLE001 - whatever the SDK refuses, its client never acts on
        return ""


CASES: list[tuple[Api, str, bytes]] = [
    *(("anthropic", name, data) for name, data in ANTHROPIC.items()),
    *(("responses", name, data) for name, data in RESPONSES.items()),
    *(("chat", name, data) for name, data in CHAT.items()),
]
NAMES = [f"{api}: {name}" for api, name, _ in CASES]
SDK: dict[Api, Callable[[bytes], dict[str, Any]]] = {
    "anthropic": read_anthropic,
    "responses": read_responses,
    "chat": read_chat,
}


@pytest.mark.parametrize(("api", "name", "data"), CASES, ids=NAMES)
@pytest.mark.parametrize("rulings", [strict, strict_with_substitute])
def test_no_reader_gets_what_was_not_let_through(
    api: Api, name: str, data: bytes, rulings: Callable[[WireCall], CallRuling]
) -> None:
    for chunks in ([data], one_by_one(data)):
        passed = carry(api, chunks, rulings)
        assert DANGER not in acted_on(SDK[api], passed.data), name
        assert DANGER not in passed.data.decode()
        if api == "anthropic":
            assert not any(DANGER in found for found in by_number(passed.data))


def can_go_on(api: Api, data: bytes) -> bool:
    """Whether a client that reads this has a conversation afterwards that the provider takes."""
    try:
        read = SDK[api](data)
    except Exception:  # noqa: BLE001 - a client that refuses the stream keeps nothing of it
        return True
    try:
        if api == "anthropic":
            check_anthropic_history(next_anthropic(read))
        elif api == "responses":
            check_responses_history(next_responses(read["output"]))
        else:
            check_chat_history(read)
    except (AssertionError, KeyError, TypeError, AttributeError):
        return False
    return True


@pytest.mark.parametrize(("api", "name", "data"), CASES, ids=NAMES)
@pytest.mark.parametrize("rulings", [strict, strict_with_substitute])
def test_what_is_withheld_of_a_disputed_stream_leaves_a_conversation_that_goes_on(
    api: Api, name: str, data: bytes, rulings: Callable[[WireCall], CallRuling]
) -> None:
    """Each call answered, answers first, nothing behind a call, no empty text; unless upstream itself broke that."""
    for chunks in ([data], one_by_one(data)):
        passed = carry(api, chunks, rulings)
        assert can_go_on(api, passed.data) or not can_go_on(api, data), name


@pytest.mark.parametrize(("api", "name", "data"), CASES, ids=NAMES)
def test_where_all_is_released_not_a_byte_is_changed(api: Api, name: str, data: bytes) -> None:
    assert carry(api, [data]).data == data, name
    assert carry(api, one_by_one(data), None, "at the end").data == data, name


@pytest.mark.parametrize(
    "name", ["the event is called a delta", "arguments after the stop", "the beginning has the call"]
)
def test_the_sdk_of_anthropic_does_act_on_these(name: str) -> None:
    assert DANGER in acted_on(read_anthropic, ANTHROPIC[name])


def test_the_sdk_of_openai_does_act_on_these() -> None:
    for name in (
        "all events are called deltas",
        "the end has other arguments",
        "an event in the middle has other arguments",
    ):
        assert DANGER in acted_on(read_responses, RESPONSES[name]), name
    for name in ("an escape in the key", "arguments after the end", "arguments for the last call"):
        assert DANGER in acted_on(read_chat, CHAT[name]), name


def test_a_plain_call_beside_words_is_still_read_and_judged_by_what_it_says() -> None:
    data = anthropic_stream([text_block("I look."), tool_use("t1", command="ls"), tool_use("t2", command="pwd")])
    assert [call.unreadable for call in carry("anthropic", [data]).calls] == ["", ""]
