"""Which answers are rewritten, and as what."""

from __future__ import annotations

import json

import msgspec
import pytest

from leeboard.wire.rewriters import open_rewriter
from leeboard.wire.seam import RELEASE, Api, CallRuling, ResponseRewriter
from leeboard.wire.stream import StreamRewriter
from tests.wire.answers import facts
from tests.wire.carrying import Passed, drive, one_by_one, withhold
from tests.wire.test_stream import stream as some_stream
from tests.wire.test_whole import BODIES

APIS: tuple[Api, ...] = ("anthropic", "responses", "chat")
LABELS = ["application/json", "Application/JSON; charset=utf-8", "application/vnd.model+json"]
ODD_LABELS = ["text/html", "text/plain; charset=utf-8", "application/octet-stream", ""]
OBJECTS = {api: json.dumps(BODIES[api]).encode() for api in APIS}


def opened(api: Api, label: str, *, streaming: bool = True, limit: int = 1 << 20) -> ResponseRewriter:
    found = open_rewriter(facts(api, streaming=streaming), label, limit)
    assert found is not None
    return found


def carried(rewriter: ResponseRewriter, data: bytes, ruling: CallRuling) -> Passed:
    return drive(rewriter, one_by_one(data), lambda _: ruling, "at once", cut=False)


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("label", ["text/event-stream; charset=utf-8", *ODD_LABELS])
def test_who_asked_for_a_stream_reads_one_whatever_it_is_called(api: Api, label: str) -> None:
    assert isinstance(opened(api, label), StreamRewriter)


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf", b"\r\n \n"])
def test_a_stream_that_is_called_json_flows_and_its_calls_are_judged(api: Api, label: str, mark: bytes) -> None:
    data = mark + some_stream(api, command="touch x")
    released = opened(api, label)
    before = b"".join(released.feed(byte).data for byte in one_by_one(data[: data.index(b"I look.") + 60]))
    assert before.startswith(data[:40]), "it is not kept until its end"
    assert released.keep_alive
    assert carried(opened(api, label), data, RELEASE).data == data
    passed = carried(opened(api, label), data, withhold())
    assert len(passed.calls) == 1
    assert b"touch x" not in passed.data.replace(b"\\", b"")


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("label", [*LABELS, *ODD_LABELS])
def test_an_object_is_one_whatever_it_is_called(api: Api, label: str) -> None:
    is_json = "json" in label.lower()
    for streaming in (True, False) if is_json else (False,):
        passed = carried(opened(api, label, streaming=streaming), OBJECTS[api], RELEASE)
        assert passed.data == OBJECTS[api]
        assert passed.calls
        passed = carried(opened(api, label, streaming=streaming), OBJECTS[api], withhold())
        assert passed.summary.withheld
        assert not passed.summary.released


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("streaming", [True, False])
def test_a_stream_behind_the_beginning_of_an_object_is_read_all_the_same(api: Api, streaming: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """A reader of streams skips the first line."""
    data = b'{"x": "\n\n' + some_stream(api, command="touch x")
    assert carried(opened(api, "application/json", streaming=streaming), data, RELEASE).data == data
    passed = carried(opened(api, "application/json", streaming=streaming), data, withhold())
    assert len(passed.calls) == 1
    assert b"touch x" not in passed.data.replace(b"\\", b"")


@pytest.mark.parametrize("data", [b"", b" \n", b"<html>no model</html>", b"{", b"[1]", b" " * 5000])
@pytest.mark.parametrize("streaming", [True, False])
def test_what_is_neither_passes(data: bytes, streaming: bool) -> None:  # noqa: FBT001 - a parameter of the test
    assert carried(opened("anthropic", "application/json", streaming=streaming), data, withhold()).data == data


@pytest.mark.parametrize("end", [0, 1, 30, 300])
def test_giving_up_returns_what_was_kept(end: int) -> None:
    for data in (OBJECTS["chat"], some_stream("chat", command="ls")):
        rewriter = opened("chat", "application/json")
        written = rewriter.feed(data[:end]).data + rewriter.give_up()
        assert written + rewriter.feed(data[end:]).data + rewriter.close().data == data


def test_more_than_may_be_kept_passes_and_is_noted() -> None:
    rewriter = opened("anthropic", "application/json", limit=1000)
    assert carried(rewriter, b"{" + b" " * 3000, withhold()).data == b"{" + b" " * 3000
    assert rewriter.summary.unchecked == ("*",)


def test_answers_to_background_requests_are_left_alone() -> None:
    asked = msgspec.structs.replace(facts("anthropic"), kind="background", background="title")
    assert open_rewriter(asked, "text/event-stream") is None
