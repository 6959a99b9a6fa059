"""Connections to the servers that requests are forwarded to, and the idle ones kept for the next request."""

from __future__ import annotations

import asyncio
import os
import ssl
from collections.abc import Mapping
from contextlib import suppress
from typing import Protocol, cast
from urllib.parse import unquote, urlsplit
from urllib.request import proxy_bypass_environment  # type: ignore[attr-defined] # typeshed leaves it out

from leeboard.errors import EffectError, LeeboardError, WireError
from leeboard.surfaces.proxy.address import Origin
from leeboard.surfaces.proxy.relay_head import wants_close
from leeboard.wire.http1 import BodyReader, Head, answer_framing, head_end, parse_head, parse_status

CONNECT_SECONDS = 30.0
IDLE_SECONDS = 30.0
"""How long a connection is kept that nobody uses. Servers close theirs later, so that ours is never a dead one."""
MOST_IDLE = 64


class Receiver(Protocol):
    """Whoever waits for an answer."""

    def take_answer_head(self, head: Head, reader: BodyReader) -> None:
        """The head of the answer; the reader knows how its body will end."""

    def take_hint(self, head: Head) -> None:
        """A head before the answer's own, such as Early Hints."""

    def take_answer(self, payload: bytes, raw: bytes) -> None:
        """A part of the body: what it says, and the bytes it came in."""

    def end_answer(self, failure: str) -> None:
        """No more will come. `failure` is empty where the answer is whole."""

    def write_more(self) -> None:
        """Upstream has taken what it was given."""

    def write_less(self) -> None:
        """Upstream does not keep up."""


class Upstream(asyncio.Protocol):
    """One connection, with one request on it at a time."""

    def __init__(self, pool: Pool, origin: Origin) -> None:
        self._pool = pool
        self.origin = origin
        self._transport: asyncio.Transport | None = None
        self._receiver: Receiver | None = None
        self._method = b""
        self._head = bytearray()
        self._reader: BodyReader | None = None
        self._closes = False
        self.uses = 0
        self.heard = False
        """Whether anything came back for the request that is under way."""

    # What the exchange does.

    def begin(self, receiver: Receiver, method: bytes) -> None:
        self._receiver, self._method = receiver, method
        self._head, self._reader, self._closes = bytearray(), None, False
        self.uses += 1
        self.heard = False

    def write(self, data: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def pause(self) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.pause_reading()

    def resume(self) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()

    def drop(self) -> None:
        """End the connection at once, whatever is under way on it; nobody is told."""
        self._receiver = None
        if self._transport is not None:
            self._transport.abort()

    @property
    def is_usable(self) -> bool:
        return self._transport is not None and not self._transport.is_closing()

    # What the event loop does.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's only look like one

    def data_received(self, data: bytes) -> None:
        if self._receiver is None:
            self.drop()  # nobody asked for anything: what would follow could be taken for an answer to the next request
            return
        self.heard = True
        try:
            if self._reader is None:
                data = self._read_head(data)
            if self._reader is not None and data:
                self._read_body(self._reader, data)
        except LeeboardError as error:
            self._fail(f"{self.origin.name} sent what is no HTTP: {error}")

    def eof_received(self) -> bool:
        if self._reader is not None and self._reader.ends_with_connection and not self._reader.done:
            self._reader.done = True
            self._finish()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._pool.forget(self)
        if self._receiver is not None:
            self._fail(f"{self.origin.name} ended the connection early" + (f" ({exc})" if exc else ""))

    def pause_writing(self) -> None:
        if self._receiver is not None:
            self._receiver.write_less()

    def resume_writing(self) -> None:
        if self._receiver is not None:
            self._receiver.write_more()

    def _read_head(self, data: bytes) -> bytes:
        """Take heads until the answer's own is complete; what of the data follows it."""
        searched = len(self._head)
        self._head += data
        while end := head_end(self._head, searched):
            head, searched = parse_head(bytes(self._head[:end])), 0
            del self._head[:end]
            status, minor = parse_status(head)
            if status == 101:
                raise WireError("it changed to a protocol that nobody asked for")
            assert self._receiver is not None  # noqa: S101 - data of nobody's is dropped before
            if status >= 200:
                self._reader = BodyReader(answer_framing(head, self._method))
                self._closes = wants_close(head, minor) or self._reader.ends_with_connection
                rest, self._head = bytes(self._head), bytearray()
                self._receiver.take_answer_head(head, self._reader)
                if self._reader.done:
                    self._closes = self._closes or bool(rest)
                    self._finish()
                    return b""
                return rest
            if status != 100:
                self._receiver.take_hint(head)
        return b""

    def _read_body(self, reader: BodyReader, data: bytes) -> None:
        payload, used = reader.feed(data)
        if self._receiver is not None and used:
            self._receiver.take_answer(payload, data if used == len(data) else data[:used])
        if reader.error is not None:
            raise reader.error
        if reader.done:
            self._closes = self._closes or used < len(data)
            self._finish()

    def _finish(self) -> None:
        receiver, self._receiver = self._receiver, None
        if self._closes or not self.is_usable:
            self.drop()
        else:
            self.resume()
            self._pool.give_back(self)
        if receiver is not None:
            receiver.end_answer("")

    def _fail(self, failure: str) -> None:
        receiver = self._receiver
        self.drop()
        if receiver is not None:
            receiver.end_answer(failure)


class Pool:
    """Idle connections by origin, and the way to new ones."""

    def __init__(self, env: Mapping[str, str] | None = None) -> None:
        self._env = os.environ if env is None else env
        self._idle: dict[Origin, list[tuple[Upstream, asyncio.TimerHandle]]] = {}
        self._tls: ssl.SSLContext | None = None

    async def connect(self, origin: Origin, *, fresh: bool = False) -> Upstream:
        """An idle connection, or a new one; `EffectError` where there is none to be had, `TimeoutError` in time."""
        waiting = self._idle.get(origin, [])
        while waiting and not fresh:
            upstream, timer = waiting.pop()
            timer.cancel()
            if upstream.is_usable:
                return upstream
        upstream = Upstream(self, origin)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await self._open(upstream)
        except TimeoutError:
            raise
        except (OSError, ssl.SSLError) as error:
            raise EffectError(f"{origin.name} can not be reached: {error.strerror or error}") from error
        return upstream

    def give_back(self, upstream: Upstream) -> None:
        waiting = self._idle.setdefault(upstream.origin, [])
        if len(waiting) >= MOST_IDLE:
            upstream.drop()
            return
        waiting.append((upstream, asyncio.get_running_loop().call_later(IDLE_SECONDS, upstream.drop)))

    def forget(self, upstream: Upstream) -> None:
        """It has ended, idle or not."""
        waiting = self._idle.get(upstream.origin, [])
        for entry in [entry for entry in waiting if entry[0] is upstream]:
            entry[1].cancel()
            waiting.remove(entry)

    def close(self) -> None:
        for waiting in self._idle.values():
            for upstream, timer in list(waiting):
                timer.cancel()
                upstream.drop()
        self._idle.clear()

    async def _open(self, upstream: Upstream) -> None:
        origin, loop = upstream.origin, asyncio.get_running_loop()
        host = origin.host.strip("[]")
        context = self._tls_context() if origin.scheme == "https" else None
        through = self._proxy_of(origin)
        if not through or context is None:
            await loop.create_connection(
                lambda: upstream, host, origin.port, ssl=context, server_hostname=host if context else None
            )
            return
        transport = await _tunnel(through, origin)
        secured = await loop.start_tls(transport, upstream, context, server_hostname=host)
        if secured is None:
            raise OSError(f"the proxy {urlsplit(through).hostname} ended the connection")
        upstream.connection_made(secured)

    def _tls_context(self) -> ssl.SSLContext:
        if self._tls is None:
            self._tls = ssl.create_default_context()
            self._tls.set_alpn_protocols(["http/1.1"])
            extra = self._env.get("NODE_EXTRA_CA_CERTS", "")
            if extra:  # clients that run on Node trust these
                with suppress(OSError, ssl.SSLError):
                    self._tls.load_verify_locations(extra)
        return self._tls

    def _proxy_of(self, origin: Origin) -> str:
        """The proxy that the user's environment names for that origin, if any."""
        told = {name.lower(): value for name, value in self._env.items() if name.lower().endswith("_proxy")}
        named = told.get("https_proxy") or told.get("all_proxy") or ""
        spared = {"no": told.get("no_proxy", "")}
        if not named or proxy_bypass_environment(origin.host, spared):
            return ""
        return named if "://" in named else f"http://{named}"


class _Tunnel(asyncio.Protocol):
    """Waits for a proxy's answer to CONNECT."""

    def __init__(self) -> None:
        self._data = bytearray()
        self.answer: asyncio.Future[Head] = asyncio.get_running_loop().create_future()

    def data_received(self, data: bytes) -> None:
        self._data += data
        if self.answer.done():
            return
        try:
            if end := head_end(self._data):
                self.answer.set_result(parse_head(bytes(self._data[:end])))
        except LeeboardError as error:
            self.answer.set_exception(OSError(f"the proxy answered what is no HTTP: {error}"))

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.answer.done():
            self.answer.set_exception(OSError(f"the proxy ended the connection ({exc or 'without a word'})"))


async def _tunnel(through: str, origin: Origin) -> asyncio.Transport:
    """A connection to the origin by way of the user's own proxy."""
    parts = urlsplit(through)
    if parts.scheme != "http" or not parts.hostname:
        raise OSError(f"a proxy is spoken to over http, not {parts.scheme}")
    loop = asyncio.get_running_loop()
    transport, tunnel = await loop.create_connection(_Tunnel, parts.hostname, parts.port or 80)
    place = f"{origin.host}:{origin.port}"
    lines = [f"CONNECT {place} HTTP/1.1", f"Host: {place}"]
    if parts.username:
        import base64  # noqa: PLC0415 - few proxies ask for a name

        known = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        lines.append(f"Proxy-Authorization: Basic {base64.b64encode(known.encode()).decode()}")
    transport.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    try:
        status, _ = parse_status(await tunnel.answer)
    except BaseException:
        transport.abort()
        raise
    if status != 200:
        transport.abort()
        raise OSError(f"the proxy {parts.hostname} answered {status}")
    return transport
