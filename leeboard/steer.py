"""The product: one analysed event and what is known, to what is known next and the one answer.

A generator: it yields what it wants to know and is sent the facts, so that a hook, a replay and whatever comes later
drive one logic. Nothing here touches a clock, a disk or a network.

    segments and registry -> red flags -> rules, each on its own -> score and urgency -> one voice
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from leeboard.analysis.occasion import judged_paths, terms_wanted
from leeboard.analysis.relation import Relations, moved_on, relations_of, settled_relations
from leeboard.analysis.ties.sketch import sketch_entries
from leeboard.judge.conclude import NO_SIGNALS, Conclusion, Signals, conclude, let_pass, replace_world
from leeboard.judge.footing import may_claim
from leeboard.judge.progress import diffs_now, progressed
from leeboard.judge.score import assess, detect, is_allowed, standing
from leeboard.model.event import (
    CALLS,
    AgentStarted,
    ContextCompacted,
    Event,
    FilesChanged,
    PromptGiven,
    SessionEnded,
    SessionStarted,
    Stopped,
    ToolFinished,
    ToolProposed,
    TreeChecked,
)
from leeboard.model.fold import fold
from leeboard.model.known import Known
from leeboard.model.ledger import Entry, Mention, Met, Rows
from leeboard.model.lookup import Surroundings
from leeboard.model.outcome import Capture, Outcome, Step
from leeboard.model.session import LIFTED_WINDOW, AgentState, Session
from leeboard.model.touch import Diffs
from leeboard.model.verdict import Action, Assessment, Finding, Moment, Verdict
from leeboard.model.world import Analysis, World
from leeboard.rule import LoadedRule

if TYPE_CHECKING:
    from leeboard.analysis.proof.weak import WeakTest
    from leeboard.judge.unscored import Aside
    from leeboard.judge.urgency import Give
    from leeboard.truth.prompt import SinceRead


_BEGINS = (SessionStarted, AgentStarted)
_ENDS = (Stopped, SessionEnded)
_SEEN_LATER = (FilesChanged, Stopped)
"""They may show what was written before."""
_OF_THE_TREE = (FilesChanged, TreeChecked)


class Lookup(msgspec.Struct, frozen=True):
    """Which ledger rows are wanted."""

    terms: tuple[str, ...]


class Recall(msgspec.Struct, frozen=True):
    """Which past steps are wanted: on these files, in these folders, about these words, and the key decisions."""

    files: tuple[str, ...]
    folders: tuple[str, ...]
    keywords: tuple[str, ...]


class SurroundingsWant(msgspec.Struct, frozen=True):
    """The work tree and what the session remembers, to look things up in."""


class Supply(msgspec.Struct, frozen=True):
    """Facts for the rules, by the types they name: from what was looked up, and what was made of it here."""

    around: Surroundings
    diffs: Diffs
    relations: Relations


Want = Lookup | Recall | SurroundingsWant | Supply


def steer(world: World, moment: Moment, rules: tuple[LoadedRule, ...]) -> Generator[Want, Any, Outcome]:
    """Fold the event, judge it, and decide what is answered at this moment."""
    world = _answering(world)
    analysis, event = world.analysis, world.analysis.event
    before = world.session.agent(event.agent)
    session, mentions = fold(world.session, analysis)
    around: Surroundings = yield SurroundingsWant()
    diffs = _diffs(event, world, around)
    known = _learned(world, around)
    turn = session.agent(event.agent).turn
    entries = _entries(world, diffs, turn, around)
    world = _timed(progressed(world, session, diffs, around.files), before)
    relations = (yield from _relations(world, around)) if is_action(world) else None
    give: Give = yield Supply(around.remembering(entries), diffs, relations or {})
    judged = _judge(world, moment, rules, give, relations)
    end = judged.end
    briefs = isinstance(event, _BEGINS) and Action.INJECT in moment.actions
    words = (yield from _briefed(session, judged)) if briefs else ""
    since = _since_read(judged.world, moment, rules, around, known)
    words = "\n\n".join(filter(None, (words, since.words))) if since else words
    return Outcome(
        session=end.session,
        verdict=replace(end.verdict, briefing=words) if words else end.verdict,
        key=event.key,
        mentions=(*mentions, *_script_changes(event, judged.assessment)),
        steps=_steps(before, analysis, end.verdict, session),
        findings=judged.findings,
        offers=end.offers,
        entries=(*entries, *(() if world.paused else _signal_entries(judged.rest, event, turn))),
        judged=end.judged,
        capture=_capture(end.session, world),
        known=(*known, *judged.told(around, known), *(since.known if since else ())),
    )


def _answering(world: World) -> World:
    """Whether a yes of the user answers what the agent was told last."""
    intent, event = world.analysis.intent, world.analysis.event
    if intent is None or not intent.permits or not world.session.agent(event.agent).heard:
        return world
    from leeboard.judge.correction import is_answered  # noqa: PLC0415 - only for a yes behind a correction

    answers = is_answered(world.session.agent(event.agent), world.session.contract.constraints)
    return replace(world, analysis=replace(world.analysis, intent=replace(intent, answers=answers)))


def _relations(world: World, around: Surroundings) -> Generator[Lookup, Rows, Relations]:
    """What an action writes and what was written before is looked at only where a path is not settled without."""
    paths = judged_paths(world.analysis)
    settled = settled_relations(world, (yield Lookup(paths))) if paths else {}
    return relations_of(world, (yield Lookup(terms_wanted(world))), around) if settled is None else settled


def _diffs(event: Event, world: World, around: Surroundings) -> Diffs:
    """What the event writes, and what was written that nobody could see before."""
    seen = diffs_now(event, world, around.files)
    if not isinstance(event, _SEEN_LATER) and not (
        isinstance(event, ToolFinished) and event.call.action == "bash" and world.analysis.touches
    ):
        return seen
    from leeboard.analysis.unseen import unseen_diffs  # noqa: PLC0415 - most events show what they write

    return (*seen, *unseen_diffs(event, world, seen, around))


def _steps(agent: AgentState, analysis: Analysis, verdict: Verdict, session: Session) -> tuple[Step, ...]:
    """The record of a call that has ended; what is only proposed is no step yet."""
    if not isinstance(analysis.event, ToolFinished):
        return ()
    from leeboard.report.capture import step_of  # noqa: PLC0415 - not needed in front of a call

    return step_of(agent, analysis, verdict, session.contract.keywords)


def _capture(session: Session, world: World) -> Capture | None:
    if not isinstance(world.analysis.event, _ENDS):
        return None
    from leeboard.report.capture import capture  # noqa: PLC0415 - only where the agent stops

    return capture(session, world.policy)


def _entries(world: World, diffs: Diffs, turn: int, around: Surroundings) -> tuple[Entry, ...]:
    """What the context registry learns by the event. Of what is only proposed, what was there before it."""
    analysis = world.analysis
    if isinstance(analysis.event, ToolProposed):
        return _stood(analysis.event, world, turn, around)
    if isinstance(analysis.event, Stopped):
        return (*_claimed(analysis.event, world, turn, around), *_unindexed(analysis.event, diffs, turn, around))
    from leeboard.analysis.registry import entries_of  # noqa: PLC0415 - not needed in front of a call

    entries = entries_of(analysis, diffs, turn)
    if not isinstance(analysis.event, ToolFinished):
        return entries
    entries = (*entries, *_unindexed(analysis.event, diffs, turn, around))
    if analysis.unsure:
        from leeboard.analysis.stood import committing_entries  # noqa: PLC0415 - not for a look around

        entries = (*entries, *committing_entries(analysis.event, world, turn))
    return (*entries, *sketch_entries(analysis.event, analysis, turn, world.workspace))


def _stood(event: ToolProposed, world: World, turn: int, around: Surroundings) -> tuple[Entry, ...]:
    commits = "git commit" in world.analysis.programs
    if not commits and not any(touch.modifies for touch in world.analysis.touches):
        return ()
    from leeboard.analysis.stood import stood_entries  # noqa: PLC0415 - only for calls that change or commit files

    return stood_entries(event, world, around, turn)


def _unindexed(event: Event, diffs: Diffs, turn: int, around: Surroundings) -> tuple[Entry, ...]:
    if not any(diff.path for diff in diffs):
        return ()
    from leeboard.analysis.unseen import unindexed  # noqa: PLC0415 - only where something was written

    return unindexed(event, diffs, around, turn)


def _claimed(event: Stopped, world: World, turn: int, around: Surroundings) -> tuple[Entry, ...]:
    """What the agent says of its own work as it ends, held against what ran."""
    if not may_claim(event.text):
        return ()
    from leeboard.analysis.proof.claim import claim_entries  # noqa: PLC0415 - only where the agent claims something

    return claim_entries(event, turn, around, around.files, _weak(world, around))


def _weak(world: World, around: Surroundings) -> tuple[WeakTest, ...]:
    """The tests the session weakened, but for what a person has allowed."""
    if not around.find("signal", ("weakened_test",)):
        return ()
    from leeboard.analysis.proof.weak import RULE, weak_tests  # noqa: PLC0415 - only where a test was weakened

    return tuple(
        test
        for test in weak_tests(world, around, around.files)
        if not is_allowed(Finding(rule=RULE, subject=test.subject, evidence=(), path=test.path), world.allowances)
    )


class _Judged(msgspec.Struct, frozen=True):
    """What came of all that was found about one event."""

    world: World
    """After the event was heard."""
    end: Conclusion
    assessment: Assessment | None
    """None: it was no action, or no step because it is refused."""
    aside: Aside | None
    rest: tuple[Finding, ...]
    """What was not set aside."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        drift = self.assessment.findings if self.assessment else ()
        aside = self.aside.findings if self.aside else ()
        return (*drift, *aside, *(finding for finding in self.rest if finding.signal is not None))

    def told(self, around: Surroundings, learned: tuple[Known, ...]) -> tuple[Known, ...]:
        """What the agent knows by the answer, beside what it has learnt."""
        return self.aside.told(self.end, around.knowledge, learned) if self.aside else ()


def _judge(
    world: World, moment: Moment, rules: tuple[LoadedRule, ...], give: Give, relations: Relations | None
) -> _Judged:
    """Ask the rules and answer with one voice. Without relations it is no action, and has no score."""
    aside, found = _set_aside(
        world, moment, rules, detect(world, rules, give, scored=relations is not None, heard=True)
    )
    assessment, seeds, named_few = None, True, False
    if relations is not None and not (aside and aside.refuses):  # what is refused was no step
        drift = standing(tuple(finding for finding in found if finding.signal is None), world.allowances)
        seeds = not world.contract.scope or all(relation.seeds for relation in relations.values())
        assessment = assess(drift, world.session, world.agent)
        doubted = {finding.subject for finding in found if finding.signal is None and finding.delta}
        named_few = _refused_outright(assessment.findings, rules)
        if not world.paused:
            world = replace(world, session=moved_on(world.session, relations, doubted, refused=named_few))
    world, signals = _heard(_lifting(world), moment, rules, found, give)
    world = _still_told(world, rules, give)
    if world.paused:
        end = let_pass(world, assessment, signals.judged, seeds=seeds)
    else:
        end = conclude(world, moment, assessment, signals=signals, named_few=named_few, seeds=seeds)
    return _Judged(world, aside.over(end) if aside else end, assessment, aside, found)


def _still_told(world: World, rules: tuple[LoadedRule, ...], give: Give) -> World:
    """Without what waits to be said and holds no more."""
    if not world.agent.waiting:
        return world
    from leeboard.judge.signals import still_true  # noqa: PLC0415 - only where something waits

    agent = still_true(world, rules, give)
    return replace_world(world, world.session, agent)


def _set_aside(
    world: World, moment: Moment, rules: tuple[LoadedRule, ...], found: tuple[Finding, ...]
) -> tuple[Aside | None, tuple[Finding, ...]]:
    if not found:
        return None, found
    from leeboard.judge.unscored import (  # noqa: PLC0415 - a hook pays for every import, and most events are quiet
        set_aside,
    )

    return set_aside(world, moment, rules, found)


def _heard(
    world: World, moment: Moment, rules: tuple[LoadedRule, ...], found: tuple[Finding, ...], give: Give
) -> tuple[World, Signals]:
    if not world.agent.pending and all(finding.signal is None for finding in found):
        return world, NO_SIGNALS
    from leeboard.judge.signals import judge_signals  # noqa: PLC0415 - a hook pays for every import, and most events raise nothing

    return judge_signals(world, moment, rules, found, give)


def _learned(world: World, around: Surroundings) -> tuple[Known, ...]:
    """What the agent knows of files by this event; asked before the session moves on."""
    event = world.analysis.event
    if around.knowledge.disk is None:
        return ()
    if isinstance(event, ContextCompacted) or (isinstance(event, SessionStarted) and event.reason == "compact"):
        from leeboard.truth.prompt import forgotten  # noqa: PLC0415 - for compactions only

        return forgotten(world, around.knowledge)
    if isinstance(event, PromptGiven) and "@" in event.text:
        from leeboard.truth.attached import attached  # noqa: PLC0415 - for prompts that may show files

        return attached(world, around.knowledge)
    return _learned_by_call(event, world, around) if isinstance(event, CALLS) else ()


def _learned_by_call(event: ToolProposed | ToolFinished, world: World, around: Surroundings) -> tuple[Known, ...]:
    """Once a call comes, or has come back."""
    proposed = isinstance(event, ToolProposed)
    others = any(state.id != event.agent for state in world.session.agents)
    writes = others and any(touch.modifies for touch in world.analysis.touches)
    if not world.analysis.unsure and (event.call.action == "other" or (proposed and not writes)):
        return ()
    if proposed:
        from leeboard.truth.beforehand import noticed  # noqa: PLC0415 - for calls that touch files only

        return noticed(world, around.knowledge)
    from leeboard.truth.learn import learned  # noqa: PLC0415 - as above

    return learned(world, around.knowledge)


def _since_read(
    world: World, moment: Moment, rules: tuple[LoadedRule, ...], around: Surroundings, shown: tuple[Known, ...]
) -> SinceRead | None:
    """When the user speaks: which files are no longer as the agent knew them, but for those they show to it."""
    event, observes = world.analysis.event, world.policy.profile == "observe"
    if not isinstance(event, PromptGiven) or event.agent or observes or Action.INJECT not in moment.actions:
        return None
    if around.knowledge.disk is None or not any(loaded.channel == "inform" for loaded in rules):
        return None
    from leeboard.truth.prompt import since_read  # noqa: PLC0415 - for prompts only

    return since_read(world, around.knowledge, shown)


def _timed(world: World, before: AgentState) -> World:
    """The world with the time at which the call that has finished was proposed."""
    event = world.analysis.event
    if not isinstance(event, ToolFinished) or event.before is None:
        return world
    return replace(world, began=next((one.began for one in before.open_calls if one.id == event.call.id), 0.0))


def _signal_entries(found: tuple[Finding, ...], event: Event, turn: int) -> tuple[Entry, ...]:
    """Where each rule has found something: what happens in several files is no slip."""
    return tuple(
        Entry(
            kind="signal",
            key=finding.rule,
            turn=turn,
            agent=event.agent,
            path=finding.path,
            line=finding.line,
            data=_kept_of(finding),
        )
        for finding in found
        if finding.signal is not None and finding.path and not finding.signal.log_only
    )


def _kept_of(finding: Finding) -> str:
    """What a later claim about tests has to know of a test that was weakened."""
    if finding.rule != "weakened_test":
        return ""
    from leeboard.analysis.proof.weak import weak_test_data  # noqa: PLC0415 - only where a test was weakened

    return weak_test_data(finding)


def _lifting(world: World) -> World:
    """The world after the user's own words ordered an exposure: that one is theirs to make."""
    event = world.analysis.event
    if not isinstance(event, PromptGiven):
        return world
    from leeboard.secrets.exposure import lifted_by  # noqa: PLC0415 - only for prompts

    new = lifted_by(event.text, world.workspace, world.secret_key)
    if not new:
        return world
    return replace(world, session=replace(world.session, lifted=(*world.session.lifted, *new)[-LIFTED_WINDOW:]))


def _script_changes(event: Event, assessment: Assessment | None) -> tuple[Mention, ...]:
    """Rows for what a script changed: no call of its own will bring them."""
    if not isinstance(event, FilesChanged) or assessment is None:
        return ()
    doubted = {finding.subject for finding in assessment.findings if finding.delta}
    return tuple(Mention(path, Met.STRAYED if path in doubted else Met.EDITED) for path in event.paths)


def _briefed(session: Session, judged: _Judged) -> Generator[Want, Any, str]:
    """The words that go along with the event; what was done is looked up only where they tell of it."""
    from leeboard.judge.briefing import brief, wants_past  # noqa: PLC0415 - only where an agent begins

    event = judged.world.analysis.event
    past = (yield _recall(session)) if wants_past(event, session) else ()
    return brief(event, judged.end.session, judged.world.agent, past)


def _recall(session: Session) -> Recall:
    scope = session.contract.scope
    files = tuple(entry for entry in scope if not entry.endswith("/"))
    return Recall(files, tuple(entry for entry in scope if entry.endswith("/")), session.contract.keywords[:20])


def _refused_outright(findings: tuple[Finding, ...], rules: tuple[LoadedRule, ...]) -> bool:
    found = {finding.rule for finding in findings}
    return bool(found) and any(loaded.id in found and loaded.traits.denies for loaded in rules)


def is_action(world: World) -> bool:
    """Edits, writes and shell lines are scored, and changes of the tree; looking around is not."""
    event = world.analysis.event
    return isinstance(event, _OF_THE_TREE) or (
        isinstance(event, ToolProposed) and event.call.action in {"edit", "write", "bash"}
    )
