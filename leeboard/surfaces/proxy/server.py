"""The server that clients speak to: loopback only, one exchange after the other on each connection."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import cast

import leeboard
from leeboard.errors import LeeboardError
from leeboard.surfaces.proxy.address import find_challenge, find_target, is_from_here, proof
from leeboard.surfaces.proxy.envelope import error_answer, own_answer
from leeboard.surfaces.proxy.exchange import Counts, Exchange, Request
from leeboard.surfaces.proxy.judging import Judging, TrafficJudge
from leeboard.surfaces.proxy.relay_head import wants_close
from leeboard.surfaces.proxy.upstream import Pool
from leeboard.wire.http1 import (
    BodyReader,
    Head,
    HeadTooLongError,
    RequestLine,
    head_end,
    parse_head,
    parse_request,
    request_framing,
)

MOST_CONNECTIONS = 4000
LOOK_SECONDS = 15.0
HEAD_SECONDS = 30.0
"""How long a client may take for a head that it has begun."""
REST_SECONDS = 60.0
"""How long the rest of an answer may lie there without a byte of it being taken."""
QUIET_SECONDS = 600.0
"""How long a connection may do nothing: between two requests, within a body, or with an answer that is not read."""
PIPELINE_LIMIT = 64 * 1024
"""Bytes that a client may send ahead of the answer it waits for."""


class Server:
    """What all connections share."""

    def __init__(self, token: str, desk: TrafficJudge | None, pool: Pool | None = None) -> None:
        self.token = token
        self.pool = pool or Pool()
        self.judging = Judging(desk)
        self.counts = Counts()
        self.is_plain = desk is None
        self._connections: set[ClientConnection] = set()

    async def listen(self, sock: socket.socket) -> asyncio.Server:
        return await asyncio.get_running_loop().create_server(lambda: ClientConnection(self), sock=sock, backlog=1024)

    async def close(self) -> None:
        for connection in list(self._connections):
            connection.break_off()
        await self.judging.close()
        self.pool.close()

    def join(self, connection: ClientConnection) -> bool:
        self._connections.add(connection)
        return len(self._connections) <= MOST_CONNECTIONS

    def leave(self, connection: ClientConnection) -> None:
        self._connections.discard(connection)

    def answer_itself(self, path: bytes) -> bytes:
        """What the proxy tells of itself."""
        if path != b"/health":
            return error_answer(404, "the proxy itself can only be asked for its health")
        told = {"leeboard": leeboard.__version__, "pid": os.getpid(), "plain": self.is_plain}
        open_now = sum(1 for connection in self._connections if connection.is_busy)
        counts = self.counts
        return own_answer(
            {
                **told,
                "connections": len(self._connections),
                "open": open_now,
                "carried": counts.carried,
                "watched": counts.watched,
                "withheld": counts.withheld,
                "failed": counts.failed,
                "own_failures": self.judging.failures,
            }
        )


class ClientConnection(asyncio.Protocol):
    """A client's connection: reads requests off it and hands each to an exchange, one after the other."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._data = bytearray()
        self._searched = 0
        self._reader: BodyReader | None = None
        self._exchange: Exchange | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._moved = 0.0
        """When something last went over the connection."""
        self._left = 0
        """Bytes that were still to be sent when somebody last looked."""
        self._paused = False
        self.is_old = False
        self.will_close = False
        self.is_full = False

    @property
    def is_busy(self) -> bool:
        return self._exchange is not None

    @property
    def _port(self) -> int:
        return int(self._transport.get_extra_info("sockname")[1]) if self._transport is not None else 0

    # What the event loop does.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's only look like one
        self._moved = self._loop.time()
        self._timer = self._loop.call_later(LOOK_SECONDS, self._look)
        if not self._server.join(self):
            self._refuse(503, f"more than {MOST_CONNECTIONS} connections are open")

    def data_received(self, data: bytes) -> None:
        self._moved = self._loop.time()
        if self._reader is not None and not self._reader.done and not self._data:
            data = self._read_body(self._reader, data)
        if data:
            self._data += data
            self._advance()

    def eof_received(self) -> bool:
        return False

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        self._server.leave(self)
        if self._timer is not None:
            self._timer.cancel()
        self._lose_exchange()

    def pause_writing(self) -> None:
        self.is_full = True
        if self._exchange is not None:
            self._exchange.hold_answer()

    def resume_writing(self) -> None:
        self.is_full = False
        self._moved = self._loop.time()
        if self._exchange is not None:
            self._exchange.resume_answer()

    # What the exchange does.

    def write(self, data: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._moved = self._loop.time()
            self._transport.write(data)

    def pause(self) -> None:
        if self._transport is not None and not self._transport.is_closing() and not self._paused:
            self._paused = True
            self._transport.pause_reading()

    def resume(self) -> None:
        if self._transport is not None and not self._transport.is_closing() and self._paused:
            self._paused = False
            self._transport.resume_reading()

    def finish(self, *, close: bool) -> None:
        self._exchange = None
        if close:
            self.end()
            return
        self._reader, self._searched = None, 0
        self.resume()
        if self._data:
            self._advance()

    def cut(self, *, reset: bool) -> None:
        self._exchange = None
        if self._transport is not None and reset:
            self._transport.abort()
        elif self._transport is not None:
            self._transport.close()  # what was written still arrives

    def end(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def break_off(self) -> None:
        """The server ends, and what is under way here ends now: the record of it is not left to a later moment."""
        self._lose_exchange()
        self.end()

    def _lose_exchange(self) -> None:
        exchange, self._exchange = self._exchange, None
        if exchange is not None:
            exchange.lose_client()

    # Reading requests.

    def _advance(self) -> None:
        """Understand as much of what came as can be."""
        try:
            while self._data:
                if self._exchange is None:
                    if not self._read_head():
                        return
                elif self._reader is not None and not self._reader.done:
                    self._data = bytearray(self._read_body(self._reader, bytes(self._data)))
                else:
                    if len(self._data) > PIPELINE_LIMIT:
                        self.pause()
                    return
        except HeadTooLongError as error:
            self._refuse(431, str(error))
        except LeeboardError as error:
            self._refuse(400, str(error))

    def _read_head(self) -> bool:
        """Begin the next exchange; False while its head is not complete, or where it was refused."""
        if self._data[:2] == b"\r\n":
            del self._data[:2]
        end = head_end(self._data, self._searched)
        self._searched = len(self._data)
        if not end:
            return False
        head = parse_head(bytes(self._data[:end]))
        del self._data[:end]
        self._searched = 0
        line = parse_request(head)
        self.is_old = line.minor == 0
        self.will_close = wants_close(head, line.minor)
        return self._begin(head, line)

    def _begin(self, head: Head, line: RequestLine) -> bool:
        if not is_from_here(head.values(b"host"), head.values(b"origin")):
            return self._refuse(403, "only programs on this machine are served: Host and Origin have to say so")
        if challenge := find_challenge(line.target):
            self.write(own_answer({"proof": proof(self._server.token, self._port, challenge)}))
            self.end()
            return False
        target = find_target(line.target, self._server.token)
        if target is None:
            return self._refuse(404, "this address leads nowhere: `leeboard proxy --addresses` prints those that do")
        if head.values(b"upgrade") and b"upgrade" in head.tokens(b"connection"):
            return self._refuse(426, "web sockets are not carried: use the API over HTTP")
        framing = request_framing(head)
        if target.origin is None:
            self.write(self._server.answer_itself(target.path))
            self.end()
            return False
        if b"100-continue" in head.tokens(b"expect") and not self.is_old:
            self.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        request = Request(head, line.method, target.origin, target.path, framing)
        server = self._server
        self._reader = BodyReader(framing)
        self._exchange = Exchange(self, request, server.pool, server.judging, server.counts)
        if self._reader.done:
            self._exchange.end_body()
        return True

    def _read_body(self, reader: BodyReader, data: bytes) -> bytes:
        """Hand the body on; what follows it."""
        payload, used = reader.feed(data)
        if reader.error is not None:
            self._refuse(400, str(reader.error))
            return b""
        exchange = self._exchange
        if exchange is not None:
            if used:
                exchange.take_body(payload, data if used == len(data) else data[:used])
            if reader.done:
                exchange.end_body()
        return data[used:] if used < len(data) else b""

    def _refuse(self, status: int, message: str) -> bool:
        """Answer in our own name and end the connection; False, for the caller to return."""
        self._lose_exchange()
        self._data.clear()
        self._server.counts.failed += 1
        self.write(error_answer(status, message))
        self.end()
        return False

    def _look(self) -> None:
        """End what has stood still for too long."""
        quiet = self._loop.time() - self._moved
        transport = self._transport
        if transport is None:
            return
        if transport.is_closing():
            self._look_at_rest(transport)
        elif self._exchange is None and self._data and quiet >= HEAD_SECONDS:
            self._refuse(408, f"the head of the request did not come within {HEAD_SECONDS:g} seconds")
        elif quiet >= QUIET_SECONDS and (self._exchange is None or not self._is_answering()):
            transport.abort()
        self._timer = self._loop.call_later(LOOK_SECONDS, self._look)

    def _look_at_rest(self, transport: asyncio.Transport) -> None:
        """It was told to end once all is sent: it is given the time, as long as anything is taken."""
        left = transport.get_write_buffer_size()
        if left < self._left:
            self._moved = self._loop.time()
        elif self._loop.time() - self._moved >= REST_SECONDS:
            transport.abort()
        self._left = left

    def _is_answering(self) -> bool:
        """Whether it is upstream that everybody waits for."""
        read = self._reader is not None and self._reader.done
        return read and self._transport is not None and self._transport.get_write_buffer_size() == 0


async def serve(
    server: Server, sock: socket.socket, until: Callable[[], Awaitable[object]], ready: Callable[[], None]
) -> None:
    """Carry requests until there is a reason to end, or somebody says so with a signal."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    listening = await server.listen(sock)
    ready()
    reason = asyncio.ensure_future(until())
    reason.add_done_callback(lambda _: ended.set())
    await ended.wait()
    reason.cancel()
    listening.close()
    await server.close()
    with suppress(asyncio.CancelledError):
        await reason
