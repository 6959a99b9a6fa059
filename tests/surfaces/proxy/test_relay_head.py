"""Heads go on as they came, but for what belongs to one connection."""

from __future__ import annotations

from leeboard.surfaces.proxy.relay_head import (
    answer_head,
    head_bytes,
    passed_on,
    request_head,
    wants_close,
    with_coding,
    with_length,
)
from leeboard.wire.http1 import Framing, Head, parse_head


def head(*lines: str) -> Head:
    return parse_head("\r\n".join(lines).encode() + b"\r\n\r\n")


REQUEST = head(
    "POST /token/https/api.example.com/v1/messages HTTP/1.1",
    "x-api-key: k",
    "HOST: 127.0.0.1:1",
    "Connection: keep-alive, X-Hop",
    "Keep-Alive: 5",
    "X-Hop: 1",
    "Expect: 100-continue",
    "TE: trailers",
    "Accept-Encoding: gzip, deflate, br;q=1.0, zstd",
    "Content-Length: 7",
    "X-Last: z",
)


def test_a_request_keeps_the_order_and_the_spelling_of_its_fields() -> None:
    sent = request_head(REQUEST, b"POST", b"/v1/messages", b"api.example.com")
    assert sent.first == b"POST /v1/messages HTTP/1.1"
    assert [name for name, _ in sent.fields] == [
        b"x-api-key",
        b"HOST",
        b"TE",
        b"Accept-Encoding",
        b"Content-Length",
        b"X-Last",
    ]
    assert sent.values(b"host") == [b"api.example.com"]


def test_what_connection_names_is_not_passed_on_but_lengths_are() -> None:
    named = head("GET / HTTP/1.1", "Connection: Content-Length, X-A", "Content-Length: 1", "X-A: 1", "X-B: 1")
    assert [name for name, _ in passed_on(named)] == [b"Content-Length", b"X-B"]


def test_a_new_length_stands_where_the_old_one_stood() -> None:
    assert with_length(REQUEST, 9).fields.index((b"Content-Length", b"9")) == 8
    chunked = head("POST / HTTP/1.1", "Transfer-Encoding: chunked", "Trailer: X", "A: 1")
    assert with_length(chunked, 9).fields == ((b"Content-Length", b"9"), (b"A", b"1"))
    assert with_length(head("POST / HTTP/1.1", "A: 1"), 0).fields == ((b"A", b"1"), (b"Content-Length", b"0"))


def test_no_coding_is_asked_for_that_could_not_be_read() -> None:
    assert with_coding(REQUEST, frozenset({b"gzip"})).values(b"accept-encoding") == [b"gzip"]
    assert with_coding(REQUEST, frozenset({b"none"})).values(b"accept-encoding") == [b"identity"]
    plain = head("GET / HTTP/1.1", "Accept-Encoding: gzip;q=0.5,  identity")
    assert with_coding(plain, frozenset({b"gzip", b"identity"})) == plain


def test_an_answer_is_the_same_but_for_the_connection() -> None:
    came = head(
        "HTTP/1.1 429 Too Many", "retry-after: 3", "Connection: keep-alive", "Content-Length: 2", "request-id: r"
    )
    sent = answer_head(came, Framing("length", 2), ends_connection=False)
    assert head_bytes(sent) == b"HTTP/1.1 429 Too Many\r\nretry-after: 3\r\nContent-Length: 2\r\nrequest-id: r\r\n\r\n"
    assert answer_head(came, Framing("length", 2), ends_connection=True).fields[-1] == (b"Connection", b"close")


def test_the_framing_of_an_answer_is_told_as_it_will_be() -> None:
    came = head("HTTP/1.0 200 OK", "Content-Length: 2")
    sent = answer_head(came, Framing("chunked"), ends_connection=False)
    assert sent == Head(b"HTTP/1.1 200 OK", ((b"Transfer-Encoding", b"chunked"),))
    chunked = head("HTTP/1.1 200 OK", "transfer-encoding: chunked", "Trailer: X-Sum")
    assert answer_head(chunked, Framing("chunked"), ends_connection=False) == chunked
    assert answer_head(chunked, Framing("close"), ends_connection=True).fields == ((b"Connection", b"close"),)


def test_who_ends_the_connection() -> None:
    assert wants_close(head("GET / HTTP/1.1", "Connection: Close"), 1)
    assert not wants_close(head("GET / HTTP/1.1"), 1)
    assert wants_close(head("GET / HTTP/1.0"), 0)
    assert not wants_close(head("GET / HTTP/1.0", "Connection: keep-alive"), 0)
