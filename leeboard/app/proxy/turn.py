"""One turn on the wire, from its request on: what it tells the application, in which order, and what goes with it.

Where the client's hooks are at work the proxy only looks on: it judges first, and the hook refuses by the verdict that
is stored. Elsewhere it withholds what is refused, and puts what is to be said into the next request.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, partial
from posixpath import join

from msgspec.structs import replace

from leeboard.app.handle import SILENT, Foretell, handle
from leeboard.app.proxy import insertions
from leeboard.app.proxy.memory import ProxyMemory
from leeboard.app.proxy.model_judge import ModelQuestion, about_words
from leeboard.app.proxy.orders import PASS, RequestOrders, TellOrders, tell_nobody
from leeboard.app.proxy.rulings import ruling_on_unread, words_of
from leeboard.app.proxy.wire_events import (
    beginning,
    never_ran,
    origin_of,
    prompts,
    results,
    turn_end,
)
from leeboard.app.proxy.withdrawal import JudgedCall, withdraw
from leeboard.app.real_places import RealPlaces
from leeboard.app.settings import resolve
from leeboard.app.tree_watch import FOLDER as TREES
from leeboard.app.tree_watch import TreeWatch
from leeboard.app.views.projects import WaitingWork
from leeboard.clients.call import HookCall
from leeboard.io import clock, places
from leeboard.model.event import (
    ContextCompacted,
    Event,
    FilesChanged,
    SessionEnded,
    SessionStarted,
    ToolFinished,
    ToolProposed,
)
from leeboard.model.session import Session
from leeboard.model.traffic import InsertedCorrection
from leeboard.model.verdict import Action, Moment, MomentKind, Verdict
from leeboard.store.sqlite import SqliteStore
from leeboard.wire.seam import CallRuling, Insertion, RequestFacts

_SPEAK = (Action.ALLOW, Action.INJECT)
_SESSIONS_BESIDE = 8
_WITHHELD = "w-"
"""How the ids of those insertions begin that say why a call was withheld."""
_SENSING = RequestOrders(watch=True)
"""Where hooks are at work: whatever is to be said, they say it."""


class WireTurn:
    """What is known of one request, with the store open. It belongs to one thread."""

    def __init__(self, facts: RequestFacts, store: SqliteStore, env: Mapping[str, str], memory: ProxyMemory) -> None:
        self.facts = facts
        self.store = store
        self.memory = memory
        self.now = clock.now()
        self._before = store.session(facts.session_id)
        known = self._before.root if self._before else ""
        self._cwd = facts.cwd or known or memory.folder
        resolved = resolve(self._cwd, facts.session_id, store, env)
        self.setting, self.enabled = resolved.setting, resolved.enabled
        self.judge = resolved.judge
        """The model that may be asked, in the end, for what `questions` has."""
        self.questions: list[ModelQuestion] = []
        self.waiting: WaitingWork | None = None
        """What a person is called for, in the end."""
        self.base = origin_of(facts, self._cwd, self.now)

    @cached_property
    def senses(self) -> bool:
        """Hooks of this session tell of it, and were asked about the calls that we have seen since."""
        hooked = self._before is not None and self._before.live == "hook"
        session = self.facts.session_id
        return hooked and self.store.traffic.hook_heard(session) >= self.memory.blind_since(session)

    @property
    def may_withhold(self) -> bool:
        """Nobody else refuses calls, and the conversation lies where it can be changed."""
        return not self.senses and not self.facts.server_keeps_history

    def orders(self, early: TellOrders = tell_nobody) -> RequestOrders:
        """Take in what the request tells, and say what goes with it: `early`, where that is clear before it is kept."""
        if not self.enabled:
            return PASS
        self.memory.met(self.facts, hooked=self.senses)
        self._notice_blindness()
        if self.memory.is_retry(self.facts):
            self.withdraw(self.memory.take_judged(self.facts))
        is_shortened = self.memory.is_shortened(self.facts)
        if self.senses:
            early(_SENSING)
        told = [*self._told_by_results(), *self._told_by_human()]
        opening = beginning(self.facts, self.base, self._before)
        given: list[RequestOrders] = []

        def foretell(verdict: Verdict | None, session: Session | None) -> None:
            if not is_shortened and not self.senses and self._is_silent(verdict, session):
                given.append(self._with_words(()))
                early(given[0])

        verdicts = [self.handled([*opening, *told], self._speaking(told), foretell)]
        if is_shortened and not self.senses:
            verdicts.append(self._reminded())
        if self.senses:
            return _SENSING
        if self.judge is not None and self.facts.is_new_prompt and not self.facts.agent_id:
            self.questions += about_words(self.store.session(self.facts.session_id))
        rows = self._settled([verdict for verdict in verdicts if verdict is not None])
        # What was told early is sent by now. Words that came up since were in no request, and go into the next.
        return given[0] if given else self._with_words(insertions.inserted(rows, self.facts))

    @cached_property
    def _withheld(self) -> dict[str, str]:
        """What the last answer of this agent has lost, and why, by the ids of the calls."""
        return {row.id.removeprefix(_WITHHELD): row.text for row in self._rows() if row.state == "withheld"}

    def _rows(self) -> tuple[InsertedCorrection, ...]:
        return self.store.traffic.insertions(self.facts.session_id, self.facts.agent_id)

    def _is_silent(self, verdict: Verdict | None, session: Session | None) -> bool:
        """Whether nothing goes into this request, by what is known before its events are kept."""
        facts, rows = self.facts, self._rows()
        if session is None or (verdict is not None and _speaks(verdict)) or self._unsaid():
            return False
        moved = insertions.settle(rows, facts, session.agent(facts.agent_id), self.now) if rows else ()
        return not moved and not insertions.inserted(rows, facts)

    def _with_words(self, words: tuple[Insertion, ...]) -> RequestOrders:
        return RequestOrders(
            insertions=words,
            watch=True,
            may_withhold=self.may_withhold,
            restored=self.memory.replacements(self.facts),
            unread=self.unread("they are too long"),
        )

    def unread(self, why: str) -> CallRuling:
        """On a call whose arguments can not be read."""
        is_refused = self.may_withhold and self.setting.policy.profile == "enforce"
        return ruling_on_unread(why, self.facts, is_refused=is_refused)

    def _reminded(self) -> Verdict | None:
        """Where the client has shortened the conversation the agent is told anew what the work is about."""
        events = (ContextCompacted(**self.base), SessionStarted(**self.base, reason="compact"))
        return self.handled(events, Moment(kind="start", actions=_SPEAK, pause=True))

    def withdraw(self, calls: Sequence[JudgedCall]) -> None:
        """Hooks tell of a request that is sent again as of any other: what they judged stands."""
        if calls and not self.senses:
            with self.store.transaction(self.facts.session_id) as transaction:
                withdraw(calls, transaction)
            self._before = self.store.session(self.facts.session_id)

    def _speaking(self, told: Sequence[Event]) -> Moment:
        if self.senses or not self.facts.anchor:
            return SILENT
        if self.facts.is_new_prompt or not told:
            return Moment(kind="agent_start" if self.facts.agent_id else "prompt", actions=_SPEAK, pause=True)
        return Moment(kind="batch_end", actions=_SPEAK, pause=True)

    def _told_by_results(self) -> list[Event]:
        """Calls that came back, what their scripts changed, and calls that the client has dropped."""
        if not self.facts.results:
            return [*self._dropped()] if self.memory.is_retry(self.facts) else []
        told: list[Event] = [*self._dropped()]
        for event in results(self.facts, self.base, self.memory.calls):
            if event.call.id not in self._withheld:  # its place was taken by a call that prints why
                told += [*self._changes(event), event]
        return told if self.senses else [*told, turn_end(self.facts, self.base)]

    def _dropped(self) -> Iterable[Event]:
        """What is still open though the conversation goes on without it: the client never ran it."""
        if self.senses or self._before is None:
            return ()
        answered = {result.id for result in self.facts.results}.difference(self._withheld)
        open_calls = self._before.agent(self.facts.agent_id).open_calls
        ids = [call.id for call in open_calls if call.id not in answered]
        return never_ran(ids, self.facts, self.base, self.memory.calls)

    def _told_by_human(self) -> Iterable[Event]:
        """Nobody speaks while a call is out and its result is not here: such a request is not of this conversation."""
        if self.senses:
            return ()
        open_calls = self._before.agent(self.facts.agent_id).open_calls if self._before else ()
        if open_calls and not self.facts.results and not self.memory.is_retry(self.facts):
            return ()
        return prompts(self.facts, self.base, self._before)

    def _settled(self, verdicts: Sequence[Verdict]) -> tuple[InsertedCorrection, ...]:
        """All that is to be or was put into requests of this agent, after what is new was added."""
        facts, store = self.facts, self.store
        rows = self._rows()
        speaking = [verdict for verdict in verdicts if _speaks(verdict)]
        new = [*self._unsaid()]
        if not rows and not speaking and not new:
            return ()
        said = {row.id for row in new}
        new += [replace(row, state="dropped") for row in rows if row.state == "withheld" and row.id not in said]
        session = store.session(facts.session_id)
        for verdict in speaking:
            if words := words_of(verdict, session, store, self.setting.team_steps):
                new.append(self.insertion(verdict.id, words))
            store.traffic.keep_correction_given(facts.session_id, verdict.tool_use_id, verdict.message)
        agent = session.agent(facts.agent_id) if session else None
        changed = insertions.settle((*rows, *new), facts, agent, self.now) if agent else ()
        if not changed and not new:
            return rows
        by_id = {row.id: row for row in (*rows, *new, *changed)}
        store.traffic.keep_insertions((*new, *changed))
        return tuple(by_id.values())

    def _unsaid(self) -> list[InsertedCorrection]:
        """Why calls were withheld, where others of that answer went through: then nothing was said in it."""
        results = {result.id for result in self.facts.results}
        if not results or self.memory.is_retry(self.facts):
            return []
        return [self.insertion(_WITHHELD + id_, words) for id_, words in self._withheld.items() if id_ not in results]

    def withhold(self, call_id: str, words: str) -> None:
        """A call is kept from the client of this agent; the words are told with its next request, if not before."""
        self.store.traffic.keep_insertions([replace(self.insertion(_WITHHELD + call_id, words), state="withheld")])

    def passed(self, ids: Collection[str]) -> None:
        """These reached the client after all: nobody waited for the ruling."""
        passed = [_WITHHELD + id_ for id_ in ids]
        rows = [row for row in self._rows() if row.state == "withheld" and row.id in passed] if passed else []
        self.store.traffic.keep_insertions([replace(row, state="dropped") for row in rows])

    def insertion(self, id_: str, words: str) -> InsertedCorrection:
        facts = self.facts
        return InsertedCorrection(session=facts.session_id, id=id_, agent=facts.agent_id, text=words, updated=self.now)

    def delivered(self, orders: RequestOrders) -> None:
        self.store.traffic.keep_insertions(insertions.delivered(self._rows(), orders.insertions, self.now))

    def handled(self, events: Iterable[Event], moment: Moment, foretell: Foretell | None = None) -> Verdict | None:
        return handle([self._real(event) for event in events], moment, self.store, self.setting, foretell)

    def _real(self, event: Event) -> Event:
        """With each file under its real place, as a hook tells it."""
        if not isinstance(event, ToolProposed | ToolFinished):
            return event
        setting = self.setting
        return RealPlaces(setting.workspace.root, setting.plan_root).told(self.call_of(event)).events[0]

    def call_of(self, event: Event) -> HookCall:
        kind: MomentKind = "before_call" if isinstance(event, ToolProposed) else "after_call"
        return HookCall(
            client=self.facts.client,
            name="wire",
            events=(event,),
            moment=Moment(kind=kind),
            session=self.facts.session_id,
            agent=self.facts.agent_id,
            cwd=self._cwd,
        )

    @property
    def tree(self) -> TreeWatch:
        return TreeWatch(folder=join(places.state_dir(), TREES), workspace=self.setting.workspace)

    def _changes(self, finished: ToolFinished) -> tuple[FilesChanged, ...]:
        if self.senses or self.store.answered(self.facts.session_id, finished.key) is not None:
            return ()
        beside = partial(self.store.sessions, self.setting.workspace.root, _SESSIONS_BESIDE)
        return self.tree.changes(self.call_of(finished), self._before, beside)

    def _notice_blindness(self) -> None:
        """Where a call has come back and no hook was asked about it, no hook refuses what must not pass."""
        facts = self.facts
        if not self.senses:
            return
        since = max((self.memory.sensed_at(facts.session_id, result.id) for result in facts.results), default=0.0)
        if since and self.store.traffic.hook_heard(facts.session_id) < since:
            self.memory.turn_blind(facts.session_id, since)
            self.__dict__.pop("senses", None)


def _speaks(verdict: Verdict) -> bool:
    return verdict.action is Action.INJECT or bool(verdict.briefing)


def session_ended(session: Session, now: float) -> Event:
    return SessionEnded(session=session.id, cwd=session.root, time=now, source="wire", reason="the proxy has ended")
