"""A proxy that runs in a thread of the test's own process, and the plainest of clients to ask it."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvloop

from leeboard.surfaces.proxy.address import base_url
from leeboard.surfaces.proxy.judging import TrafficJudge
from leeboard.surfaces.proxy.server import Server

TOKEN = "a-token-that-only-tests-know"
LIMIT = 30.0
"""Seconds that anything may take before a test gives up."""


class RunningProxy:
    """Where the proxy listens, and the server itself."""

    def __init__(self, port: int, server: Server) -> None:
        self.port, self.server = port, server

    def path(self, upstream: str, path: str = "/") -> str:
        """The target of a request that is meant for that upstream."""
        return base_url(self.port, TOKEN, upstream).partition(f":{self.port}")[2] + path

    def connect(self) -> socket.socket:
        sock = socket.create_connection(("127.0.0.1", self.port), timeout=LIMIT)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return sock

    def ask(self, request: bytes) -> bytes:
        """Everything that comes back until the connection ends; the request has to say that it is the last one."""
        with self.connect() as sock:
            sock.sendall(request)
            return read_all(sock)

    def post(self, upstream: str, body: bytes, path: str = "/v1/messages", *fields: str) -> bytes:
        head = [f"POST {self.path(upstream, path)} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", *fields]
        head += [f"Content-Length: {len(body)}", "Connection: close"]
        return self.ask(("\r\n".join(head) + "\r\n\r\n").encode() + body)

    def get(self, upstream: str, path: str = "/", *fields: str, method: str = "GET") -> bytes:
        head = [f"{method} {self.path(upstream, path)} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", *fields]
        return self.ask(("\r\n".join([*head, "Connection: close"]) + "\r\n\r\n").encode())


def read_all(sock: socket.socket) -> bytes:
    """What comes until the other side ends, or breaks off."""
    parts = []
    try:
        while part := sock.recv(1 << 20):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def read_exactly(sock: socket.socket, size: int) -> bytes:
    """The next so many bytes, or what there is before the other side ends."""
    came = b""
    while len(came) < size and (part := sock.recv(size - len(came))):
        came += part
    return came


def body_of(answer: bytes) -> bytes:
    return answer.partition(b"\r\n\r\n")[2]


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


@contextmanager
def running(desk: TrafficJudge | None = None) -> Iterator[RunningProxy]:
    """The proxy, for as long as the block lasts."""
    sock = socket.create_server(("127.0.0.1", 0), backlog=1024)
    started, holder = threading.Event(), _Holder()
    thread = threading.Thread(target=_run, args=(sock, desk, started, holder))
    thread.start()
    started.wait(LIMIT)
    assert holder.server is not None
    try:
        yield RunningProxy(int(sock.getsockname()[1]), holder.server)
    finally:
        assert holder.loop is not None
        assert holder.ended is not None
        holder.loop.call_soon_threadsafe(holder.ended.set)
        thread.join()


class _Holder:
    server: Server | None = None
    loop: asyncio.AbstractEventLoop | None = None
    ended: asyncio.Event | None = None


def _run(sock: socket.socket, desk: TrafficJudge | None, started: threading.Event, holder: _Holder) -> None:
    async def main() -> None:
        holder.loop, holder.ended = asyncio.get_running_loop(), asyncio.Event()
        holder.server = Server(TOKEN, desk)
        listening = await holder.server.listen(sock)
        started.set()
        await holder.ended.wait()
        listening.close()
        await holder.server.close()

    uvloop.run(main())
