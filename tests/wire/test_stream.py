"""What holds of every stream: bounds, breaks, hostile bytes, and the way out."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.wire.anthropic import AnthropicStream
from leeboard.wire.docket import Docket
from leeboard.wire.rewriters import open_rewriter
from leeboard.wire.seam import RELEASE, Api, CallRuling, ResponseRewriter, Substitute
from leeboard.wire.stream import StreamRewriter
from leeboard.wire.waiting import Part
from tests.wire.answers import (
    JSON,
    RECORDED,
    anthropic_stream,
    chat_stream,
    facts,
    frame,
    function_call,
    recorded,
    responses_stream,
    said,
    text_block,
    thinking,
    thought,
    tool_use,
)
from tests.wire.carrying import carry, cut_at, one_by_one, withhold
from tests.wire.next_request import events
from tests.wire.sdk import read_anthropic, read_chat, read_responses

APIS: tuple[Api, ...] = ("anthropic", "responses", "chat")
COMMENT = b": keep-alive\n\n"


def stream(api: Api, **arguments: str) -> bytes:
    """Some words, then a call with these arguments."""
    match api:
        case "anthropic":
            return anthropic_stream(
                [thinking("Hm."), text_block("I look."), tool_use("call", "Bash", **arguments)], size=4000
            )
        case "responses":
            return responses_stream(
                [thought("rs"), said("m", "I look."), function_call("call", "exec_command", **arguments)], size=4000
            )
        case "chat":
            return chat_stream("I look.", [("call", "bash", json.dumps(arguments))])


def rewriter(api: Api, limit: int = 1 << 26) -> ResponseRewriter:
    found = open_rewriter(facts(api), "text/event-stream", limit)
    assert found is not None
    return found


def recorded_cases() -> list[tuple[Api, str, tuple[str, ...]]]:
    """Every choice of the calls in every recorded stream."""
    found: list[tuple[Api, str, tuple[str, ...]]] = []
    for api in APIS:
        for path in recorded(api):
            ids = [call.id for call in carry(api, [path.read_bytes()]).calls]
            chosen = [some for size in range(len(ids) + 1) for some in itertools.combinations(ids, size)]
            found += [(api, path.name, some) for some in chosen]
    return found


RECORDED_CASES = recorded_cases()


def meant(api: Api, data: bytes) -> list[tuple[str, str, str]]:
    """The calls that the SDK of the API puts together: id, name and arguments."""
    match api:
        case "anthropic":
            blocks = read_anthropic(data)["content"]
            return [(one["id"], one["name"], json.dumps(one["input"])) for one in blocks if one["type"] == "tool_use"]
        case "responses":
            try:
                items = read_responses(data)["output"]
            except IndexError:  # a stream without its small events, as Codex takes it: by what is done
                items = [told["item"] for name, told in events(data) if name == "response.output_item.done"]
            calls = [one for one in items if one["type"].endswith("_call")]
            return [(one["call_id"], one["name"], one.get("arguments", one.get("input"))) for one in calls]
        case "chat":
            told = read_chat(data)["choices"][0]["message"].get("tool_calls") or []
            return [(one["id"], one["function"]["name"], one["function"]["arguments"]) for one in told]


@pytest.mark.parametrize(("api", "name", "chosen"), RECORDED_CASES)
def test_the_sdk_reads_a_recorded_stream_as_it_was_meant(api: Api, name: str, chosen: tuple[str, ...]) -> None:
    """Split at every byte; the calls that are left are those of the original."""
    data = (RECORDED / name).read_bytes()
    passed = carry(api, one_by_one(data), dict.fromkeys(chosen, withhold()))
    assert meant(api, passed.data) == [call for call in meant(api, data) if call[0] not in chosen]
    if not chosen:
        assert passed.data == data


@given(st.sampled_from(RECORDED_CASES), st.lists(st.integers(1, 8000), max_size=40))
def test_a_recorded_stream_comes_out_the_same_wherever_it_is_split(
    case: tuple[Api, str, tuple[str, ...]], cuts: list[int]
) -> None:
    api, name, chosen = case
    data = (RECORDED / name).read_bytes()
    rulings = dict.fromkeys(chosen, withhold())
    assert carry(api, cut_at(data, cuts), rulings).data == carry(api, one_by_one(data), rulings).data


@pytest.mark.parametrize("api", APIS)
def test_a_cut_stream_shows_the_client_no_call(api: Api) -> None:
    """Wherever upstream breaks off: a call that is not complete, or not ruled on, was never there."""
    data = stream(api, command="touch x")
    for end in range(0, len(data), 7):
        passed = carry(api, [data[:end]], lambda _: withhold(), cut=True)
        assert b"touch x" not in passed.data.replace(b"\\", b"")
        if not passed.calls:
            assert data.startswith(passed.data)


@pytest.mark.parametrize("api", APIS)
def test_a_cut_stream_is_passed_on_as_far_as_it_came_where_no_call_is_open(api: Api) -> None:
    data = stream(api, command="ls")
    text_only = data[: data.index(b"I look.") + 3]
    assert carry(api, one_by_one(text_only), cut=True).data == text_only


@pytest.mark.parametrize("api", APIS)
def test_more_than_may_wait_passes_and_is_noted(api: Api) -> None:
    data = stream(api, content="x" * 30_000)
    passed = carry(api, cut_at(data, range(0, len(data), 1000)), lambda _: withhold(), "at the end", limit=10_000)
    assert passed.data == data
    assert passed.summary.unchecked
    assert passed.summary.withheld == ()


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("substitute", [None, Substitute("Bash", {"command": "echo held"})])
def test_more_than_may_wait_is_refused_where_nothing_may_pass_unread(api: Api, substitute: Substitute | None) -> None:
    data = stream(api, content="x" * 30_000)
    refused = CallRuling("withhold", "Too long to be read.", substitute)
    passed = carry(api, cut_at(data, range(0, len(data), 1000)), limit=10_000, unread=refused)
    assert b"xxxx" not in passed.data
    assert not passed.summary.unchecked
    assert len(passed.summary.substituted if substitute else passed.summary.withheld) == 1
    if api == "responses":  # its arguments stand in a frame of their own, which is too long as well
        assert b"too long to be judged" in passed.data
        return
    assert (b"echo held" if substitute else b"Too long to be read.") in passed.data
    assert passed.summary.is_complete


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("depth", [500, 50_000])
def test_a_call_that_is_nested_too_deeply_waits_like_any_other(api: Api, depth: int) -> None:
    deep = "[" * depth + "]" * depth
    data = stream(api, a="x").replace(b'\\"x\\"', deep.encode())
    if api == "chat":  # whose arguments come in pieces
        data = chat_stream("I look.", [("call", "bash", f'{{"a": {deep}}}')])
    passed = carry(api, cut_at(data, range(0, len(data), 1000)), lambda _: withhold())
    assert [call.unreadable for call in passed.calls] == ["they are nested too deeply"]
    assert deep.encode() not in passed.data
    assert carry(api, [data]).data == data


@pytest.mark.parametrize("api", APIS)
def test_what_waits_is_never_more_than_the_limit_and_a_frame(api: Api) -> None:
    data = stream(api, content="x" * 60_000)
    carrier = rewriter(api, limit=20_000)
    written = 0
    for at in range(0, len(data), 500):
        written += len(carrier.feed(data[at : at + 500]).data)
        assert at + 500 - written < 20_000 + 70_000
    written += len(carrier.close().data)
    assert written == len(data)


@pytest.mark.parametrize("api", APIS)
def test_an_endless_line_is_let_go(api: Api) -> None:
    carrier = rewriter(api, limit=50_000)
    head = b"event: content_block_delta\ndata: "
    written = carrier.feed(head).data
    for _ in range(100):
        written += carrier.feed(b"x" * 1000).data
    written += carrier.close().data
    assert written == head + b"x" * 100_000
    assert carrier.summary.unchecked == ("*",)
    assert carrier.keep_alive == b""


@pytest.mark.parametrize("api", APIS)
def test_ten_megabytes_are_judged_and_released_or_withheld(api: Api) -> None:
    data = stream(api, content="line\n" * 2_000_000) if api != "chat" else chat_with_large_pieces("line\n" * 2_000_000)
    chunks = cut_at(data, range(0, len(data), 65_536))
    passed = carry(api, chunks)
    assert passed.data == data
    [call] = passed.calls
    assert call.input == {"content": "line\n" * 2_000_000}
    passed = carry(api, chunks, lambda _: withhold())
    assert len(passed.data) < 20_000
    assert b"Stay with the task." in passed.data


def chat_with_large_pieces(content: str) -> bytes:
    whole = chat_stream("", [("call", "write", '{"c":1}')])
    written = json.dumps(json.dumps({"content": content}))
    return whole.replace(json.dumps('{"c":1}').encode(), written.encode())


@pytest.mark.parametrize("api", APIS)
def test_bytes_that_are_no_text_pass_and_hide_no_call(api: Api) -> None:
    data = stream(api, command="touch NAME").replace(b"NAME", b"\xff\xfe\x80")
    assert carry(api, one_by_one(data)).data == data
    passed = carry(api, one_by_one(data), lambda _: withhold())
    assert len(passed.calls) == 1
    assert b"\xff\xfe\x80" not in passed.data


@pytest.mark.parametrize("api", APIS)
@given(data=st.data())
def test_broken_streams_raise_nothing_and_pass_as_they_came(api: Api, data: st.DataObject) -> None:
    """Bytes are changed, taken out and put in, and whatever comes out of it is passed on when all is released."""
    good = bytearray(stream(api, command="ls"))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(good) - 1))
        good[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    broken = bytes(good)
    cuts = data.draw(st.lists(st.integers(1, len(broken)), max_size=5))
    passed = carry(api, cut_at(broken, cuts))
    if not passed.summary.error and passed.summary.calls == len(passed.calls):
        assert passed.data == broken


KEYS = ("type", "index", "delta", "content_block", "item", "output_index", "response", "choices", "error", "usage")
INNER = ("type", "index", "name", "id", "call_id", "tool_calls", "function", "arguments", "finish_reason", "output")
KINDS = st.sampled_from(["tool_use", "function_call", "reasoning", "text", "message", "custom_tool_call"])
PART = st.dictionaries(st.sampled_from(INNER), JSON | KINDS | st.dictionaries(st.sampled_from(INNER), JSON), max_size=5)
TOLD = st.dictionaries(st.sampled_from(KEYS), JSON | PART | st.lists(PART, max_size=3), max_size=6)
NAMES = st.sampled_from(
    [
        *("", "message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta"),
        *("message_stop", "error", "response.output_item.added", "response.output_item.done", "response.completed"),
        *("response.failed", "response.function_call_arguments.delta"),
    ]
)


@pytest.mark.parametrize("api", APIS)
@given(st.lists(st.tuples(NAMES, TOLD), max_size=6), st.booleans())
def test_values_of_any_kind_raise_nothing(api: Api, told: list[tuple[str, dict[str, Any]]], is_released: bool) -> None:  # noqa: FBT001 - drawn by the test
    data = b"".join(frame(name, fields) for name, fields in told)
    carry(api, [data], lambda _: RELEASE if is_released else withhold())


@pytest.mark.parametrize("api", APIS)
def test_nothing_is_written_while_a_call_waits_and_comments_fit_between_the_pieces(api: Api) -> None:
    data = stream(api, command="ls")
    carrier = rewriter(api)
    written = []
    for byte in one_by_one(data):
        carried = carrier.feed(byte)
        written.append(carried.data)
        if carrier.holding:
            assert carrier.keep_alive == COMMENT
            written.append(carrier.keep_alive)
        written += [carrier.rule(call.id, RELEASE) for call in carried.calls]
    written.append(carrier.close().data)
    with_comments = b"".join(written)
    assert with_comments.replace(COMMENT, b"") == data
    assert with_comments.count(COMMENT) > 10
    assert all(part.startswith(COMMENT[:-2]) or b": keep-alive" not in part for part in with_comments.split(b"\n\n"))


@pytest.mark.parametrize("api", APIS)
def test_giving_up_returns_what_was_kept_back(api: Api) -> None:
    data = stream(api, command="ls")
    for end in range(0, len(data), 11):
        carrier = rewriter(api)
        written = carrier.feed(data[:end]).data + carrier.give_up()
        assert not carrier.holding
        written += carrier.feed(data[end:]).data + carrier.close().data
        assert written == data
        assert "*" in carrier.summary.unchecked


class FailingDialect(AnthropicStream):
    """As if we had made a mistake: it breaks at the end of a block of text."""

    def read(self, frame: bytes) -> Part | None:
        if b"content_block_stop" in frame:
            raise ArithmeticError
        return super().read(frame)


def feed_all(carrier: ResponseRewriter, chunks: Iterator[bytes], written: list[bytes]) -> None:
    for chunk in chunks:
        written.append(carrier.feed(chunk).data)  # noqa: PERF401 - what came before a failure counts


def test_a_mistake_of_ours_costs_the_client_no_byte() -> None:
    data = stream("anthropic", command="ls")
    for size in (1, 300, 100_000):
        docket = Docket()
        carrier = StreamRewriter(docket, FailingDialect(docket))
        chunks = iter(cut_at(data, range(0, len(data), size)))
        written: list[bytes] = []
        with pytest.raises(ArithmeticError):
            feed_all(carrier, chunks, written)
        written.append(carrier.give_up())
        feed_all(carrier, chunks, written)
        assert b"".join(written) == data


def test_giving_up_does_not_bring_back_what_was_withheld() -> None:
    data = anthropic_stream([tool_use("a", command="one"), tool_use("b", command="two")])
    carrier = rewriter("anthropic")
    carrier.feed(data[: data.index(b"event: message_delta")])
    written = carrier.rule("b", withhold()) + carrier.give_up()
    assert b'"a"' in written
    assert b'"b"' not in written


def test_a_ruling_on_a_call_that_does_not_wait_changes_nothing() -> None:
    data = stream("anthropic", command="ls")
    carrier = rewriter("anthropic")
    written = carrier.feed(data).data
    assert carrier.rule("other", withhold()) == b""
    written += carrier.rule("call", RELEASE)
    assert carrier.rule("call", withhold()) == b""
    assert written == data


def test_an_error_in_the_middle_goes_on_and_the_call_before_it_does_not() -> None:
    error = frame("error", {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
    data = stream("anthropic", command="touch x")
    begun = data[: data.index(b"event: content_block_stop", data.index(b"touch"))]
    passed = carry("anthropic", one_by_one(begun + error))
    assert passed.data.endswith(error)
    assert b"touch" not in passed.data
    assert passed.summary.error == "overloaded_error: Overloaded"
    assert not passed.summary.is_complete


def test_comments_of_upstream_pass_and_a_ping_waits_in_its_place() -> None:
    ping = frame("ping", {"type": "ping"})
    data = stream("anthropic", command="ls")
    data = data.replace(b"event: content_block_stop", b": hi\n\n" + ping + b"event: content_block_stop")
    assert carry("anthropic", one_by_one(data)).data == data
    passed = carry("anthropic", one_by_one(data), lambda _: withhold())
    assert passed.data.count(ping) == data.count(ping)


def test_a_stream_without_its_last_blank_line() -> None:
    data = stream("anthropic", command="ls")[:-2]
    passed = carry("anthropic", one_by_one(data))
    assert passed.data == data
    assert passed.summary.is_complete


def test_many_calls_in_one_answer() -> None:
    """No step looks at all calls for each call."""
    calls = [(f"c{number}", "bash", "{}") for number in range(3000)]
    data = chat_stream("", calls)
    passed = carry("chat", [data], lambda call: withhold() if call.index % 2 else RELEASE)
    assert len(passed.summary.withheld) == 1500
    items = [thought("rs"), *(function_call(f"c{number}") for number in range(3000))]
    passed = carry("responses", [responses_stream(items)], lambda _: withhold())
    assert len(passed.summary.withheld) == 3000
