"""One request and its answer, from the client to upstream and back."""

from __future__ import annotations

import asyncio
from typing import Protocol

import msgspec

from leeboard.errors import EffectError, LeeboardError
from leeboard.surfaces.proxy.address import Origin
from leeboard.surfaces.proxy.coding import READABLE, find_coding
from leeboard.surfaces.proxy.envelope import error_answer
from leeboard.surfaces.proxy.judging import Judging
from leeboard.surfaces.proxy.relay import Outlet, PlainRelay, Relay, WatchedRelay
from leeboard.surfaces.proxy.relay_head import head_bytes, request_head, with_coding, with_length
from leeboard.surfaces.proxy.upstream import Pool, Upstream
from leeboard.surfaces.proxy.watch import Prepared, WatchedAnswer, prepare
from leeboard.wire.http1 import BodyReader, Framing, Head, parse_status

COLLECT_LIMIT = 64 * 1024 * 1024
"""Bytes of a request that are read before it is sent on. A longer one is sent on as it comes, and not looked into."""
WAITING_LIMIT = 1024 * 1024
"""Bytes of a request that wait for a connection before the client is asked to wait."""
_TURNS = (b"/messages", b"/responses", b"/chat/completions")
"""How the paths end at which a model's turn is asked for."""


class ClientSide(Outlet, Protocol):
    """The connection that a request came on."""

    is_full: bool
    """Whether it has not taken yet what was written to it."""

    def pause(self) -> None:
        """Nothing more is to be read for now."""

    def resume(self) -> None:
        """More may come."""

    def finish(self, *, close: bool) -> None:
        """The exchange is over; the next request may come, unless the connection is to end."""

    def cut(self, *, reset: bool) -> None:
        """The exchange is over, and the client is to see that its answer broke off: by a reset, if by nothing else."""


class Request(msgspec.Struct, frozen=True):
    """What a client asked, its body aside."""

    head: Head
    method: bytes
    origin: Origin
    path: bytes
    framing: Framing

    @property
    def is_turn(self) -> bool:
        """Whether a model is asked for its turn."""
        return self.method == b"POST" and self.path.partition(b"?")[0].endswith(_TURNS)


class Counts(msgspec.Struct):
    """What a server has carried since it began."""

    carried: int = 0
    watched: int = 0
    withheld: int = 0
    failed: int = 0


class Exchange:
    """Owns the way of one request; the connections on both sides tell it what comes."""

    def __init__(self, client: ClientSide, request: Request, pool: Pool, judging: Judging, counts: Counts) -> None:
        self._client, self._request, self._pool = client, request, pool
        self._judging, self._counts = judging, counts
        self._upstream: Upstream | None = None
        self._raw: list[bytes] = []
        """The body as it came, as far as it was not sent yet or may have to be sent again."""
        self._payload: list[bytes] = []
        self._size = 0
        self._collecting = request.is_turn and judging.desk is not None
        self._collected = asyncio.Event()
        self._body_done = False
        self._streaming = False
        self._watch: WatchedAnswer | None = None
        self._connecting: asyncio.Task[Upstream] | None = None
        """The way to upstream is opened while the request is judged."""
        self._relay: Relay | None = None
        self._over = False
        counts.carried += 1
        if self._collecting and request.framing.length > COLLECT_LIMIT:
            self._collecting = False
            self._tell_unread()
        self._task = asyncio.ensure_future(self._run())

    # From the client.

    def take_body(self, payload: bytes, raw: bytes) -> None:
        if self._streaming:
            assert self._upstream is not None  # noqa: S101 - it is streamed to something
            self._upstream.write(raw)
            return
        self._raw.append(raw)
        self._size += len(raw)
        if self._collecting:
            self._payload.append(payload)
            if self._size > COLLECT_LIMIT:
                self._collecting = False
                self._collected.set()
                self._tell_unread()
        if not self._collecting and self._size > WAITING_LIMIT:
            self._client.pause()

    def end_body(self) -> None:
        self._body_done = True
        self._collected.set()

    def lose_client(self) -> None:
        """It went away: whatever is under way for it ends."""
        if self._over:
            return
        self._over = True
        self._task.cancel()
        if self._connecting is not None:
            self._connecting.add_done_callback(_put_aside)
            self._connecting = None
        if self._upstream is not None:
            self._upstream.drop()
        if self._watch is not None:
            self._watch.drop()

    def hold_answer(self) -> None:
        """The client does not keep up."""
        if self._upstream is not None:
            self._upstream.pause()

    def resume_answer(self) -> None:
        if self._upstream is not None and not self._over:
            self._upstream.resume()

    # On the way to upstream.

    async def _run(self, *, again: bool = False) -> None:
        try:
            if self._collecting and not again:
                await self._collected.wait()
            if self._collecting and not again:
                self._connecting = asyncio.ensure_future(self._pool.connect(self._request.origin))
                await self._look_into()
                self._payload.clear()
            await self._send(self._watch.prepared if self._watch else None, fresh=again)
        except TimeoutError:
            self._refuse(504, f"{self._request.origin.name} did not take the connection in time")
        except EffectError as error:
            self._refuse(502, str(error))
        except Exception as failure:  # noqa: BLE001 - the client gets an answer, whatever is wrong with us
            self._judging.note(failure)
            self._refuse(502, f"a fault of the proxy itself ({type(failure).__name__})")

    def _tell_unread(self) -> None:
        if (desk := self._judging.desk) is not None:
            self._judging.tell(lambda: desk.unread(f"it is longer than {COLLECT_LIMIT >> 20} MB"))

    async def _look_into(self) -> None:
        """Whether the answer is to be watched, and what goes into the request."""
        request, desk = self._request, self._judging.desk
        if desk is None:
            return
        body = self._payload[0] if len(self._payload) == 1 else b"".join(self._payload)
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in request.head.fields}
        call = (request.method.decode("latin-1"), request.path.decode("latin-1"), headers, body)
        prepared, kept = await self._judging.ask_early(lambda early: prepare(desk, call, early))
        if prepared is not None:
            self._counts.watched += 1
            self._watch = WatchedAnswer(self._judging, prepared, kept)

    async def _send(self, prepared: Prepared | None, *, fresh: bool = False) -> None:
        request = self._request
        connecting, self._connecting = self._connecting, None
        upstream = await (connecting or self._pool.connect(request.origin, fresh=fresh))
        if not upstream.is_usable:  # it ended while the request was judged
            upstream = await self._pool.connect(request.origin, fresh=True)
        self._upstream = upstream
        upstream.begin(self, request.method)
        if self._client.is_full:
            upstream.pause()
        head = request_head(request.head, request.method, request.path, request.origin.field)
        body = self._raw
        if prepared is not None and prepared.is_changed:
            head, body = with_length(head, len(prepared.body)), [prepared.body]
        if prepared is not None and prepared.orders.watch:
            head = with_coding(head, READABLE)
        upstream.write(b"".join((head_bytes(head), *body)))
        if not self._body_done:
            self._streaming = True
            self._raw.clear()
            self._client.resume()

    # From upstream.

    def write_less(self) -> None:
        if self._streaming:
            self._client.pause()

    def write_more(self) -> None:
        self._client.resume()

    def take_hint(self, head: Head) -> None:
        if not self._client.is_old and self._relay is None:
            self._client.write(head_bytes(head))

    def take_answer_head(self, head: Head, reader: BodyReader) -> None:
        self._raw.clear()
        status, _ = parse_status(head)
        if self._watch is not None and 200 <= status < 300 and not reader.done:
            coding = find_coding(head.values(b"content-encoding"))
            told = b"".join(head.values(b"content-type")).decode("latin-1")
            if coding is None and self._watch.withholds_unread:
                self._withhold_answer()
                return
            if self._watch.open(told) and coding is not None:
                relay = WatchedRelay(self._client, head, reader, self._watch, self._finish)
                self._relay = relay
                relay.begin(coding)
                return
        elif self._watch is not None:
            self._watch.refuse()
            self._watch = None
        self._relay = PlainRelay(self._client, head, reader, self._finish)

    def _withhold_answer(self) -> None:
        """Nobody can tell what is in it. Not a status at which clients try again: the same would come once more."""
        if self._upstream is not None:
            self._upstream.drop()
        self._refuse(400, "the answer is compressed in a way that can not be read, and nothing passes unread here")

    def take_answer(self, payload: bytes, raw: bytes) -> None:
        relay = self._relay
        if relay is None or self._over:
            return
        try:
            relay.take(payload, raw)
        except LeeboardError as error:
            self._judging.note(error)
            if self._upstream is not None:
                self._upstream.drop()
            self.end_answer(str(error))

    def end_answer(self, failure: str) -> None:
        if self._over:
            return
        relay, upstream = self._relay, self._upstream
        self._upstream = None  # it may serve another exchange by now
        if relay is None:
            if upstream is not None and upstream.uses > 1 and not upstream.heard and self._body_done:
                # It had been idle, and was ended by the other side at this very moment: once more, on a new one.
                self._task = asyncio.ensure_future(self._run(again=True))
                return
            self._refuse(502, failure)
            return
        if not self._body_done and upstream is not None:
            upstream.drop()  # it answered before it had read everything, and would take the rest for a request
        relay.end(cut=bool(failure))

    # The end.

    def _finish(self, cut: bool) -> None:  # noqa: FBT001 - a callback
        """The answer has been written as far as it goes."""
        if self._over:
            return
        self._over = True
        relay, watch = self._relay, self._watch
        if watch is not None:
            self._counts.withheld += len(watch.summary.withheld)
            if isinstance(relay, PlainRelay):
                watch.leave()
        if cut:
            self._counts.failed += 1
            if self._upstream is not None:
                self._upstream.drop()
            self._client.cut(reset=relay is not None and relay.ends_by_connection)
            return
        self._relay = None
        self._client.finish(close=relay is None or relay.ends_connection or not self._body_done)

    def _refuse(self, status: int, message: str) -> None:
        if self._over:
            return
        self._over = True
        self._counts.failed += 1
        if self._watch is not None:
            self._watch.refuse()
        self._client.write(error_answer(status, message))
        self._client.finish(close=True)


def _put_aside(connecting: asyncio.Task[Upstream]) -> None:
    """Nobody needs the connection any more."""
    if not connecting.cancelled() and connecting.exception() is None:
        connecting.result().drop()
