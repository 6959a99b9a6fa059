"""The boundary between the traffic and those who judge it: asked in threads, with a time limit, and never needed.

Whatever fails behind it, the traffic goes on as if nobody had been asked. After a few failures in a row nobody is asked
for a while, so that a broken store costs the agent a moment and not every request a wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

from leeboard.app.misses import note_miss
from leeboard.app.proxy.orders import CarriedTimes, RequestOrders, TellOrders
from leeboard.errors import EffectError
from leeboard.io import clock, places
from leeboard.model.traffic import CarriedOutcome
from leeboard.wire.seam import CallRuling, Reasoning, RequestFacts, Summary, WireCall

THREADS = 8
ASK_SECONDS = 10.0
"""How long anybody waits for the desk. A client waits longer for the first byte of an ordinary answer."""
KEEP_SECONDS = 20.0
"""How long the end of a proxy waits for what is still to be recorded."""
FAILURES = 3
REST_SECONDS = 60.0

Answer = TypeVar("Answer")
EarlyWork = Callable[[Callable[[Answer], None]], Answer | None]
"""Work that may tell its answer before it is done."""


class TrafficJudge(Protocol):
    """Those who judge. Each method may take its time, may be called from several threads, and may fail."""

    def request(self, facts: RequestFacts, early: TellOrders) -> RequestOrders:
        """What is to be done with a request and with its answer: told `early`, where it is clear before all is done."""

    def delivered(self, facts: RequestFacts, orders: RequestOrders) -> None:
        """The provider has taken the request, with the insertions that the orders still have."""

    def judge(
        self, facts: RequestFacts, calls: Sequence[WireCall], reasoning: Sequence[Reasoning]
    ) -> dict[str, CallRuling]:
        """A ruling for each of the calls."""

    def finished(
        self,
        facts: RequestFacts,
        summary: Summary,
        times: CarriedTimes,
        *,
        inserted: int = 0,
        outcome: CarriedOutcome = "answered",
    ) -> None:
        """The request is over."""

    def unread(self, why: str) -> None:
        """A request for a model's turn was carried that could not be read."""

    def gone(self, facts: RequestFacts, unseen: Sequence[str]) -> None:
        """The client went away before these calls were written to it."""


class Judging:
    """Asks the desk, on behalf of all exchanges of a server."""

    def __init__(self, desk: TrafficJudge | None) -> None:
        self._desk = desk
        self._threads = ThreadPoolExecutor(THREADS, "desk")
        self._failed = 0
        self._rests_until = 0.0
        self._late: set[asyncio.Task[Any]] = set()
        self.failures = 0

    @property
    def desk(self) -> TrafficJudge | None:
        """Those to ask; None where there is nobody, or where they are left alone for a while."""
        return self._desk if clock.monotonic() >= self._rests_until else None

    async def ask(self, work: Callable[[], Answer]) -> Answer | None:
        """What the work gives, done in a thread; None where it failed or took too long."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(ASK_SECONDS):
                answer = await loop.run_in_executor(self._threads, work)
        except Exception as failure:  # noqa: BLE001 - this is the boundary
            self._note(failure)
            return None
        self._failed = 0
        return answer

    async def ask_early(self, work: EarlyWork[Answer]) -> tuple[Answer | None, asyncio.Task[Answer | None]]:
        """What the work tells before it is done, or gives in the end; and what to wait for until it is done."""
        loop = asyncio.get_running_loop()
        first: asyncio.Future[Answer | None] = loop.create_future()

        def settle(answer: Answer | None) -> None:
            if not first.done():
                first.set_result(answer)

        def early(answer: Answer) -> None:
            loop.call_soon_threadsafe(settle, answer)

        whole = self.follow(self.ask(lambda: work(early)))
        whole.add_done_callback(lambda done: settle(None if done.cancelled() else done.result()))
        return await first, whole

    def tell(self, work: Callable[[], object], after: asyncio.Task[Any] | None = None) -> None:
        """Have it done once that is, and wait for nothing: however long it takes, it is not given up."""
        self.follow(self._done(work, after))

    async def _done(self, work: Callable[[], object], after: asyncio.Task[Any] | None) -> None:
        if after is not None:
            await asyncio.wait((after,))
        try:
            await asyncio.get_running_loop().run_in_executor(self._threads, work)
        except Exception as failure:  # noqa: BLE001 - as above
            self._note(failure)
        else:
            self._failed = 0

    def follow(self, work: Coroutine[Any, Any, Answer]) -> asyncio.Task[Answer]:
        """A task that the end waits for, and for all that it tells."""
        task = asyncio.ensure_future(work)
        self._late.add(task)
        task.add_done_callback(self._late.discard)
        return task

    async def close(self) -> None:
        """Whatever was told is done first, as long as that does not take too long."""
        end = clock.monotonic() + KEEP_SECONDS
        while self._late and (left := end - clock.monotonic()) > 0:
            await asyncio.wait(self._late, timeout=left)
        if self._late:
            self._note(EffectError(f"{len(self._late)} records of traffic were not kept before the proxy ended"))
        self._threads.shutdown(wait=False, cancel_futures=True)

    def note(self, failure: Exception) -> None:
        """Something of ours went wrong on the loop itself."""
        self._note(failure)

    def _note(self, failure: Exception) -> None:
        self.failures += 1
        self._failed += 1
        note_miss(places.state_dir(), "proxy", failure)
        if self._failed >= FAILURES:
            self._failed, self._rests_until = 0, clock.monotonic() + REST_SECONDS
