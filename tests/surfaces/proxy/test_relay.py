"""An answer that nobody has to read arrives as the very bytes that upstream sent."""

from __future__ import annotations

import gzip

import pytest

from tests.surfaces.proxy.running_proxy import RunningProxy, body_of, read_exactly, running, status_of
from tests.surfaces.proxy.scripted_upstream import Connection, answer, playing, whole

CLOSE = b"Connection: close\r\n"

ANSWERS = {
    "rate limit": whole(
        b'{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}',
        b"content-type: application/json",
        b"retry-after: 17",
        b"x-should-retry: true",
        b"anthropic-ratelimit-requests-remaining: 0",
        b"Anthropic-RateLimit-Unified-Status: rejected",
        b"request-id: req_011",
        status=b"429 Too Many Requests",
    ),
    "overloaded": whole(b'{"type":"error","error":{"type":"overloaded_error"}}', b"X-A: 1", b"X-A: 2", status=b"529"),
    "odd words": whole(b"no JSON at all \xff\xfe\0", b"Server: \xc3\xa9", status=b"418 I'm a teapot"),
    "gzip": whole(gzip.compress(b"hello" * 100, mtime=0), b"Content-Encoding: gzip", b"vary: accept-encoding"),
    "brotli": whole(b"\x0b\x02\x80hello\x03", b"content-encoding: br"),
    "empty": whole(b""),
    "no content": b"HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n",
    "not modified": b'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n',
    "chunks": b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n000A;ext="1"\r\n0123456789\r\n0\r\n\r\n',
    "trailers": (
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nTrailer: X-Sum, X-More\r\n\r\n"
        b"3\r\nabc\r\n0\r\nX-Sum: 1\r\nx-more:2\r\n\r\n"
    ),
    "hints": b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + whole(b"x"),
}


def expected(raw: bytes) -> bytes:
    """What came, with the one field that tells the client that its own wish is met."""
    hints, mark, last = raw.rpartition(b"HTTP/1.1 ")
    head, _, body = (mark + last).partition(b"\r\n\r\n")
    return hints + head + b"\r\n" + CLOSE + b"\r\n" + body


@pytest.mark.parametrize("name", ANSWERS)
def test_every_answer_arrives_as_it_was_sent(name: str) -> None:
    with playing(answer(ANSWERS[name])) as upstream, running() as proxy:
        assert proxy.get(upstream.address, "/v1/models") == expected(ANSWERS[name])
        assert proxy.post(upstream.address, b"{}") == expected(ANSWERS[name])


@pytest.mark.parametrize("name", ["rate limit", "trailers", "gzip"])
def test_however_upstream_cuts_it(name: str) -> None:
    raw = ANSWERS[name]
    with playing(answer(*(raw[at : at + 1] for at in range(len(raw))))) as upstream, running() as proxy:
        assert proxy.get(upstream.address) == expected(raw)


@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE", "OPTIONS", "PATCH", "PROPFIND"])
def test_every_method_and_path_is_carried(method: str) -> None:
    raw = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: 1\r\n\r\n" + (b"" if method == "HEAD" else b"ok")
    with playing(answer(raw)) as upstream, running() as proxy:
        came = proxy.get(upstream.address, "/any/path%20x?beta=true&q=%2F//", method=method)
        (head, _body) = upstream.requests[0]
    assert came == expected(raw)
    assert head.startswith(f"{method} /any/path%20x?beta=true&q=%2F// HTTP/1.1\r\n".encode())


def test_a_request_arrives_with_its_fields_in_order_and_spelling() -> None:
    fields = (
        "x-api-key: sk-1",
        "Anthropic-Beta: a,b",
        "anthropic-beta: c",
        "X-Stainless-Lang: js",
        "accept-encoding: br",
    )
    body = b'{"odd":  "\\u00e9 \xc3\xa9"}'
    with playing(answer(whole(b"x"))) as upstream, running() as proxy:
        proxy.post(upstream.address, body, "/v1/messages?beta=true", *fields)
        head, arrived = upstream.requests[0]
    lines = head.decode().split("\r\n")
    assert lines[0] == "POST /v1/messages?beta=true HTTP/1.1"
    assert lines[1] == f"Host: 127.0.0.1:{upstream.port}"
    assert tuple(lines[2:-1]) == fields
    assert (lines[-1], arrived) == (f"Content-Length: {len(body)}", body)


def test_a_chunked_request_arrives_in_its_chunks() -> None:
    body = b"3\r\nabc\r\n5;x=1\r\n01234\r\n0\r\nX-Sum: 1\r\n\r\n"
    with playing(answer(whole(b"x"))) as upstream, running() as proxy:
        head = f"PUT {proxy.path(upstream.address, '/files')} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
        proxy.ask(head.encode() + CLOSE + b"\r\n" + body)
        assert upstream.requests[0][1] == body


def test_a_client_of_the_old_protocol_gets_no_chunks() -> None:
    with playing(answer(ANSWERS["chunks"])) as upstream, running() as proxy:
        came = proxy.ask(f"GET {proxy.path(upstream.address)} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
    assert came == b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc0123456789"


def test_an_answer_that_ends_with_its_connection_does_so_here() -> None:
    def script(connection: Connection) -> None:
        connection.write(b"HTTP/1.1 200 OK\r\nX-A: 1\r\n\r\nsome and ")
        connection.write(b"more")
        raise OSError

    with playing(script) as upstream, running() as proxy:
        assert proxy.get(upstream.address) == b"HTTP/1.1 200 OK\r\nX-A: 1\r\n" + CLOSE + b"\r\nsome and more"


def test_many_requests_share_a_connection_on_both_sides() -> None:
    with playing(answer(whole(b"hello"))) as upstream, running() as proxy, proxy.connect() as sock:
        line = f"GET {proxy.path(upstream.address)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        for _ in range(3):
            sock.sendall(line)
            assert read_exactly(sock, len(whole(b"hello"))) == whole(b"hello")
        sock.sendall(line * 3)
        assert read_exactly(sock, 3 * len(whole(b"hello"))) == whole(b"hello") * 3
        assert (len(upstream.requests), upstream.connections) == (6, 1)


@pytest.mark.parametrize(
    "raw",
    [
        b"SSH-2.0-OpenSSH\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"a" * 100_000,
        b"HTTP/1.1 200 OK\r\n" + b"X: a\r\n" * 500 + b"\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nbad name: x\r\n\r\n",
    ],
)
def test_an_upstream_that_speaks_no_http_is_a_clear_error(raw: bytes) -> None:
    with playing(answer(raw)) as upstream, running() as proxy:
        came = proxy.get(upstream.address)
        assert status_of(came) == 502
        assert b"leeboard: http://127.0.0.1:" in body_of(came)
        assert b"no HTTP" in body_of(came)
        assert_still_serves(proxy)


@pytest.mark.parametrize(
    "raw",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n",
    ],
)
def test_an_answer_that_breaks_off_is_seen_to_break_off(raw: bytes) -> None:
    def script(connection: Connection) -> None:
        connection.write(raw)
        raise OSError

    with playing(script) as upstream, running() as proxy:
        came = proxy.get(upstream.address)
        assert body_of(came) in body_of(raw)
        assert body_of(came).startswith(body_of(raw)[:4])
        assert not came.endswith(b"0\r\n\r\n")
        assert_still_serves(proxy)


def test_bytes_beyond_an_answer_are_nobodys_next_answer() -> None:
    with (
        playing(answer(whole(b"one") + b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")) as upstream,
        running() as proxy,
    ):
        for _ in range(3):
            assert body_of(proxy.get(upstream.address)) == b"one"
        assert upstream.connections == 3


def assert_still_serves(proxy: RunningProxy) -> None:
    with playing(answer(whole(b"fine"))) as upstream:
        assert body_of(proxy.get(upstream.address)) == b"fine"
