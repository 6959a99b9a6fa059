"""Answers that are read on their way: calls wait for their ruling, the rest flows, and nothing of ours can break it."""

from __future__ import annotations

import gzip
import json
import socket
import threading
import zlib
from collections.abc import Sequence

import msgspec
import pytest

from leeboard.app.proxy.orders import RequestOrders, TellOrders, tell_nobody
from leeboard.surfaces.proxy import judging as judging_module
from leeboard.surfaces.proxy import watch as watch_module
from leeboard.wire.http1 import BodyReader, Framing, chunk
from leeboard.wire.seam import RELEASE, CallRuling, Reasoning, RequestFacts, WireCall
from tests.surfaces.proxy.anthropic_stream import (
    call_block,
    events_head,
    message,
    request,
    text_block,
    texts_and_calls,
    whole_message,
)
from tests.surfaces.proxy.running_proxy import LIMIT, RunningProxy, body_of, running, status_of
from tests.surfaces.proxy.scripted_desk import WITHHELD, ScriptedDesk, withhold
from tests.surfaces.proxy.scripted_upstream import Connection, Script, Upstream, answer, playing, whole

FRAMES = message(text_block(0, "I will."), call_block(1, "toolu_1", "make test"), call_block(2, "toolu_2", "rm -r x"))
STREAM = b"".join(FRAMES)


def streamed(frames: Sequence[bytes], *fields: bytes, trailers: bytes = b"") -> Script:
    return answer(events_head(*fields), *map(chunk, frames), b"0\r\n" + trailers + b"\r\n")


def unchunked(came: bytes) -> bytes:
    reader = BodyReader(Framing("chunked"))
    payload, _ = reader.feed(body_of(came))
    assert reader.done, came
    return payload


def ask(proxy: RunningProxy, upstream: Upstream, body: bytes | None = None) -> bytes:
    return proxy.post(upstream.address, request() if body is None else body, "/v1/messages?beta=true")


def test_what_is_released_arrives_byte_for_byte() -> None:
    desk = ScriptedDesk()
    fields = (b"request-id: req_1", b"anthropic-ratelimit-tokens-remaining: 7")
    with playing(streamed(FRAMES, *fields, trailers=b"X-Sum: 1\r\n")) as upstream, running(desk) as proxy:
        came = ask(proxy, upstream)
        desk.wait_for_end()
    assert unchunked(came) == STREAM
    assert came.endswith(b"\r\n0\r\nX-Sum: 1\r\n\r\n")
    assert came.startswith(events_head(*fields)[:-2] + b"Connection: close\r\n\r\n")
    assert [call.id for call in desk.calls] == ["toolu_1", "toolu_2"]
    assert desk.heard == ["request", "finished answered 0"]
    ((_, summary, times),) = desk.finishes
    assert (summary.calls, summary.released, summary.is_complete) == (2, ("toolu_1", "toolu_2"), True)
    assert times.total_ms >= times.first_byte_ms > 0


@pytest.mark.parametrize("size", [1, 7, 100])
def test_however_upstream_cuts_the_stream(size: int) -> None:
    pieces = [STREAM[at : at + size] for at in range(0, len(STREAM), size)]
    with playing(streamed(pieces)) as upstream, running(ScriptedDesk()) as proxy:
        assert unchunked(ask(proxy, upstream)) == STREAM


def test_a_withheld_call_never_reaches_the_client() -> None:
    desk = ScriptedDesk(withhold("toolu_2"))
    with playing(streamed(FRAMES)) as upstream, running(desk) as proxy:
        came = unchunked(ask(proxy, upstream))
        desk.wait_for_end()
    assert b"rm -r" not in came
    assert texts_and_calls(came) == ("I will.", ["make test"], "tool_use")
    assert desk.finishes[0][1].withheld == ("toolu_2",)
    assert proxy.server.counts.withheld == 1


def test_where_every_call_is_withheld_the_client_is_told_why() -> None:
    with playing(streamed(FRAMES)) as upstream, running(ScriptedDesk(lambda _: WITHHELD)) as proxy:
        text, commands, stop = texts_and_calls(unchunked(ask(proxy, upstream)))
    assert (commands, stop) == ([], "end_turn")
    assert "Leeboard held this back." in text


def test_where_the_hooks_are_the_brake_everything_passes() -> None:
    desk = ScriptedDesk(lambda _: WITHHELD, may_withhold=False)
    with playing(streamed(FRAMES)) as upstream, running(desk) as proxy:
        assert unchunked(ask(proxy, upstream)) == STREAM
    assert len(desk.calls) == 2


def test_text_flows_while_a_call_waits_and_the_client_hears_that_somebody_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watch_module, "KEEP_ALIVE_SECONDS", 0.02)
    ruled = threading.Event()

    def rule(_: WireCall) -> CallRuling:
        ruled.wait(LIMIT)
        return RELEASE

    with playing(streamed(FRAMES)) as upstream, running(ScriptedDesk(rule)) as proxy, proxy.connect() as sock:
        body = request()
        head = (
            f"POST {proxy.path(upstream.address, '/v1/messages')} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        )
        sock.sendall(head.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        came = b""
        while came.count(b"\r\n: ") < 3:
            came += sock.recv(1 << 16)
        assert b"I will." in came
        assert b"tool_use" not in came
        ruled.set()
        while part := sock.recv(1 << 16):
            came += part
    frames = [frame for frame in unchunked(came).split(b"\n\n") if not frame.startswith(b":")]
    assert b"\n\n".join(frames) == STREAM, "the comments stand between frames, and nothing else is different"


def test_a_held_stream_whose_upstream_is_dead_ends_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch_module, "KEEP_ALIVE_SECONDS", 0.02)
    monkeypatch.setattr(watch_module, "SILENCE_SECONDS", 0.05)

    def script(connection: Connection) -> None:
        connection.write(events_head() + b"".join(map(chunk, FRAMES[:6])))
        connection.wait_for_end()

    with playing(script) as upstream, running(ScriptedDesk()) as proxy:
        came = ask(proxy, upstream)
    assert b"event: error" in came
    assert b"tool_use" not in came
    assert not came.endswith(b"0\r\n\r\n")


class BrokenDesk(ScriptedDesk):
    """Fails at one of its tasks."""

    def __init__(self, broken: str) -> None:
        super().__init__()
        self._broken = broken

    def request(self, facts: RequestFacts, early: TellOrders = tell_nobody) -> RequestOrders:
        assert self._broken != "request"
        return super().request(facts, early)

    def judge(
        self, facts: RequestFacts, calls: Sequence[WireCall], reasoning: Sequence[Reasoning]
    ) -> dict[str, CallRuling]:
        assert self._broken != "judge"
        return {} if self._broken == "silent" else super().judge(facts, calls, reasoning)


@pytest.mark.parametrize("broken", ["request", "judge", "silent"])
def test_a_desk_that_fails_costs_the_client_nothing(
    broken: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path_factory.mktemp("state")))
    desk = BrokenDesk(broken)
    with playing(streamed(FRAMES)) as upstream, running(desk) as proxy:
        assert unchunked(ask(proxy, upstream)) == STREAM
        if broken != "request":
            desk.wait_for_end()
            assert desk.finishes[0][1].unchecked == ("toolu_1", "toolu_2")
        assert proxy.server.judging.failures == (0 if broken == "silent" else proxy.server.judging.failures or -1)


def test_a_desk_that_takes_too_long_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path_factory.mktemp("state")))
    monkeypatch.setattr(judging_module, "ASK_SECONDS", 0.05)
    answered = threading.Event()

    def rule(_: WireCall) -> CallRuling:
        answered.wait(LIMIT)
        return WITHHELD

    desk = ScriptedDesk(rule)
    with playing(streamed(FRAMES)) as upstream, running(desk) as proxy:
        assert unchunked(ask(proxy, upstream)) == STREAM
        answered.set()


def test_an_answer_in_one_piece_is_held_as_a_whole() -> None:
    raw = whole_message(("toolu_1", "make test"), ("toolu_2", "rm -r x"))
    with playing(answer(raw)) as upstream, running(ScriptedDesk()) as proxy:
        came = ask(proxy, upstream, request(stream=False))
        assert came.replace(b"Connection: close\r\n", b"") == raw
    with playing(answer(raw)) as upstream, running(ScriptedDesk(withhold("toolu_2"))) as proxy:
        came = ask(proxy, upstream, request(stream=False))
        assert b"request-id: req_1" in came
        assert b"Content-Length: %d\r\n" % len(body_of(came)) in came
        names = [part.get("id") for part in json.loads(body_of(came))["content"]]
        assert names == [None, "toolu_1"]


def packed(frames: Sequence[bytes]) -> list[bytes]:
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    return [*(packer.compress(each) + packer.flush(zlib.Z_SYNC_FLUSH) for each in frames), packer.flush()]


def test_a_compressed_stream_that_is_released_keeps_its_very_bytes() -> None:
    pieces = packed(FRAMES)
    with playing(streamed(pieces, b"Content-Encoding: gzip")) as upstream, running(ScriptedDesk()) as proxy:
        came = ask(proxy, upstream)
    assert b"\r\nContent-Encoding: gzip\r\n" in came
    assert unchunked(came) == b"".join(pieces)


def test_a_compressed_stream_is_read_and_changed() -> None:
    pieces = packed(FRAMES)
    desk = ScriptedDesk(withhold("toolu_2"))
    with playing(streamed(pieces, b"Content-Encoding: gzip")) as upstream, running(desk) as proxy:
        came = gzip.decompress(unchunked(ask(proxy, upstream)))
    assert texts_and_calls(came) == ("I will.", ["make test"], "tool_use")


def test_no_coding_is_asked_for_that_could_not_be_read() -> None:
    with playing(streamed(FRAMES)) as upstream, running(ScriptedDesk()) as proxy:
        proxy.post(upstream.address, request(), "/v1/messages", "Accept-Encoding: gzip, deflate, br, zstd")
        assert b"\r\nAccept-Encoding: gzip\r\n" in upstream.requests[0][0]


def test_an_answer_in_a_coding_nobody_asked_for_passes_unread() -> None:
    pieces = [b"what brotli would be", b"and more"]
    desk = ScriptedDesk(lambda _: WITHHELD)
    with playing(streamed(pieces, b"Content-Encoding: br")) as upstream, running(desk) as proxy:
        assert unchunked(ask(proxy, upstream)) == b"".join(pieces)
        desk.wait_for_end()
    assert desk.calls == []


class StrictDesk(ScriptedDesk):
    """Under `enforce`: what nobody can read is withheld."""

    def request(self, facts: RequestFacts, early: TellOrders = tell_nobody) -> RequestOrders:
        return msgspec.structs.replace(super().request(facts, early), unread=WITHHELD)


def test_where_nothing_may_pass_unread_such_an_answer_is_refused_once_and_for_all() -> None:
    desk = StrictDesk()
    with playing(streamed([b"what brotli would be"], b"Content-Encoding: br")) as upstream, running(desk) as proxy:
        came = ask(proxy, upstream)
        desk.wait_for_end()
    assert status_of(came) == 400, "clients do not try again"
    assert b"brotli" not in came
    assert b"can not be read" in came
    assert desk.finishes[0][0] == "refused"


@pytest.mark.parametrize("size", [1, 50, 10_000])
def test_a_stream_that_is_called_json_is_a_stream(size: int) -> None:
    pieces = [STREAM[at : at + size] for at in range(0, len(STREAM), size)]
    head = events_head().replace(b"text/event-stream", b"application/json")
    assert head != events_head()
    script = answer(head, *map(chunk, pieces), b"0\r\n\r\n")
    with playing(script) as upstream, running(ScriptedDesk()) as proxy:
        assert unchunked(ask(proxy, upstream)) == STREAM
    desk = ScriptedDesk(withhold("toolu_2"))
    with playing(script) as upstream, running(desk) as proxy:
        assert texts_and_calls(unchunked(ask(proxy, upstream))) == ("I will.", ["make test"], "tool_use")


def test_an_object_that_is_called_json_keeps_its_length_though_a_stream_was_asked_for() -> None:
    raw = whole_message(("toolu_1", "make test"))
    with playing(answer(raw)) as upstream, running(ScriptedDesk()) as proxy:
        assert ask(proxy, upstream).replace(b"Connection: close\r\n", b"") == raw


@pytest.mark.parametrize("status", [b"429 Too Many Requests", b"529", b"400 Bad Request", b"500 Oops"])
def test_a_refusal_of_the_provider_passes_as_it_is(status: bytes) -> None:
    desk = ScriptedDesk(words="Mind the goal.")
    raw = whole(b'{"type":"error"}', b"content-type: application/json", b"retry-after: 3", status=status)
    with playing(answer(raw)) as upstream, running(desk) as proxy:
        assert ask(proxy, upstream).replace(b"Connection: close\r\n", b"") == raw
        desk.wait_for_end()
    assert desk.heard == ["request", "finished refused 1"], "nobody heard the words, so they were not delivered"


def test_words_go_into_the_request_and_are_delivered_once_the_answer_begins() -> None:
    desk = ScriptedDesk(words="Mind the goal.")
    body = request("Fix it.")
    with playing(streamed(FRAMES)) as upstream, running(desk) as proxy:
        assert unchunked(ask(proxy, upstream, body)) == STREAM
        desk.wait_for_end()
        head, arrived = upstream.requests[0]
    assert desk.heard == ["request", "delivered 1", "finished answered 1"]
    assert b"Mind the goal." in arrived
    assert b"Content-Length: %d" % len(arrived) in head
    sent, came = json.loads(body), json.loads(arrived)
    assert came.pop("messages")[0]["content"][0] == sent.pop("messages")[0]["content"][0]
    assert came == sent


def test_a_stream_that_is_cut_loses_nothing_but_the_call_that_was_not_complete() -> None:
    def script(connection: Connection) -> None:
        connection.write(events_head() + b"".join(map(chunk, FRAMES[:6])))
        connection.reset()

    desk = ScriptedDesk()
    with playing(script) as upstream, running(desk) as proxy:
        came = ask(proxy, upstream)
        desk.wait_for_end()
    assert b"I will." in came
    assert b"tool_use" not in came
    assert not came.endswith(b"0\r\n\r\n")
    assert desk.heard[-1] == "finished cut 0"


def test_when_the_client_leaves_held_calls_are_told_to_have_never_run() -> None:
    asked, ruled = threading.Event(), threading.Event()

    def rule(_: WireCall) -> CallRuling:
        asked.set()
        ruled.wait(LIMIT)
        return RELEASE

    desk = ScriptedDesk(rule)
    with playing(streamed(FRAMES)) as upstream, running(desk) as proxy:
        with proxy.connect() as sock:
            body = request()
            head = f"POST {proxy.path(upstream.address, '/v1/messages')} HTTP/1.1\r\nHost: localhost\r\n"
            sock.sendall(head.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body)
            assert asked.wait(LIMIT)
        desk.wait_for_end()
        ruled.set()
    assert desk.heard[-1] == "finished gone 0"
    assert any(told.startswith("gone ") and "toolu_1" in told for told in desk.heard)


def test_a_request_that_is_no_turn_of_a_model_is_nobodys_business() -> None:
    desk = ScriptedDesk(words="Mind the goal.")
    with playing(answer(whole(b"x"))) as upstream, running(desk) as proxy:
        for path, body in (
            ("/v1/messages", b"no JSON"),
            ("/v1/messages/count_tokens", request()),
            ("/v1/x", request()),
        ):
            assert body_of(proxy.post(upstream.address, body, path)) == b"x"
        title = request(fields={"tools": [], "max_tokens": 100})
        assert body_of(proxy.post(upstream.address, title)) == b"x"
        assert [arrived for _, arrived in upstream.requests] == [b"no JSON", request(), request(), title]
    assert desk.heard == ["unread: its body is no JSON object"]


def test_damaged_compression_is_a_broken_answer_and_nothing_more() -> None:
    with playing(streamed([b"no gzip"], b"Content-Encoding: gzip")) as upstream, running(ScriptedDesk()) as proxy:
        came = ask(proxy, upstream)
        assert status_of(came) == 200
        assert not came.endswith(b"0\r\n\r\n")
    with playing(answer(whole(b"fine"))) as upstream, running(ScriptedDesk()) as proxy:
        assert body_of(proxy.get(upstream.address)) == b"fine"


class _SlowToHear(ScriptedDesk):
    """Takes in what the model said when the proxy begins to end, and not before."""

    idle: socket.socket
    """A connection to the proxy, which it ends when it does itself."""

    def judge(
        self, facts: RequestFacts, calls: Sequence[WireCall], reasoning: Sequence[Reasoning]
    ) -> dict[str, CallRuling]:
        assert self.idle.recv(1) == b""
        return super().judge(facts, calls, reasoning)


def test_an_answer_that_is_through_is_recorded_though_the_proxy_ends_at_once() -> None:
    """A client that has its answer may end, and `leeboard run` with it."""
    desk = _SlowToHear()
    frames = message(text_block(0, "Done."))
    with playing(streamed(frames)) as upstream, running(desk) as proxy:
        desk.idle = proxy.connect()
        assert unchunked(ask(proxy, upstream)) == b"".join(frames)
    desk.idle.close()
    assert [part.text for part in desk.reasoning] == ["Done."]
    assert desk.heard == ["request", "finished answered 0"]


def test_an_answer_that_the_end_of_the_proxy_breaks_off_is_recorded() -> None:
    def half(connection: Connection) -> None:
        connection.write(events_head() + chunk(FRAMES[0]))
        connection.wait_for_end()

    desk = ScriptedDesk()
    with playing(half) as upstream, running(desk) as proxy:
        sock = proxy.connect()
        body = request()
        head = f"POST {proxy.path(upstream.address, '/v1/messages')} HTTP/1.1\r\nHost: 127.0.0.1:{proxy.port}\r\n"
        sock.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        assert sock.recv(1 << 16)
    sock.close()
    assert desk.heard == ["request", "finished gone 0"]
