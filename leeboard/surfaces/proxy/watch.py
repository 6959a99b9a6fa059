"""One answer that is read on its way: its calls wait until they are judged, everything else flows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from leeboard.app.proxy.orders import CarriedTimes, RequestOrders
from leeboard.io import clock
from leeboard.model.traffic import CarriedOutcome
from leeboard.surfaces.proxy.coding import Coding
from leeboard.surfaces.proxy.envelope import error_event
from leeboard.surfaces.proxy.judging import Judging, TrafficJudge
from leeboard.wire.request import read
from leeboard.wire.restore import restore
from leeboard.wire.rewriters import open_rewriter
from leeboard.wire.seam import (
    RELEASE,
    CallRuling,
    Carried,
    Reasoning,
    RequestFacts,
    ResponseRewriter,
    Summary,
    WireCall,
)
from leeboard.wire.splice import splice

KEEP_ALIVE_SECONDS = 10.0
"""After so long without a byte a client is told that somebody is still there."""
SILENCE_SECONDS = 300.0
"""After so long without a byte from upstream a held stream is ended: keep-alives would hide that it is dead."""


class Prepared(msgspec.Struct, frozen=True, kw_only=True):
    """A request as it is to be sent, and what was found out about it."""

    desk: TrafficJudge
    facts: RequestFacts
    orders: RequestOrders
    """With those insertions that are in the body."""
    body: bytes
    is_changed: bool = False
    """Whether the body is another one than came."""


class AnswerSink(Protocol):
    """Where the rewritten answer goes."""

    def write_part(self, text: bytes) -> None:
        """More of the body, not yet coded or framed."""

    def finish(self, *, cut: bool) -> None:
        """The body is complete; or broken off, and the client is to notice."""


def prepare(
    desk: TrafficJudge,
    call: tuple[str, str, dict[str, str], bytes],
    early: Callable[[Prepared], None] = lambda _: None,
) -> Prepared | None:
    """Find out what a request is and what is to be done with it; None where it is to pass untouched. May take long.

    The call is its method, path, headers and body. `early` is told the same as soon as it is known.
    """
    facts, headers = read(*call), call[2]
    if facts is None:
        packed = next((value for name, value in headers.items() if name.lower() == "content-encoding"), "")
        desk.unread(f"it came compressed ({packed[:20]})" if packed else "its body is no JSON object")
        return None
    if facts.kind != "work":
        return None
    work = facts

    def tell(orders: RequestOrders) -> None:
        if (known := _prepared(desk, work, orders, call[3])) is not None:
            early(known)

    return _prepared(desk, facts, desk.request(facts, tell), call[3])


def _prepared(desk: TrafficJudge, facts: RequestFacts, orders: RequestOrders, came: bytes) -> Prepared | None:
    body = came
    if orders.insertions:
        spliced = splice(body, facts, orders.insertions)
        body, orders = spliced.body, msgspec.structs.replace(orders, insertions=spliced.placed)
    if orders.restored:
        body = restore(body, facts, orders.restored)
    if not orders.watch and not orders.insertions:
        return None
    return Prepared(desk=desk, facts=facts, orders=orders, body=body, is_changed=body is not came)


class WatchedAnswer:
    """Carries one answer from upstream to a sink, and has its calls judged."""

    def __init__(self, judging: Judging, prepared: Prepared, kept: asyncio.Task[Any]) -> None:
        self._judging = judging
        self.prepared = prepared
        self._kept = kept
        """Done when the desk has taken in all that the request tells: only then is it asked about the answer."""
        self._sink: AnswerSink | None = None
        self._coding: Coding | None = None
        self._rewriter: ResponseRewriter | None = None
        self.is_stream = False
        """Whether the client sees the answer while it comes, so that a comment may stand between two pieces."""
        self._is_blind = False
        """Whether something of ours failed, so that the rest passes as it comes."""
        self._calls: list[WireCall] = []
        self._reasoning: list[Reasoning] = []
        self._news = asyncio.Event()
        self._worker: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._closed, self._cut, self._ended = False, False, False
        self._began = self._wrote = self._heard = clock.monotonic()
        self._first_byte = 0.0
        self._held = 0.0
        self._unchecked: list[str] = []

    @property
    def withholds_unread(self) -> bool:
        """Whether nothing may pass that nobody could read."""
        return self.prepared.orders.watch and self.prepared.orders.unread.verdict == "withhold"

    @property
    def summary(self) -> Summary:
        """What became of the answer, with the calls that passed because nobody answered in time."""
        seen = self._rewriter.summary if self._rewriter is not None else Summary()
        return msgspec.structs.replace(seen, unchecked=(*seen.unchecked, *self._unchecked))

    # The way of an answer.

    def open(self, content_type: str) -> bool:
        """The provider has taken the request; whether its answer can be read, and is to be."""
        if self.prepared.orders.watch:
            self._rewriter = open_rewriter(self.prepared.facts, content_type, unread=self.prepared.orders.unread)
        self._heard = clock.monotonic()
        self._first_byte = self._heard - self._began
        self._worker = self._judging.follow(self._serve())
        self._notice_stream()
        return self._rewriter is not None

    def _notice_stream(self) -> None:
        """By its label, or by how it begins."""
        if not self.is_stream and self._rewriter is not None and self._rewriter.keep_alive:
            self.is_stream = True
            if self._sink is not None:
                self._set_timer(KEEP_ALIVE_SECONDS)

    def begin(self, sink: AnswerSink, coding: Coding) -> None:
        """From here on the answer goes to that sink."""
        self._sink, self._coding = sink, coding
        if self.is_stream:
            self._set_timer(KEEP_ALIVE_SECONDS)

    def feed(self, payload: bytes) -> None:
        """`WireError` where it is compressed and damaged."""
        assert self._coding is not None  # noqa: S101 - begun before
        self._heard = clock.monotonic()
        text = self._coding.decode(payload)
        if self._rewriter is None or self._is_blind:
            self._write(text)
            return
        try:
            carried = self._rewriter.feed(text)
        except Exception as failure:  # noqa: BLE001 - a fault of ours must not cost the client its answer
            self._give_up(failure)
            self._write(text)
            return
        self._notice_stream()
        self._take(carried)

    def close(self, *, cut: bool) -> None:
        """Upstream has ended, or broken off."""
        self._closed, self._cut = True, cut
        if self._rewriter is not None and not self._is_blind:
            try:
                carried = self._rewriter.close(cut=cut)
                self._notice_stream()
                self._take(carried)
            except Exception as failure:  # noqa: BLE001 - as above
                self._give_up(failure)
        self._settle()
        self._news.set()

    # Where it comes to nothing.

    def leave(self) -> None:
        """The answer was none that could be read, and has been passed on by somebody else."""
        if self.prepared.orders.watch:
            self._unchecked.append("*")
        self._closed = True
        self._end()
        self._news.set()

    def refuse(self) -> None:
        """The provider has refused the request, or could not be reached."""
        self._end()
        self._tell_finished("refused")

    def drop(self) -> None:
        """The client is gone: nothing that it was not given will run."""
        self._end()
        if self._worker is not None:
            self._worker.cancel()
        unseen = sorted(self._rewriter.waiting) if self._rewriter is not None else []
        desk, facts = self.prepared.desk, self.prepared.facts
        if unseen:
            self._judging.tell(lambda: desk.gone(facts, unseen), self._kept)
        self._tell_finished("gone")

    def _take(self, carried: Carried) -> None:
        if carried.data:
            self._write(carried.data)
        if carried.calls or carried.reasoning:
            self._calls += carried.calls
            self._reasoning += carried.reasoning
            self._news.set()

    def _give_up(self, failure: Exception | None = None) -> None:
        """Everything that was kept back, and is not withheld, goes out."""
        if failure is not None:
            self._judging.note(failure)
        self._is_blind = True
        self._unchecked.append("*")
        try:
            self._write(self._rewriter.give_up() if self._rewriter else b"")
        except Exception as second:  # noqa: BLE001 - as above
            self._judging.note(second)

    def _write(self, text: bytes) -> None:
        if text and not self._ended and self._sink is not None:
            self._wrote = self._heard
            self._sink.write_part(text)

    def _settle(self) -> None:
        """End the answer once upstream has ended and nothing waits any more."""
        if not self._closed or self._ended:
            return
        rewriter = self._rewriter
        if rewriter is not None and not self._is_blind and rewriter.holding:
            if rewriter.waiting:
                return
            self._give_up()  # nobody will ever rule on what is kept back
        self._finish(cut=self._cut)

    def _finish(self, *, cut: bool) -> None:
        self._end()
        if self._sink is not None:
            self._sink.finish(cut=cut)

    def _end(self) -> None:
        self._ended = True
        if self._timer is not None:
            self._timer.cancel()

    def _look(self) -> None:
        """Say that somebody is there, where the client has heard nothing for a while because something is held."""
        rewriter, now = self._rewriter, clock.monotonic()
        if rewriter is None or self._is_blind or self._ended:
            return
        if rewriter.holding and now - self._wrote >= KEEP_ALIVE_SECONDS:
            if not self._closed and now - self._heard >= SILENCE_SECONDS:
                self._write(error_event("the model's server has been silent for too long"))
                self._finish(cut=True)
                return
            self._write(rewriter.keep_alive)
            self._wrote = now
        self._set_timer(KEEP_ALIVE_SECONDS / 2)

    def _set_timer(self, seconds: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, self._look)

    # What the desk is told and asked, in order.

    async def _serve(self) -> None:
        desk, facts, orders = self.prepared.desk, self.prepared.facts, self.prepared.orders
        if not self._kept.done():
            await asyncio.wait((self._kept,))
        if orders.insertions:
            await self._judging.ask(lambda: desk.delivered(facts, orders))
        while not self._closed or self._calls or self._reasoning:
            await self._news.wait()
            self._news.clear()
            calls, self._calls = self._calls, []
            reasoning, self._reasoning = self._reasoning, []
            if calls or reasoning:
                await self._have_judged(calls, reasoning)
        self._tell_finished("cut" if self._cut else "answered")

    async def _have_judged(self, calls: list[WireCall], reasoning: list[Reasoning]) -> None:
        desk, facts = self.prepared.desk, self.prepared.facts
        asked = clock.monotonic()
        rulings = await self._judging.ask(lambda: desk.judge(facts, calls, reasoning))
        if calls:
            self._held += clock.monotonic() - asked
        for call in calls:
            self._rule(call, rulings)
        self._settle()

    def _rule(self, call: WireCall, rulings: dict[str, CallRuling] | None) -> None:
        """What nobody judged passes; so does everything where the client's own hooks are the brake."""
        if rulings is None or call.id not in rulings:
            self._unchecked.append(call.id)
        ruling = (rulings or {}).get(call.id, RELEASE) if self.prepared.orders.may_withhold else RELEASE
        if self._rewriter is None or self._is_blind:
            return
        try:
            self._write(self._rewriter.rule(call.id, ruling))
        except Exception as failure:  # noqa: BLE001 - as above
            self._give_up(failure)

    def _tell_finished(self, outcome: CarriedOutcome) -> None:
        desk, facts, summary = self.prepared.desk, self.prepared.facts, self.summary
        inserted = len(self.prepared.orders.insertions)
        times = CarriedTimes(
            held_ms=self._held * 1000,
            first_byte_ms=self._first_byte * 1000,
            total_ms=(clock.monotonic() - self._began) * 1000,
        )
        self._judging.tell(lambda: desk.finished(facts, summary, times, inserted=inserted, outcome=outcome), self._kept)
        # An answer may be large, and it and its carriers refer to each other: it would lie about for long.
        self._rewriter = self._sink = self._coding = None
