"""Where the carrier of an agent's traffic asks what is to be done. Each question may fail, and then nothing is done.

Methods are called from several threads. Each of them keeps its store open: to open one for each question, as a hook
does, would cost as much as the answer.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from leeboard.app.handle import SILENT, RunSetting, handle, load_rules
from leeboard.app.proxy.answer import WireAnswer
from leeboard.app.proxy.memory import ProxyMemory
from leeboard.app.proxy.model_judge import ModelJudge
from leeboard.app.proxy.orders import PASS, CarriedTimes, RequestOrders, TellOrders, tell_nobody
from leeboard.app.proxy.turn import WireTurn, session_ended
from leeboard.app.ring import Ring, settings_in
from leeboard.app.settings import resolve
from leeboard.io import clock, places
from leeboard.model.event import MessageSaid, PromptGiven, TextEdit, ToolCall, ToolFinished, ToolProposed, TurnEnded
from leeboard.model.policy import Policy
from leeboard.model.traffic import CarriedOutcome, CarriedRequest
from leeboard.model.workspace import Workspace
from leeboard.store.memory import MemoryStore
from leeboard.store.sqlite import SqliteStore, open_store
from leeboard.wire.seam import CallRuling, Reasoning, RequestFacts, Summary, WireCall


class ProxyDesk:
    """The application as the proxy drives it. `folder`: where agents work that do not say so themselves."""

    def __init__(self, env: Mapping[str, str], folder: str = "") -> None:
        self._env = env
        self._memory = ProxyMemory(folder)
        self.model_judge = ModelJudge(env)
        self._stores = _ThreadStores()

    def warm(self) -> None:
        """Judge something that nobody did, in memory: the rules and what they need are loaded before anybody waits."""
        setting = RunSetting(workspace=Workspace("/nowhere"), policy=Policy(), rules=load_rules())
        call = ToolCall(id="t", tool="Edit", action="edit", paths=("/nowhere/a.py",), edits=(TextEdit("a", "b = 1"),))
        store = MemoryStore()
        for event in (
            PromptGiven(session="w", text="fix the bug in a.py, only touch a.py"),
            MessageSaid(session="w", text="I'll add a new helper to a.py."),
            ToolProposed(session="w", key="call:t", call=call),
            ToolFinished(session="w", key="result:t", call=call, outcome="done"),
            TurnEnded(session="w", calls=("t",)),
        ):
            handle((event,), SILENT, store, setting)

    def request(self, facts: RequestFacts, early: TellOrders = tell_nobody) -> RequestOrders:
        """What goes into a request, and whether its answer is to be read and held.

        `early` is told the same where it is known before all that the request tells is kept.
        """
        if facts.kind == "background":
            return PASS
        with self._turn(facts) as turn:
            return turn.orders(early)

    def judge(
        self, facts: RequestFacts, calls: Sequence[WireCall], reasoning: Sequence[Reasoning] = ()
    ) -> dict[str, CallRuling]:
        """A ruling on each of the calls. Without any, the reasoning is taken in."""
        with self._turn(facts) as turn:
            return WireAnswer(turn).rulings(calls, reasoning)

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
                WireAnswer(turn).finished(summary, times, inserted, outcome)

    def gone(self, facts: RequestFacts, unseen: Sequence[str]) -> None:
        """The client went away before these calls were written to it."""
        if unseen:
            with self._turn(facts) as turn:
                WireAnswer(turn).gone(unseen)

    def unread(self, why: str) -> None:
        """A request was carried that nobody could look into, nor into its answer. Whose it was is not known."""
        with self._stores.opened() as store:
            root = (
                resolve(self._memory.folder, "", store, self._env).setting.workspace.root if self._memory.folder else ""
            )
            note = f"a request was carried unread: {why}"
            store.traffic.keep_carried(CarriedRequest(ts=clock.now(), session="", project=root, unchecked=1, note=note))

    def close(self) -> None:
        """The proxy ends, and with it the sessions that nobody else tells of."""
        with self._stores.opened() as store:
            for session_id in self._memory.sessions_without_hooks():
                session = store.session(session_id)
                if session is not None and session.live == "wire":
                    setting = resolve(session.root, session_id, store, self._env).setting
                    handle((session_ended(session, clock.now()),), SILENT, store, setting)

    @contextmanager
    def _turn(self, facts: RequestFacts) -> Iterator[WireTurn]:
        with self._stores.opened() as store:
            turn = WireTurn(facts, store, self._env, self._memory)
            yield turn
        if turn.waiting is not None:
            ring = Ring(settings_in(os.environ))
            threading.Thread(target=ring.ring, args=(turn.waiting,), name="ring", daemon=True).start()
        if turn.judge is not None:
            for question in turn.questions:
                self.model_judge.ask(turn.judge, question)


class _ThreadStores:
    """The open store of each thread. One that failed, or whose file was replaced, is opened anew."""

    def __init__(self) -> None:
        self._kept = threading.local()

    @contextmanager
    def opened(self) -> Iterator[SqliteStore]:
        path = places.database()
        store: SqliteStore | None = getattr(self._kept, "store", None)
        if store is None or self._kept.look != _look(path):
            self._forget()
            store = open_store(path)
            self._kept.store, self._kept.look = store, _look(path)
        try:
            store.check_version()
            yield store
        except BaseException:
            self._forget()
            raise

    def _forget(self) -> None:
        store: SqliteStore | None = getattr(self._kept, "store", None)
        self._kept.store = None
        if store is not None:
            store.close()


def _look(path: str) -> tuple[str, int, int]:
    """By which a file is known again; another at the same place is another."""
    try:
        seen = os.stat(path)  # noqa: PTH116 - as the store itself does it
    except OSError:
        return path, 0, 0
    return path, seen.st_dev, seen.st_ino
