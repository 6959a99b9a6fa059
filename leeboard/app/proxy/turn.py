"""One request of an agent and its answer: the order in which things are told to the application, and what comes of it.

Where the client's hooks are at work the proxy only looks on: it judges first, and the hook refuses by the verdict that
is stored. Elsewhere it withholds what is refused, and puts what is to be said into the next request.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from posixpath import join

from leeboard.app.handle import SILENT, handle
from leeboard.app.proxy import insertions, recovery
from leeboard.app.proxy.memory import ProxyMemory
from leeboard.app.proxy.model_judge import ModelQuestion, about_call, about_words
from leeboard.app.proxy.orders import PASS, CarriedTimes, RequestOrders
from leeboard.app.proxy.rulings import past_steps, ruling_on, words_of
from leeboard.app.proxy.wire_events import (
    ProposedCall,
    beginning,
    never_ran,
    origin_of,
    prompts,
    proposals,
    reasons,
    results,
    turn_end,
)
from leeboard.app.proxy.withdrawal import JudgedCall, withdraw
from leeboard.app.real_places import RealPlaces
from leeboard.app.settings import resolve
from leeboard.app.tree_watch import TreeWatch
from leeboard.clients.call import HookCall
from leeboard.io import clock, places
from leeboard.model.event import (
    AgentEnded,
    ContextCompacted,
    Event,
    FilesChanged,
    MessageSaid,
    SessionEnded,
    SessionStarted,
    Stopped,
    ToolFinished,
    ToolProposed,
)
from leeboard.model.outcome import Step
from leeboard.model.session import Session
from leeboard.model.traffic import CarriedOutcome, CarriedRequest, InsertedCorrection
from leeboard.model.verdict import Action, Moment, MomentKind, Verdict
from leeboard.store.sqlite import SqliteStore
from leeboard.wire.seam import RELEASE, CallRuling, Reasoning, RequestFacts, Summary, WireCall

_SPEAK = (Action.ALLOW, Action.INJECT)
_BRAKE = (Action.ALLOW, Action.DENY)
_NOT_THE_END = ("pause_turn", "max_tokens", "length", "incomplete")
"""Reasons to stop after which the agent goes on, or was cut off."""
_SESSIONS_BESIDE = 8


class WireTurn:
    """What is known of one request, with the store open. It belongs to one thread."""

    def __init__(self, facts: RequestFacts, store: SqliteStore, env: Mapping[str, str], memory: ProxyMemory) -> None:
        self._facts = facts
        self._store = store
        self._memory = memory
        self._now = clock.now()
        self._before = store.session(facts.session_id)
        known = self._before.root if self._before else ""
        self._cwd = facts.cwd or known or memory.folder
        resolved = resolve(self._cwd, facts.session_id, store, env)
        self._setting, self._enabled = resolved.setting, resolved.enabled
        self.judge = resolved.judge
        """The model that may be asked, in the end, for what `questions` has."""
        self.questions: list[ModelQuestion] = []
        self._base = origin_of(facts, self._cwd, self._now)
        self._withheld: dict[str, str] = {}

    @cached_property
    def _senses(self) -> bool:
        """Hooks of this session tell of it, and were asked about the calls that we have seen since."""
        hooked = self._before is not None and self._before.live == "hook"
        session = self._facts.session_id
        return hooked and self._store.traffic.hook_heard(session) >= self._memory.blind_since(session)

    @property
    def _may_withhold(self) -> bool:
        return not self._senses and not self._facts.server_keeps_history

    def orders(self) -> RequestOrders:
        """Take in what the request tells, and say what goes with it."""
        if not self._enabled:
            return PASS
        self._memory.met(self._facts, hooked=self._senses)
        self._notice_blindness()
        self._withheld = self._memory.take_withheld(self._facts)
        if self._memory.is_retry(self._facts):
            self._withdraw(self._memory.take_judged(self._facts))
        told = [*self._told_by_results(), *self._told_by_human()]
        opening = beginning(self._facts, self._base, self._before)
        verdicts = [self._handled([*opening, *told], self._speaking(told)), self._reminded()]
        if self._senses:
            return RequestOrders(watch=True)
        if self.judge is not None and self._facts.is_new_prompt and not self._facts.agent_id:
            self.questions += about_words(self._store.session(self._facts.session_id))
        rows = self._settled([verdict for verdict in verdicts if verdict is not None])
        return RequestOrders(
            insertions=insertions.inserted(rows, self._facts), watch=True, may_withhold=self._may_withhold
        )

    def _reminded(self) -> Verdict | None:
        """Where the client has shortened the conversation the agent is told anew what the work is about."""
        if not self._memory.is_shortened(self._facts) or self._senses:
            return None
        events = (ContextCompacted(**self._base), SessionStarted(**self._base, reason="compact"))
        return self._handled(events, Moment(kind="start", actions=_SPEAK, pause=True))

    def _withdraw(self, calls: Sequence[JudgedCall]) -> None:
        """Hooks tell of a request that is sent again as of any other: what they judged stands."""
        if calls and not self._senses:
            with self._store.transaction(self._facts.session_id) as transaction:
                withdraw(calls, transaction)
            self._before = self._store.session(self._facts.session_id)

    def _spelled(self, proposed: ToolProposed) -> tuple[str, ...]:
        """The paths of a call as they are spelled in the work tree."""
        return tuple(self._setting.workspace.spell(path, cwd=proposed.cwd) for path in proposed.call.paths)

    def _speaking(self, told: Sequence[Event]) -> Moment:
        if self._senses or not self._facts.anchor:
            return SILENT
        if self._facts.is_new_prompt or not told:
            return Moment(kind="agent_start" if self._facts.agent_id else "prompt", actions=_SPEAK, pause=True)
        return Moment(kind="batch_end", actions=_SPEAK, pause=True)

    def _told_by_results(self) -> list[Event]:
        """Calls that came back, what their scripts changed, and calls that the client has dropped."""
        if not self._facts.results:
            return [*self._dropped()] if self._memory.is_retry(self._facts) else []
        told: list[Event] = [*self._dropped()]
        for event in results(self._facts, self._base, self._memory.calls):
            if event.call.id not in self._withheld:  # its place was taken by a call that prints why
                told += [*self._changes(event), event]
        return told if self._senses else [*told, turn_end(self._facts, self._base)]

    def _dropped(self) -> Iterable[Event]:
        """What is still open though the conversation goes on without it: the client never ran it."""
        if self._senses or self._before is None:
            return ()
        answered = {result.id for result in self._facts.results}.difference(self._withheld)
        open_calls = self._before.agent(self._facts.agent_id).open_calls
        ids = [call.id for call in open_calls if call.id not in answered]
        return never_ran(ids, self._facts, self._base, self._memory.calls)

    def _told_by_human(self) -> Iterable[Event]:
        """Nobody speaks while a call is out and its result is not here: such a request is not of this conversation."""
        if self._senses:
            return ()
        open_calls = self._before.agent(self._facts.agent_id).open_calls if self._before else ()
        if open_calls and not self._facts.results and not self._memory.is_retry(self._facts):
            return ()
        return prompts(self._facts, self._base, self._before)

    def _settled(self, verdicts: Sequence[Verdict]) -> tuple[InsertedCorrection, ...]:
        """All that is to be or was put into requests of this agent, after what is new was added."""
        facts, store = self._facts, self._store
        rows = store.traffic.insertions(facts.session_id, facts.agent_id)
        speaking = [verdict for verdict in verdicts if verdict.action is Action.INJECT or verdict.briefing]
        new = self._unsaid()
        if not rows and not speaking and not new:
            return ()
        session = store.session(facts.session_id)
        for verdict in speaking:
            if words := words_of(verdict, session, store):
                new.append(self._insertion(verdict.id, words))
            store.traffic.keep_correction_given(facts.session_id, verdict.tool_use_id, verdict.message)
        agent = session.agent(facts.agent_id) if session else None
        changed = insertions.settle((*rows, *new), facts, agent, self._now) if agent else ()
        if not changed and not new:
            return rows
        by_id = {row.id: row for row in (*rows, *new, *changed)}
        store.traffic.keep_insertions((*new, *changed))
        return tuple(by_id.values())

    def _unsaid(self) -> list[InsertedCorrection]:
        """Why calls were withheld, where others of that answer went through: then nothing was said in it."""
        results = {result.id for result in self._facts.results}
        if not results or self._memory.is_retry(self._facts):
            return []
        return [self._insertion(f"w-{id_}", words) for id_, words in self._withheld.items() if id_ not in results]

    def _insertion(self, id_: str, words: str) -> InsertedCorrection:
        facts = self._facts
        return InsertedCorrection(session=facts.session_id, id=id_, agent=facts.agent_id, text=words, updated=self._now)

    def rulings(self, calls: Sequence[WireCall], reasoning: Sequence[Reasoning]) -> dict[str, CallRuling]:
        """Judge each call by itself, after what the model thought and said before it."""
        if not self._enabled:
            return {call.id: RELEASE for call in calls}
        told: list[Event] = [*reasons(reasoning, self._facts, self._base)]
        for event in told:
            if isinstance(event, MessageSaid):
                self._memory.said(self._facts, event.text)
        if not calls:
            self._handled(told, SILENT)
        ruled: dict[str, CallRuling] = {}
        for call in calls:
            ruled[call.id] = self._ruled(call, told)
            told = []
        return ruled

    def _ruled(self, call: WireCall, told: Sequence[Event]) -> CallRuling:
        facts, store = self._facts, self._store
        proposed, todos = proposals(call, facts, self._base)
        self._memory.calls.put(facts.session_id, ProposedCall(proposed.call, proposed.cwd))
        before = store.session(facts.session_id)
        actions = _BRAKE if self._senses or self._may_withhold else (Action.ALLOW,)
        moment = Moment(kind="before_call", actions=actions, overheard=self._senses)
        verdict = self._handled((*told, proposed, *((todos,) if todos else ())), moment)
        after = store.session(facts.session_id)
        if self.judge is not None:
            self.questions += about_call(proposed.call, self._spelled(proposed), verdict, after)
        if before is not None and after is not None:
            judged = JudgedCall(id=call.id, agent=facts.agent_id, before=before, after=after)
            self._memory.judged(facts, judged)
        self._note_course(before, after, verdict, self._spelled(proposed))
        if self._senses:
            self._memory.sensed(facts.session_id, call.id, self._now)
            return RELEASE
        if verdict is None or verdict.action is not Action.DENY or not self._may_withhold:
            if verdict is not None and verdict.briefing:
                store.traffic.keep_insertions([self._insertion(verdict.id, verdict.briefing)])
            self._remember_tree(proposed)
            return RELEASE
        words = words_of(verdict, after, store)
        self._memory.withheld(facts, call.id, words)
        return ruling_on(verdict, words, facts)

    def _note_course(
        self, before: Session | None, after: Session | None, verdict: Verdict | None, paths: tuple[str, ...]
    ) -> None:
        """Whether the action has led away, back, or on to what is forced."""

        def past() -> tuple[Step, ...]:
            return past_steps(self._store, before, ()) if before else ()

        self._memory.note(self._facts, recovery.told(before, after, verdict, paths, past))

    def delivered(self, orders: RequestOrders) -> None:
        rows = self._store.traffic.insertions(self._facts.session_id, self._facts.agent_id)
        self._store.traffic.keep_insertions(insertions.delivered(rows, orders.insertions, self._now))

    def finished(self, summary: Summary, times: CarriedTimes, inserted: int, outcome: CarriedOutcome) -> None:
        """The answer is through: what was withheld is closed, and an agent that calls nothing has stopped."""
        facts = self._facts
        if self._enabled:
            self._memory.passed(facts, {*summary.released, *summary.unchecked})
            if outcome != "answered":
                self.gone(self._memory.unsettled(facts, summary))
            kept = () if self._senses else dict.fromkeys((*summary.withheld, *summary.substituted))
            closed = never_ran(kept, facts, self._base, self._memory.calls)
            self._handled([*closed, *self._stops(summary, outcome)], SILENT)
        carried = CarriedRequest(
            ts=self._now,
            session=facts.session_id,
            agent=facts.agent_id,
            project=self._setting.workspace.root,
            api=facts.api,
            client=facts.client,
            outcome=outcome,
            calls=summary.calls,
            withheld=len({*summary.withheld, *summary.substituted}),
            inserted=inserted,
            unchecked=len(summary.unchecked),
            senses=self._senses,
            held_ms=times.held_ms,
            first_byte_ms=times.first_byte_ms,
            total_ms=times.total_ms,
            cache_read=summary.usage.cache_read,
            cache_creation=summary.usage.cache_creation,
            note=self._memory.take_note(facts),
        )
        self._store.traffic.keep_carried(carried)

    def _stops(self, summary: Summary, outcome: CarriedOutcome) -> Iterable[Event]:
        """An answer without a call that came to its end; hooks tell of it themselves."""
        ended = summary.is_complete and outcome == "answered" and summary.stop_reason not in _NOT_THE_END
        if self._senses or not ended or summary.released or summary.substituted or summary.unchecked:
            return ()
        facts = self._facts
        if facts.agent_id:
            return (AgentEnded(**self._base, key=f"agent-ended:{facts.agent_id}"),)
        return (Stopped(**self._base, key=f"stop:{facts.digest}", text=self._memory.last_words(facts)),)

    def gone(self, unseen: Sequence[str]) -> None:
        """The client went away: what it had not seen by then has never run."""
        if self._enabled and not self._senses:
            self._withdraw(self._memory.take_judged(self._facts, unseen))
            self._handled(never_ran(unseen, self._facts, self._base, self._memory.calls), SILENT)

    def _handled(self, events: Iterable[Event], moment: Moment) -> Verdict | None:
        return handle([self._real(event) for event in events], moment, self._store, self._setting)

    def _real(self, event: Event) -> Event:
        """With each file under its real place, as a hook tells it."""
        if not isinstance(event, ToolProposed | ToolFinished):
            return event
        setting = self._setting
        return RealPlaces(setting.workspace.root, setting.plan_root).told(self._call(event)).events[0]

    def _call(self, event: Event) -> HookCall:
        kind: MomentKind = "before_call" if isinstance(event, ToolProposed) else "after_call"
        return HookCall(
            client=self._facts.client,
            name="wire",
            events=(event,),
            moment=Moment(kind=kind),
            session=self._facts.session_id,
            agent=self._facts.agent_id,
            cwd=self._cwd,
        )

    @property
    def _watch(self) -> TreeWatch:
        return TreeWatch(folder=join(places.state_dir(), "trees"), workspace=self._setting.workspace)

    def _remember_tree(self, proposed: ToolProposed) -> None:
        self._memory.note(self._facts, self._watch.remember(self._call(proposed)))

    def _changes(self, finished: ToolFinished) -> tuple[FilesChanged, ...]:
        if self._senses or self._store.answered(self._facts.session_id, finished.key) is not None:
            return ()
        beside = partial(self._store.sessions, self._setting.workspace.root, _SESSIONS_BESIDE)
        changed = self._watch.changes(self._call(finished), self._before, beside)
        return tuple(changed)

    def _notice_blindness(self) -> None:
        """Where a call has come back and no hook was asked about it, no hook refuses what must not pass."""
        facts = self._facts
        if not self._senses:
            return
        since = max((self._memory.sensed_at(facts.session_id, result.id) for result in facts.results), default=0.0)
        if since and self._store.traffic.hook_heard(facts.session_id) < since:
            self._memory.turn_blind(facts.session_id, since)
            self.__dict__.pop("_senses", None)


def session_ended(session: Session, now: float) -> Event:
    return SessionEnded(session=session.id, cwd=session.root, time=now, source="wire", reason="the proxy has ended")
