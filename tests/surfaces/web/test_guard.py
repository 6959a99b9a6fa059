"""The cookie as a browser sends it, among others and among nonsense."""

from __future__ import annotations

import socket

import pytest
from starlette.datastructures import Headers

from leeboard.surfaces.web.guard import COOKIE, POLICY, cookie_of
from tests.web_desk import WebDesk, served
from tests.web_showcase import Showcase


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("leeboard=abc", "abc"),
        ("a=1; leeboard=abc; b=2", "abc"),
        ("", ""),
        ("other=abc", ""),
        ("leeboard", ""),
        ("=;;\x7f", ""),
    ],
)
def test_the_cookie_is_found(given: str, found: str) -> None:
    assert cookie_of(Headers({"cookie": given})) == found


def test_the_policy_lets_in_nothing_from_elsewhere() -> None:
    assert POLICY.startswith("default-src 'none';")
    assert not {"unsafe-inline", "unsafe-eval", "http:", "https:", "*", "data:"} & {*POLICY.replace("'", "").split()}


def sent(desk: WebDesk, line: str, *headers: str) -> bytes:
    """The whole answer to bytes as they are, with the cookie of somebody who was let in."""
    told = "".join(
        f"{each}\r\n" for each in (line, *headers, f"Cookie: {COOKIE}={desk.cookie}", "Connection: close", "")
    )
    with socket.create_connection(("127.0.0.1", desk.port), timeout=60) as connection:
        connection.sendall(told.format(own=desk.host, address=desk.address).encode("latin-1"))
        return b"".join(iter(lambda: connection.recv(65_536), b""))


FOR_ANOTHER_NAME = [
    ("GET / HTTP/1.1", ("Host: {own}", "Host: evil.example")),
    ("GET / HTTP/1.1", ("Host: evil.example", "Host: {own}")),
    ("GET / HTTP/1.1", ("Host: {own}", "Host: {own}")),
    ("GET / HTTP/1.1", ("Host: {own}, evil.example",)),
    ("GET / HTTP/1.1", ("Host: {own}\r\n evil.example",)),
    ("GET / HTTP/1.1", ("Host: evil@{own}",)),
    ("GET / HTTP/1.1", ("Host: {own}.",)),
    ("GET / HTTP/1.1", ("Host:",)),
    ("GET / HTTP/1.1", ()),
    ("GET / HTTP/1.0", ()),
    ("GET / HTTP/1.1", ("X-Forwarded-Host: {own}", "Host: evil.example")),
    ("GET http://evil.example/ HTTP/1.1", ("Host: {own}",)),
    ("GET {address}/ HTTP/1.1", ("Host: evil.example",)),
    ("GET {address}/ HTTP/1.1", ("Host: {own}",)),
    ("GET //evil.example/ HTTP/1.1", ("Host: evil.example",)),
    ("CONNECT {own} HTTP/1.1", ("Host: {own}",)),
    ("OPTIONS * HTTP/1.1", ("Host: {own}",)),
    ("GET /static/../ HTTP/1.1", ("Host: evil.example",)),
]
LENGTHS = [
    ("Content-Length: 2", "Transfer-Encoding: chunked"),
    ("Transfer-Encoding: chunked",),
    ("Content-Length: 0", "Content-Length: 9"),
    ("Content-Length: -1",),
    (),
]
"""What one reader takes for the body of a change, another takes for the next request."""


def test_a_request_for_another_name_or_of_no_clear_length_is_refused(world: Showcase) -> None:
    with served(str(world.workshop)) as desk:
        assert sent(desk, "GET / HTTP/1.1", "Host: {own}").startswith(b"HTTP/1.1 200 ")
        for line, headers in FOR_ANOTHER_NAME:
            answer = sent(desk, line, *headers)
            assert answer.split()[1] in {b"400", b"403", b"421"}, (line, headers, answer)
            assert b"<html" not in answer
        for length in LENGTHS:
            answer = sent(desk, "POST /scope HTTP/1.1", "Host: {own}", "Origin: {address}", *length)
            assert answer.split()[1] in {b"400", b"413"}, (length, answer)
