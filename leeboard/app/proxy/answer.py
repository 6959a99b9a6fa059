"""The answer to a request: its calls are ruled on one by one, and what came of it is kept when it is through."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from leeboard.app.handle import SILENT
from leeboard.app.proxy import recovery
from leeboard.app.proxy.model_judge import about_call
from leeboard.app.proxy.orders import CarriedTimes
from leeboard.app.proxy.rulings import HELD, past_steps, ruling_on, words_of
from leeboard.app.proxy.turn import WireTurn
from leeboard.app.proxy.wire_events import ProposedCall, never_ran, proposals, reasons
from leeboard.app.proxy.withdrawal import JudgedCall
from leeboard.app.ring import forced_end
from leeboard.model.event import AgentEnded, Event, MessageSaid, Stopped, ToolProposed
from leeboard.model.outcome import Step
from leeboard.model.session import Session
from leeboard.model.traffic import CarriedOutcome, CarriedRequest
from leeboard.model.verdict import Action, Moment, Verdict
from leeboard.wire.seam import RELEASE, CallRuling, Reasoning, Summary, WireCall

_BRAKE = (Action.ALLOW, Action.DENY)
_LONGEST_NAME = 40
_NOT_THE_END = ("pause_turn", "max_tokens", "length", "incomplete")
"""Reasons to stop after which the agent goes on, or was cut off."""


class WireAnswer:
    """What the model answers in a turn."""

    def __init__(self, turn: WireTurn) -> None:
        self._turn = turn

    def rulings(self, calls: Sequence[WireCall], reasoning: Sequence[Reasoning]) -> dict[str, CallRuling]:
        """Judge each call by itself, after what the model thought and said before it."""
        if not self._turn.enabled:
            return {call.id: RELEASE for call in calls}
        told: list[Event] = [*reasons(reasoning, self._turn.facts, self._turn.base)]
        for event in told:
            if isinstance(event, MessageSaid):
                self._turn.memory.said(self._turn.facts, event.text)
        if not calls:
            self._turn.handled(told, SILENT)
        ruled: dict[str, CallRuling] = {}
        for call in calls:
            ruled[call.id] = self._ruled(call, told)
            told = []
        return ruled

    def _ruled(self, call: WireCall, told: Sequence[Event]) -> CallRuling:
        facts, store = self._turn.facts, self._turn.store
        proposed, todos = proposals(call, facts, self._turn.base)
        self._turn.memory.calls.put(facts.session_id, ProposedCall(proposed.call, proposed.cwd))
        before = store.session(facts.session_id)
        actions = _BRAKE if self._turn.senses or self._turn.may_withhold else (Action.ALLOW,)
        moment = Moment(kind="before_call", actions=actions, overheard=self._turn.senses)
        verdict = self._turn.handled((*told, proposed, *((todos,) if todos else ())), moment)
        after = store.session(facts.session_id)
        if self._turn.judge is not None:
            self._turn.questions += about_call(proposed.call, self._spelled(proposed), verdict, after)
        if before is not None and after is not None:
            judged = JudgedCall(id=call.id, agent=facts.agent_id, before=before, after=after)
            self._turn.memory.judged(facts, judged)
        self._note_course(before, after, verdict, self._spelled(proposed))
        if self._turn.senses:
            self._turn.memory.sensed(facts.session_id, call.id, self._turn.now)
            return RELEASE
        if verdict is None or verdict.action is not Action.DENY or not self._turn.may_withhold:
            if call.unreadable:
                return self._unread(call)
            if verdict is not None and verdict.briefing:
                store.traffic.keep_insertions([self._turn.insertion(verdict.id, verdict.briefing)])
            self._remember_tree(proposed)
            return RELEASE
        words = words_of(verdict, after, store, self._turn.setting.team_steps)
        self._turn.withhold(call.id, words)
        ruling = ruling_on(verdict, words, facts)
        self._turn.memory.replaced(facts, call, ruling, HELD)
        return ruling

    def _unread(self, call: WireCall) -> CallRuling:
        """Whatever was thought of it, nobody knows what the call does."""
        ruling = self._turn.unread(call.unreadable)
        fate = "passed unchecked" if ruling.is_unchecked else "withheld"
        # A model writes whatever name it likes: what is kept and shown is one of the client's own tools, or none.
        is_plain = call.name in self._turn.facts.tools and call.name.isidentifier() and "__" not in call.name
        name = call.name if is_plain and len(call.name) <= _LONGEST_NAME else "a tool"
        self._turn.memory.note(self._turn.facts, f"a call of {name} could not be read: {fate}")
        if ruling.verdict == "withhold":
            self._turn.withhold(call.id, ruling.text)
        return ruling

    def _note_course(
        self, before: Session | None, after: Session | None, verdict: Verdict | None, paths: tuple[str, ...]
    ) -> None:
        """Whether the action has led away, back, or on to what is forced."""

        def past() -> tuple[Step, ...]:
            return past_steps(self._turn.store, before, ()) if before else ()

        self._turn.memory.note(self._turn.facts, recovery.told(before, after, verdict, paths, past))
        if before is not None and after is not None and after.outlasted > before.outlasted:
            self._turn.waiting = forced_end(after)

    def finished(self, summary: Summary, times: CarriedTimes, inserted: int, outcome: CarriedOutcome) -> None:
        """The answer is through: what was withheld is closed, and an agent that calls nothing has stopped."""
        facts = self._turn.facts
        if self._turn.enabled:
            self._turn.passed({*summary.released, *summary.unchecked})
            if outcome != "answered":
                self.gone(self._turn.memory.unsettled(facts, summary))
            kept = () if self._turn.senses else dict.fromkeys((*summary.withheld, *summary.substituted))
            closed = never_ran(kept, facts, self._turn.base, self._turn.memory.calls)
            self._turn.handled([*closed, *self._stops(summary, outcome)], SILENT)
        carried = CarriedRequest(
            ts=self._turn.now,
            session=facts.session_id,
            agent=facts.agent_id,
            project=self._turn.setting.workspace.root,
            api=facts.api,
            client=facts.client,
            outcome=outcome,
            calls=summary.calls,
            withheld=len({*summary.withheld, *summary.substituted}),
            inserted=inserted,
            unchecked=len(summary.unchecked),
            senses=self._turn.senses,
            held_ms=times.held_ms,
            first_byte_ms=times.first_byte_ms,
            total_ms=times.total_ms,
            cache_read=summary.usage.cache_read,
            cache_creation=summary.usage.cache_creation,
            note=self._turn.memory.take_note(facts),
        )
        self._turn.store.traffic.keep_carried(carried)

    def _stops(self, summary: Summary, outcome: CarriedOutcome) -> Iterable[Event]:
        """An answer without a call that came to its end; hooks tell of it themselves."""
        ended = summary.is_complete and outcome == "answered" and summary.stop_reason not in _NOT_THE_END
        if self._turn.senses or not ended or summary.released or summary.substituted or summary.unchecked:
            return ()
        facts = self._turn.facts
        if facts.agent_id:
            return (AgentEnded(**self._turn.base, key=f"agent-ended:{facts.agent_id}"),)
        return (Stopped(**self._turn.base, key=f"stop:{facts.digest}", text=self._turn.memory.last_words(facts)),)

    def gone(self, unseen: Sequence[str]) -> None:
        """The client went away: what it had not seen by then has never run."""
        if self._turn.enabled and not self._turn.senses:
            self._turn.withdraw(self._turn.memory.take_judged(self._turn.facts, unseen))
            self._turn.handled(never_ran(unseen, self._turn.facts, self._turn.base, self._turn.memory.calls), SILENT)

    def _spelled(self, proposed: ToolProposed) -> tuple[str, ...]:
        """The paths of a call as they are spelled in the work tree."""
        return tuple(self._turn.setting.workspace.spell(path, cwd=proposed.cwd) for path in proposed.call.paths)

    def _remember_tree(self, proposed: ToolProposed) -> None:
        self._turn.memory.note(self._turn.facts, self._turn.tree.remember(self._turn.call_of(proposed)))
