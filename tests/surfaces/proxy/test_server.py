"""Whom the server serves, and what it does with those who mean no good."""

from __future__ import annotations

import json
import socket

import pytest

from leeboard.surfaces.proxy import server as server_module
from leeboard.wire.http1 import HEAD_LIMIT, chunk
from tests.surfaces.proxy.anthropic_stream import call_block, events_head, message, request
from tests.surfaces.proxy.running_proxy import (
    LIMIT,
    TOKEN,
    RunningProxy,
    body_of,
    read_all,
    read_exactly,
    running,
    status_of,
)
from tests.surfaces.proxy.scripted_desk import ScriptedDesk
from tests.surfaces.proxy.scripted_upstream import Upstream, answer, playing, whole


def asked(proxy: RunningProxy, upstream: Upstream, *fields: str, host: str = "localhost") -> bytes:
    lines = [f"GET {proxy.path(upstream.address)} HTTP/1.1", f"Host: {host}", "Connection: close", *fields]
    return proxy.ask(("\r\n".join(lines) + "\r\n\r\n").encode())


def error_of(came: bytes) -> dict[str, object]:
    told = json.loads(body_of(came))
    assert told["type"] == "error"
    assert told["error"]["message"].startswith("leeboard: ")
    return dict(told["error"])


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:99", "LocalHost:1", "[::1]:8"])
def test_who_means_this_machine_is_served(host: str) -> None:
    with playing(answer(whole(b"x"))) as upstream, running() as proxy:
        assert status_of(asked(proxy, upstream, host=host)) == 200


@pytest.mark.parametrize(
    ("host", "fields"),
    [
        ("evil.example", ()),
        ("127.0.0.1.evil.example", ()),
        ("localhost:x", ()),
        ("localhost", ("Host: localhost",)),
        ("localhost", ("Origin: https://evil.example",)),
        ("localhost", ("Origin: null",)),
    ],
)
def test_a_page_from_elsewhere_is_not(host: str, fields: tuple[str, ...]) -> None:
    with playing(answer(whole(b"x"))) as upstream, running() as proxy:
        came = asked(proxy, upstream, *fields, host=host)
        assert status_of(came) == 403
        assert error_of(came)["type"] == "permission_error"
        assert not upstream.requests


@pytest.mark.parametrize(
    "path", ["/", "/v1/messages", "/wrong/https/api.example.com/", f"/{TOKEN}", f"/{TOKEN}/ftp/x/"]
)
def test_who_does_not_know_the_token_gets_nowhere(path: str) -> None:
    with running() as proxy:
        came = proxy.ask(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert status_of(came) == 404
        assert "leeboard proxy" in str(error_of(came)["message"])


def test_a_web_socket_is_refused_at_once() -> None:
    with playing(answer(whole(b"x"))) as upstream, running() as proxy:
        came = asked(proxy, upstream, "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13")
        assert status_of(came) == 426
        assert not upstream.requests


def test_it_tells_how_it_is() -> None:
    with playing(answer(whole(b"x"))) as upstream, running() as proxy:
        asked(proxy, upstream)
        came = proxy.ask(f"GET /{TOKEN}/leeboard/health HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        told = json.loads(body_of(came))
        assert (told["carried"], told["plain"], told["own_failures"]) == (1, True, 0)
        assert status_of(proxy.ask(f"GET /{TOKEN}/leeboard/x HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())) == 404


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"GET / HTTP/1.1\r\nX: " + b"a" * HEAD_LIMIT, 431),
        (b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * 300 + b"\r\n", 431),
        (b"a" * (HEAD_LIMIT + 1), 431),
        (b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost localhost\r\n\r\n", 400),
        (b"GET / HTTP/3.1\r\nHost: localhost\r\n\r\n", 400),
        (b"POST PATH HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n", 400),
        (
            b"POST PATH HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            400,
        ),
        (b"POST PATH HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nnot a size\r\n", 400),
        (b"POST PATH HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1" * 9000, 400),
        (b"GET PATH HTTP/1.1\r\nHost: localhost\r\n folded: x\r\n\r\n", 400),
    ],
)
def test_a_hostile_client_gets_a_clear_error_and_nobody_else_suffers(raw: bytes, status: int) -> None:
    with playing(answer(whole(b"x"))) as upstream, running() as proxy:
        came = proxy.ask(raw.replace(b"PATH", proxy.path(upstream.address, "/v1/messages").encode()))
        assert status_of(came) == status
        error_of(came)
        assert status_of(asked(proxy, upstream)) == 200


def test_a_body_longer_than_it_was_said_to_be_is_an_error_of_its_own() -> None:
    with playing(answer(whole(b"x"))) as upstream, running() as proxy:
        head = f"POST {proxy.path(upstream.address)} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n"
        came = proxy.ask(head.encode() + b"{} and more that is no request\r\n\r\n")
        assert came.startswith(whole(b"x"))
        assert status_of(came.removeprefix(whole(b"x"))) == 400
        assert [body for _, body in upstream.requests] == [b"{}"]


def test_a_client_that_asks_first_is_told_to_go_on() -> None:
    with playing(answer(whole(b"x"))) as upstream, running() as proxy, proxy.connect() as sock:
        path = proxy.path(upstream.address)
        fields = "Host: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close"
        sock.sendall(f"POST {path} HTTP/1.1\r\n{fields}\r\n\r\n".encode())
        assert sock.recv(4096) == b"HTTP/1.1 100 Continue\r\n\r\n"
        sock.sendall(b"{}")
        assert body_of(read_all(sock)) == b"x"
        assert b"xpect" not in upstream.requests[0][0]


def test_a_head_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(server_module, "HEAD_SECONDS", 0.0)
    with running() as proxy:
        assert status_of(proxy.ask(b"GET / HT")) == 408


def test_a_connection_that_does_nothing_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(server_module, "QUIET_SECONDS", 0.0)
    with running() as proxy:
        assert proxy.ask(b"") == b""


def test_too_many_connections_are_refused_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "MOST_CONNECTIONS", 1)
    with playing(answer(whole(b"x"))) as upstream, running() as proxy, proxy.connect() as first:
        line = f"GET {proxy.path(upstream.address)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        first.sendall(line)
        assert read_exactly(first, len(whole(b"x"))) == whole(b"x")
        assert status_of(proxy.ask(b"")) == 503
        first.sendall(line)
        assert read_exactly(first, len(whole(b"x"))) == whole(b"x")


def test_it_listens_on_loopback_alone() -> None:
    with running() as proxy:
        own = next((each[4][0] for each in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)), "127.0.0.1")
        if not str(own).startswith("127."):
            with pytest.raises(OSError, match="refused"):
                socket.create_connection((str(own), proxy.port), timeout=LIMIT)


def large_call(proxy: RunningProxy, upstream: Upstream) -> bytes:
    """A request whose answer is held for its call, and then written all at once."""
    body = request()
    head = f"POST {proxy.path(upstream.address, '/v1/messages')} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    return head.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body


LARGE = message(call_block(0, "toolu_1", "x" * (24 << 20), 100))


def test_a_slow_reader_gets_the_rest_of_its_last_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "LOOK_SECONDS", 0.001)
    script = answer(events_head(), *map(chunk, LARGE), b"0\r\n\r\n")
    with playing(script) as upstream, running(ScriptedDesk()) as proxy, proxy.connect() as sock:
        sock.sendall(large_call(proxy, upstream))
        size, last = 0, b""
        while part := sock.recv(1 << 14):
            size, last = size + len(part), (last + part)[-5:]
        assert size > 24 << 20
        assert last == b"0\r\n\r\n"


def test_who_takes_nothing_of_it_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "LOOK_SECONDS", 0.001)
    monkeypatch.setattr(server_module, "REST_SECONDS", 0.0)
    script = answer(events_head(), *map(chunk, LARGE), b"0\r\n\r\n")
    with playing(script) as upstream, running(ScriptedDesk()) as proxy, proxy.connect() as sock:
        sock.sendall(large_call(proxy, upstream))
        question = f"GET /{TOKEN}/leeboard/health HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        told = (json.loads(body_of(proxy.ask(question))) for _ in range(100_000))
        assert next(each for each in told if each["carried"] and each["connections"] == 1), "only who asks is there"
        assert len(read_all(sock)) < 24 << 20
