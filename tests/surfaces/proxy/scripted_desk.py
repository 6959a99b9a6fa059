"""A desk that rules as it is told to, and keeps what it heard."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from leeboard.app.proxy.orders import CarriedTimes, RequestOrders, TellOrders, tell_nobody
from leeboard.model.traffic import CarriedOutcome
from leeboard.wire.seam import RELEASE, CallRuling, Insertion, Reasoning, RequestFacts, Summary, WireCall
from tests.surfaces.proxy.running_proxy import LIMIT

WITHHELD = CallRuling("withhold", "Leeboard held this back.")

Rule = Callable[[WireCall], CallRuling]


class ScriptedDesk:
    """Watches everything; `rule` says what becomes of a call, `words` go into each request."""

    def __init__(self, rule: Rule = lambda _: RELEASE, words: str = "", *, may_withhold: bool = True) -> None:
        self._rule, self._words, self._may_withhold = rule, words, may_withhold
        self.heard: list[str] = []
        self.calls: list[WireCall] = []
        self.reasoning: list[Reasoning] = []
        self.finishes: list[tuple[CarriedOutcome, Summary, CarriedTimes]] = []
        self._ended = threading.Condition()

    def request(self, facts: RequestFacts, early: TellOrders = tell_nobody) -> RequestOrders:  # noqa: ARG002 - as every desk
        self.heard.append("request")
        words = (Insertion(facts.anchor, self._words),) if self._words else ()
        return RequestOrders(insertions=words, watch=True, may_withhold=self._may_withhold)

    def delivered(self, facts: RequestFacts, orders: RequestOrders) -> None:  # noqa: ARG002 - as every desk
        self.heard.append(f"delivered {len(orders.insertions)}")

    def judge(
        self,
        facts: RequestFacts,  # noqa: ARG002 - as every desk
        calls: Sequence[WireCall],
        reasoning: Sequence[Reasoning],
    ) -> dict[str, CallRuling]:
        self.calls += calls
        self.reasoning += reasoning
        return {call.id: self._rule(call) for call in calls}

    def finished(
        self,
        facts: RequestFacts,  # noqa: ARG002 - as every desk
        summary: Summary,
        times: CarriedTimes,
        *,
        inserted: int = 0,
        outcome: CarriedOutcome = "answered",
    ) -> None:
        with self._ended:
            self.heard.append(f"finished {outcome} {inserted}")
            self.finishes.append((outcome, summary, times))
            self._ended.notify_all()

    def unread(self, why: str) -> None:
        with self._ended:
            self.heard.append(f"unread: {why}")
            self._ended.notify_all()

    def wait_for(self, words: str) -> None:
        """Come back when it was told of something that begins so."""
        with self._ended:
            assert self._ended.wait_for(lambda: any(heard.startswith(words) for heard in self.heard), LIMIT)

    def gone(self, facts: RequestFacts, unseen: Sequence[str]) -> None:  # noqa: ARG002 - as every desk
        self.heard.append(f"gone {' '.join(unseen)}")

    def wait_for_end(self, count: int = 1) -> None:
        """Come back when it was told that so many requests are over."""
        with self._ended:
            assert self._ended.wait_for(lambda: len(self.finishes) >= count, LIMIT)


def withhold(*ids: str) -> Rule:
    return lambda call: WITHHELD if call.id in ids else RELEASE
