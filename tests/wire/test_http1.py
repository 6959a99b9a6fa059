"""The framing of HTTP/1.1 is understood in one way only, however the bytes are cut."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.errors import WireError
from leeboard.wire.http1 import (
    FIELD_LIMIT,
    HEAD_LIMIT,
    BodyReader,
    Framing,
    Head,
    HeadTooLongError,
    answer_framing,
    chunk,
    head_end,
    last_chunk,
    parse_head,
    parse_request,
    parse_status,
    request_framing,
)

ROOT = Path(__file__).resolve().parents[3]
HEAD = b"POST /v1/messages?beta=true HTTP/1.1\r\nHost: x\r\nX-A:1\r\nx-a:  two words \t\r\nEmpty:\r\n\r\n"


def head(*lines: bytes) -> Head:
    return parse_head(b"\r\n".join(lines) + b"\r\n\r\n")


def test_fields_keep_their_order_their_spelling_and_their_repetitions() -> None:
    parsed = parse_head(HEAD)
    assert parsed.fields == ((b"Host", b"x"), (b"X-A", b"1"), (b"x-a", b"two words"), (b"Empty", b""))
    assert parsed.values(b"x-a") == [b"1", b"two words"]
    assert parse_request(parsed).target == b"/v1/messages?beta=true"


_HOSTILE = """
from leeboard.errors import WireError
from leeboard.wire.http1 import HEAD_LIMIT, BodyReader, Framing, parse_head
room = HEAD_LIMIT - 64
for value in (b" " * room + b"\\0", b"a" + b" " * room + b"\\0", b" \\t" * (room // 2) + b"\\0", b"a " * (room // 2) + b"\\0"):
    try:
        parse_head(b"GET / HTTP/1.1\\r\\nx:" + value + b"\\r\\n\\r\\n")
    except WireError:
        continue
    raise SystemExit("taken for a field")
for line in (b"0" * 4000, b"1" + b" " * 4000 + b"\\0", b"1;" + b";" * 4000 + b"\\0"):
    BodyReader(Framing("chunked")).feed(line + b"\\r\\n")
"""


def test_hostile_heads_take_linear_time() -> None:
    subprocess.run([sys.executable, "-c", _HOSTILE], check=True, timeout=5, cwd=ROOT)


def test_the_end_of_a_head_is_found_wherever_it_is_cut() -> None:
    for cut in range(len(HEAD)):
        assert head_end(HEAD[:cut]) == 0
        assert head_end(HEAD + b"body", cut) == len(HEAD)


@pytest.mark.parametrize(
    "line",
    [
        b"no colon",
        b" folded: line",
        b"na me: x",
        b"name : x",
        b": x",
        b"a: b\0c",
        b"a: b\nc: d",
        b"a: b\rc",
        b"\xff: x",
    ],
)
def test_a_line_that_is_no_field_is_an_error(line: bytes) -> None:
    with pytest.raises(WireError):
        head(b"GET / HTTP/1.1", line)


@pytest.mark.parametrize(
    "first",
    [b"GET /", b"GET / HTTP/2.0", b"GET  / HTTP/1.1", b"GET /a b HTTP/1.1", b"", b"\x16\x03\x01", b"G\0T / HTTP/1.1"],
)
def test_a_first_line_that_is_no_request_is_an_error(first: bytes) -> None:
    with pytest.raises(WireError):
        parse_request(Head(first, ()))


@pytest.mark.parametrize("first", [b"HTTP/1.1 20 OK", b"HTTP/1.1 999 Odd", b"ICY 200 OK", b"HTTP/2 200", b""])
def test_a_first_line_that_is_no_status_is_an_error(first: bytes) -> None:
    with pytest.raises(WireError):
        parse_status(Head(first, ()))


def test_a_status_needs_no_words() -> None:
    assert parse_status(Head(b"HTTP/1.1 529", ())) == (529, 1)


def test_a_head_that_does_not_end_is_given_up() -> None:
    with pytest.raises(HeadTooLongError):
        head_end(b"GET / HTTP/1.1\r\nX: " + b"a" * HEAD_LIMIT)
    with pytest.raises(HeadTooLongError):
        head(b"GET / HTTP/1.1", *[b"X: a"] * (FIELD_LIMIT + 1))


@pytest.mark.parametrize(
    "fields",
    [
        (b"Content-Length: 1", b"Content-Length: 2"),
        (b"Content-Length: 1, 2",),
        (b"Content-Length: -1",),
        (b"Content-Length: +1",),
        (b"Content-Length: 0x1",),
        (b"Content-Length: 1_0",),
        (b"Content-Length:",),
        (b"Content-Length: 99999999999999999999",),
        (b"Content-Length: 5", b"Transfer-Encoding: chunked"),
        (b"Transfer-Encoding: gzip, chunked",),
        (b"Transfer-Encoding: chunked", b"Transfer-Encoding: chunked"),
        (b"Transfer-Encoding: identity",),
    ],
)
def test_a_length_that_could_be_read_in_two_ways_is_an_error(fields: tuple[bytes, ...]) -> None:
    with pytest.raises(WireError):
        request_framing(head(b"POST / HTTP/1.1", *fields))


def test_the_same_length_twice_is_one_length() -> None:
    assert request_framing(head(b"POST / HTTP/1.1", b"Content-Length: 5", b"content-length: 5")) == Framing("length", 5)


@pytest.mark.parametrize(
    ("first", "method", "kind"),
    [
        (b"HTTP/1.1 200 OK", b"GET", "length"),
        (b"HTTP/1.1 200 OK", b"HEAD", "none"),
        (b"HTTP/1.1 204 No Content", b"GET", "none"),
        (b"HTTP/1.1 304 Not Modified", b"GET", "none"),
        (b"HTTP/1.1 103 Early Hints", b"GET", "none"),
    ],
)
def test_whether_an_answer_has_a_body_depends_on_what_was_asked(first: bytes, method: bytes, kind: str) -> None:
    assert answer_framing(head(first, b"Content-Length: 7"), method).kind == kind


def test_an_answer_without_a_length_ends_with_the_connection_and_a_request_has_no_body() -> None:
    assert answer_framing(head(b"HTTP/1.1 200 OK"), b"GET").kind == "close"
    assert request_framing(head(b"POST / HTTP/1.1")).kind == "none"


PAYLOADS = st.lists(st.binary(min_size=1, max_size=40), max_size=5)


TRAILERS: st.SearchStrategy[list[bytes]] = st.sampled_from([[], [b"X-Sum: 1", b"x-other: 2"]])


@given(PAYLOADS, st.lists(st.integers(0, 400), max_size=8), TRAILERS)
def test_chunks_are_read_however_they_are_cut(payloads: list[bytes], cuts: list[int], trailers: list[bytes]) -> None:
    raw = b"".join(map(chunk, payloads)) + last_chunk(trailers)
    reader, read, at = BodyReader(Framing("chunked")), b"", 0
    for cut in [*sorted(cut for cut in cuts if cut < len(raw)), len(raw)]:
        payload, used = reader.feed(raw[at:cut])
        assert used == cut - at
        read, at = read + payload, cut
    assert (read, reader.done, reader.trailers) == (b"".join(payloads), True, trailers)


def test_every_single_cut_gives_the_same() -> None:
    raw = b"5;name=value\r\nhello\r\nA\r\n0123456789\r\n0\r\nX-Sum: 1\r\n\r\nNEXT"
    for cut in range(len(raw)):
        reader = BodyReader(Framing("chunked"))
        first, used = reader.feed(raw[:cut])
        second, more = reader.feed(raw[used:]) if not reader.done else (b"", 0)
        assert (first + second, used + more, reader.done) == (b"hello0123456789", len(raw) - 4, True)


@pytest.mark.parametrize(
    "raw",
    [
        b"x\r\n",
        b"5\nhello",
        b"-5\r\n",
        b"5 5\r\n",
        b"ffffffffffffffffff\r\n",
        b"5\r\nhelloX\r\n",
        b"0\r\nno field\r\n\r\n",
        b"5;" + b"e" * 5000,
        b"0\r\n" + b"x: y\r\n" * 5000,
        b"0\r\nx: " + b"y" * 20_000,
    ],
)
def test_chunks_that_are_none_are_an_error(raw: bytes) -> None:
    reader = BodyReader(Framing("chunked"))
    reader.feed(raw)
    assert isinstance(reader.error, WireError)
    assert reader.feed(b"0\r\n\r\n") == (b"", 0)


def test_what_came_before_an_error_is_not_lost() -> None:
    reader = BodyReader(Framing("chunked"))
    assert reader.feed(b"5\r\nhello\r\nzz\r\n") == (b"hello", 10)
    assert reader.error is not None


def test_a_length_takes_no_more_than_it_says() -> None:
    reader = BodyReader(Framing("length", 5))
    assert reader.feed(b"hel") == (b"hel", 3)
    assert reader.feed(b"lo and more") == (b"lo", 2)
    assert reader.done
    assert reader.feed(b"more") == (b"", 0)


@given(st.binary(max_size=300))
def test_arbitrary_bytes_raise_nothing_else(data: bytes) -> None:
    for framing in (Framing("chunked"), Framing("length", 3), Framing("close")):
        BodyReader(framing).feed(data)
    try:
        parse_request(parse_head(data + b"\r\n\r\n"))
    except WireError:
        return
