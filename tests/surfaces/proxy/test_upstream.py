"""Connections to upstream: kept, given out again, and opened by way of the user's own proxy."""

from __future__ import annotations

import asyncio
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import uvloop

from leeboard.errors import EffectError
from leeboard.surfaces.proxy import upstream as upstream_module
from leeboard.surfaces.proxy.address import Origin
from leeboard.surfaces.proxy.upstream import Pool
from leeboard.wire.http1 import BodyReader, Head
from tests.surfaces.proxy.scripted_upstream import Connection, answer, playing, whole


class Answer:
    """Takes an answer, and tells when it is over."""

    def __init__(self) -> None:
        self.status, self.body, self.failure = b"", b"", ""
        self.ended = asyncio.Event()

    def take_answer_head(self, head: Head, reader: BodyReader) -> None:  # noqa: ARG002 - as every receiver
        self.status = head.first

    def take_hint(self, head: Head) -> None:
        """Of no interest."""

    def take_answer(self, payload: bytes, raw: bytes) -> None:  # noqa: ARG002 - as every receiver
        self.body += payload

    def end_answer(self, failure: str) -> None:
        self.failure = failure
        self.ended.set()

    def write_more(self) -> None:
        """Of no interest."""

    def write_less(self) -> None:
        """Of no interest."""


async def ask(pool: Pool, origin: Origin) -> Answer:
    receiver = Answer()
    upstream = await pool.connect(origin)
    upstream.begin(receiver, b"GET")
    upstream.write(b"GET / HTTP/1.1\r\nHost: %b\r\n\r\n" % origin.field)
    await receiver.ended.wait()
    return receiver


def test_a_connection_is_used_again() -> None:
    async def main(port: int) -> list[bytes]:
        pool = Pool({})
        bodies = [(await ask(pool, Origin("http", "127.0.0.1", port))).body for _ in range(3)]
        pool.close()
        return bodies

    with playing(answer(whole(b"x"))) as upstream:
        assert uvloop.run(main(upstream.port)) == [b"x"] * 3
        assert upstream.connections == 1


@pytest.mark.parametrize("extra", [b"unasked", b""])
def test_one_on_which_more_came_than_was_asked_for_is_not(extra: bytes) -> None:
    async def main(port: int) -> None:
        pool = Pool({})
        for _ in range(2):
            await ask(pool, Origin("http", "127.0.0.1", port))
        pool.close()

    fields = () if extra else (b"Connection: close",)
    with playing(answer(whole(b"x", *fields) + extra)) as upstream:
        uvloop.run(main(upstream.port))
        assert upstream.connections == 2


def test_an_idle_connection_is_ended_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upstream_module, "IDLE_SECONDS", 0.0)
    ended = threading.Event()

    def script(connection: Connection) -> None:
        connection.write(whole(b"x"))
        connection.wait_for_end()
        ended.set()

    async def main(port: int) -> None:
        await ask(Pool({}), Origin("http", "127.0.0.1", port))
        await asyncio.to_thread(ended.wait, 30)

    with playing(script) as upstream:
        uvloop.run(main(upstream.port))
        assert ended.is_set()


def test_who_can_not_be_reached_is_named() -> None:
    with pytest.raises(EffectError, match=r"http://127\.0\.0\.1:1 can not be reached"):
        uvloop.run(ask(Pool({}), Origin("http", "127.0.0.1", 1)))


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for localhost, signed by itself, with its key."""
    folder = tmp_path_factory.mktemp("tls")
    words = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    places = ("-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem"))
    subprocess.run(("openssl", *words.split(), *places), check=True, capture_output=True)
    return folder


@pytest.fixture
def secured(certificate: Path) -> Iterator[int]:
    """The port of a server that answers over TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                plain, _ = listener.accept()
                with suppress(OSError), context.wrap_socket(plain, server_side=True) as sock:
                    while sock.recv(1 << 16):
                        sock.sendall(whole(b"secured"))

    thread = threading.Thread(target=serve)
    thread.start()
    yield int(listener.getsockname()[1])
    with suppress(OSError):
        listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join()


def test_an_upstream_is_spoken_to_over_tls_and_its_certificate_is_looked_at(secured: int, certificate: Path) -> None:
    async def main(env: dict[str, str]) -> bytes:
        pool = Pool(env)
        came = await ask(pool, Origin("https", "localhost", secured))
        pool.close()
        return came.body

    assert uvloop.run(main({"NODE_EXTRA_CA_CERTS": str(certificate / "cert.pem")})) == b"secured"
    with pytest.raises(EffectError, match="can not be reached"):
        uvloop.run(main({}))


def test_the_way_out_may_lead_through_the_users_own_proxy(secured: int, certificate: Path) -> None:
    """One that asks for a name; it is left aside for those that need none."""
    asked: list[bytes] = []

    def script(connection: Connection) -> None:
        asked.append(connection.head)
        connection.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        with socket.create_connection(("127.0.0.1", secured)) as sock:
            _join(connection._sock, sock)

    async def main(env: dict[str, str]) -> bytes:
        pool = Pool({"NODE_EXTRA_CA_CERTS": str(certificate / "cert.pem"), **env})
        came = await ask(pool, Origin("https", "localhost", secured))
        pool.close()
        return came.body

    with playing(script) as proxy:
        env = {"https_proxy": f"http://kim:pass@127.0.0.1:{proxy.port}"}
        assert uvloop.run(main(env)) == b"secured"
        assert asked[0].startswith(f"CONNECT localhost:{secured} HTTP/1.1\r\n".encode())
        assert b"Proxy-Authorization: Basic a2ltOnBhc3M=" in asked[0]
        assert uvloop.run(main({**env, "NO_PROXY": "localhost"})) == b"secured"
        assert len(asked) == 1
    with (
        playing(answer(b"HTTP/1.1 407 Who are you\r\n\r\n")) as proxy,
        pytest.raises(EffectError, match="answered 407"),
    ):
        uvloop.run(main({"HTTPS_PROXY": f"127.0.0.1:{proxy.port}"}))


def _join(one: socket.socket, other: socket.socket) -> None:
    def carry(source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)

    back = threading.Thread(target=carry, args=(other, one))
    back.start()
    carry(one, other)
    back.join()
