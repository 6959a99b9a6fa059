"""Where the carrier of an agent's traffic asks what is to be done. Each question may fail, and then nothing is done.

Every method is called from a thread of its own and opens the store for itself, as a hook does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from leeboard.app.handle import SILENT, handle
from leeboard.app.proxy.memory import ProxyMemory
from leeboard.app.proxy.model_judge import ModelJudge
from leeboard.app.proxy.orders import PASS, CarriedTimes, RequestOrders
from leeboard.app.proxy.turn import WireTurn, session_ended
from leeboard.app.settings import resolve
from leeboard.io import clock, places
from leeboard.model.traffic import CarriedOutcome
from leeboard.store.sqlite import open_store
from leeboard.wire.seam import CallRuling, Reasoning, RequestFacts, Summary, WireCall


class ProxyDesk:
    """The application as the proxy drives it. `folder`: where agents work that do not say so themselves."""

    def __init__(self, env: Mapping[str, str], folder: str = "") -> None:
        self._env = env
        self._memory = ProxyMemory(folder)
        self.model_judge = ModelJudge(env)

    def request(self, facts: RequestFacts) -> RequestOrders:
        """What goes into a request, and whether its answer is to be read and held."""
        if facts.kind == "background":
            return PASS
        with self._turn(facts) as turn:
            return turn.orders()

    def judge(
        self, facts: RequestFacts, calls: Sequence[WireCall], reasoning: Sequence[Reasoning] = ()
    ) -> dict[str, CallRuling]:
        """A ruling on each of the calls. Without any, the reasoning is taken in."""
        with self._turn(facts) as turn:
            return turn.rulings(calls, reasoning)

    def delivered(self, facts: RequestFacts, orders: RequestOrders) -> None:
        """A provider has accepted the request, with those insertions that `orders` still has."""
        if orders.insertions:
            with self._turn(facts) as turn:
                turn.delivered(orders)

    def finished(
        self,
        facts: RequestFacts,
        summary: Summary,
        times: CarriedTimes,
        *,
        inserted: int = 0,
        outcome: CarriedOutcome = "answered",
    ) -> None:
        """The answer has been carried. `inserted`: how many corrections the request took along."""
        if facts.kind == "work":
            with self._turn(facts) as turn:
                turn.finished(summary, times, inserted, outcome)

    def gone(self, facts: RequestFacts, unseen: Sequence[str]) -> None:
        """The client went away before these calls were written to it."""
        if unseen:
            with self._turn(facts) as turn:
                turn.gone(unseen)

    def close(self) -> None:
        """The proxy ends, and with it the sessions that nobody else tells of."""
        store = open_store(places.database())
        try:
            for session_id in self._memory.sessions_without_hooks():
                session = store.session(session_id)
                if session is not None and session.live == "wire":
                    setting = resolve(session.root, session_id, store, self._env).setting
                    handle((session_ended(session, clock.now()),), SILENT, store, setting)
        finally:
            store.close()

    @contextmanager
    def _turn(self, facts: RequestFacts) -> Iterator[WireTurn]:
        store = open_store(places.database())
        try:
            turn = WireTurn(facts, store, self._env, self._memory)
            yield turn
        finally:
            store.close()
        if turn.judge is not None:
            for question in turn.questions:
                self.model_judge.ask(turn.judge, question)
