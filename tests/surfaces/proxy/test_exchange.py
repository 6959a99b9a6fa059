"""One request and its answer: at the pace of the slower side, and no longer than both are there."""

from __future__ import annotations

import threading

import pytest

from leeboard.surfaces.proxy import exchange as exchange_module
from tests.surfaces.proxy.anthropic_stream import events_head, request
from tests.surfaces.proxy.running_proxy import LIMIT, body_of, read_all, running, status_of
from tests.surfaces.proxy.scripted_desk import ScriptedDesk
from tests.surfaces.proxy.scripted_upstream import Connection, answer, playing, playing_early, whole

MEGABYTE = bytes(range(256)) * 4096


def test_an_upstream_that_can_not_be_reached_is_an_error_in_the_shape_of_the_api() -> None:
    with running() as proxy:
        came = proxy.post("http://127.0.0.1:1", b"{}")
        assert status_of(came) == 502
        assert b'"type":"api_error"' in came
        assert b"http://127.0.0.1:1 can not be reached" in came


def test_an_upstream_that_ends_before_it_answers_is_one_too() -> None:
    with playing(lambda connection: connection.reset()) as upstream, running() as proxy:
        came = proxy.get(upstream.address)
        assert status_of(came) == 502
        assert b"ended the connection early" in came


def test_a_slow_client_slows_upstream_down_and_loses_nothing() -> None:
    written = threading.Semaphore(0)
    total = 64

    def script(connection: Connection) -> None:
        connection.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (total * len(MEGABYTE)))
        for _ in range(total):
            connection.write(MEGABYTE)
            written.release()

    with playing(script) as upstream, running() as proxy, proxy.connect() as sock:
        sock.sendall(
            f"GET {proxy.path(upstream.address)} HTTP/1.1\r\nHost: x\r\n\r\n".replace("x", "localhost").encode()
        )
        done = 0
        while written.acquire(timeout=1.0):
            done += 1
        assert done < total / 2, "what nobody reads has to stay where it is"
        head = sock.recv(1 << 16)
        got = len(body_of(head))
        while got < total * len(MEGABYTE):
            got += len(sock.recv(1 << 20))
        assert got == total * len(MEGABYTE)


def test_a_slow_upstream_slows_the_client_down_and_gets_everything() -> None:
    total, go = 48, threading.Event()
    sizes: list[int] = []

    def script(connection: Connection) -> None:
        go.wait(LIMIT)
        sizes.append(len(connection.body))
        connection.write(whole(b"thanks"))

    with playing(script) as upstream, running() as proxy, proxy.connect() as sock:
        head = f"PUT {proxy.path(upstream.address, '/files')} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        sock.sendall(head.encode() + b"Content-Length: %d\r\n\r\n" % (total * len(MEGABYTE)))
        for _ in range(total):
            sock.sendall(MEGABYTE)
        go.set()
        assert body_of(read_all(sock)) == b"thanks"
        assert sizes == [total * len(MEGABYTE)]


def test_when_the_client_leaves_upstream_is_told_at_once() -> None:
    left = threading.Event()

    def script(connection: Connection) -> None:
        connection.write(events_head() + b"3\r\nabc\r\n")
        connection.wait_for_end()
        left.set()

    with playing(script) as upstream, running() as proxy:
        sock = proxy.connect()
        sock.sendall(f"GET {proxy.path(upstream.address)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert sock.recv(1 << 16)
        assert not left.is_set()
        sock.close()
        assert left.wait(LIMIT)


def test_when_the_client_leaves_before_there_is_an_answer_too() -> None:
    asked, left = threading.Event(), threading.Event()

    def script(connection: Connection) -> None:
        asked.set()
        connection.wait_for_end()
        left.set()

    with playing(script) as upstream, running() as proxy:
        sock = proxy.connect()
        sock.sendall(f"GET {proxy.path(upstream.address)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert asked.wait(LIMIT)
        sock.close()
        assert left.wait(LIMIT)


def test_a_client_that_leaves_in_the_middle_of_its_request_asks_for_nothing() -> None:
    with playing(answer(whole(b"x"))) as upstream, running(ScriptedDesk()) as proxy:
        with proxy.connect() as sock:
            head = f"POST {proxy.path(upstream.address, '/v1/messages')} HTTP/1.1\r\nHost: localhost\r\n"
            sock.sendall(head.encode() + b"Content-Length: 100\r\n\r\nhalf")
        assert body_of(proxy.get(upstream.address)) == b"x"
        assert [body for _, body in upstream.requests] == [b""]


def test_a_connection_that_upstream_ended_meanwhile_is_not_the_clients_trouble() -> None:
    """It answers once on each connection, and hangs up when it is asked again."""
    answered: set[Connection] = set()

    def script(connection: Connection) -> None:
        if connection in answered:
            connection.reset()
            return
        answered.add(connection)
        connection.write(whole(b"x"))

    with playing(script) as upstream, running() as proxy:
        for number in range(4):
            assert body_of(proxy.post(upstream.address, b"%d" % number)) == b"x"
        assert upstream.connections >= 3


def test_an_upstream_that_answers_before_it_was_told_everything_is_heard() -> None:
    early = whole(b"too large", status=b"413 Payload Too Large")
    with playing_early(early) as port, running() as proxy, proxy.connect() as sock:
        path = proxy.path(f"http://127.0.0.1:{port}", "/files")
        sock.sendall(f"PUT {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nbegun".encode())
        came = read_all(sock)
        assert (status_of(came), body_of(came)) == (413, b"too large")


def test_a_request_too_long_to_be_looked_into_is_carried_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange_module, "COLLECT_LIMIT", 1000)
    desk = ScriptedDesk()
    body = request("x" * 5000)
    chunked = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    with playing(answer(whole(b"x"))) as upstream, running(desk) as proxy:
        assert body_of(proxy.post(upstream.address, body)) == b"x"
        path = proxy.path(upstream.address, "/v1/messages")
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        assert body_of(proxy.ask(head.encode() + chunked)) == b"x"
        assert [arrived for _, arrived in upstream.requests] == [body, chunked]
    assert desk.heard == ["unread: it is longer than 0 MB"] * 2


@pytest.mark.parametrize(
    ("body", "field", "why"),
    [
        (b"\x28\xb5\x2f\xfd", "Content-Encoding: zstd", "unread: it came compressed (zstd)"),
        (b"no JSON", "X-A: b", "unread: its body is no JSON object"),
    ],
)
def test_a_request_that_can_not_be_read_is_carried_and_told_of(body: bytes, field: str, why: str) -> None:
    desk = ScriptedDesk()
    with playing(answer(whole(b"x"))) as upstream, running(desk) as proxy:
        assert body_of(proxy.post(upstream.address, body, "/v1/messages", field)) == b"x"
        assert upstream.requests[0][1] == body
        desk.wait_for(why)
