"""The product: one analysed event and what is known, to what is known next and the one answer.

A generator: it yields what it wants to know and is sent the facts, so that a hook, a replay and whatever comes later
drive one logic. Nothing here touches a clock, a disk or a network.

    segments and registry -> red flags -> rules, each on its own -> score and urgency -> one voice
"""

from __future__ import annotations

from collections.abc import Generator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from leeboard.briefing import brief, wants_past
from leeboard.code.occasion import relations_of
from leeboard.code.redaction import redact
from leeboard.code.registry import entries_of
from leeboard.code.relation import Relations, terms_of
from leeboard.judge.assess import assess, standing
from leeboard.judge.conclude import NO_SIGNALS, Signals, conclude
from leeboard.judge.progress import diffs_now, progressed
from leeboard.model.diff import Diffs
from leeboard.model.event import (
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
from leeboard.model.ledger import Mention, Met
from leeboard.model.lookup import Surroundings
from leeboard.model.outcome import Outcome
from leeboard.model.registry import Entry
from leeboard.model.session import LIFTED_WINDOW, AgentState, Session
from leeboard.model.verdict import Action, Evidence, Finding, Moment
from leeboard.model.world import World
from leeboard.report.capture import capture, step_of
from leeboard.rule import LoadedRule, listening

if TYPE_CHECKING:
    from leeboard.code.known.prompt import SinceRead
    from leeboard.judge.guard import Guard
    from leeboard.judge.notice import Notice
    from leeboard.judge.recheck import Give


class Lookup(msgspec.Struct, frozen=True):
    """Which ledger rows are wanted."""

    terms: tuple[str, ...]


class Recall(msgspec.Struct, frozen=True):
    """Which past steps are wanted: on these files, in these folders, about these words, and the key decisions."""

    files: tuple[str, ...]
    folders: tuple[str, ...]
    keywords: tuple[str, ...]


class Look(msgspec.Struct, frozen=True):
    """The work tree and what the session remembers, to look things up in."""


Want = Lookup | Recall | Look


def steer(world: World, moment: Moment, rules: tuple[LoadedRule, ...]) -> Generator[Want, Any, Outcome]:
    """Fold the event, judge it, and decide what is answered at this moment."""
    analysis, event = world.analysis, world.analysis.event
    before = world.session.agent(event.agent)
    session, mentions = fold(world.session, analysis)
    around: Surroundings = yield Look()
    diffs = diffs_now(event, world, around.files)
    known = _learned(world, around)
    turn = session.agent(event.agent).turn
    entries = entries_of(analysis, diffs, turn)
    world = _timed(progressed(world, session, diffs), before)
    scored = is_action(world)
    relations = relations_of(world, (yield Lookup(_terms(world)))) if scored else {}
    give = _Facts(around.remembering(entries), relations, diffs).__getitem__
    found = detect(world, rules, give, scored=scored)
    assessment, seeds = None, True
    guard, found = _guard_over(world, moment, rules, found)
    notice, found = _notice_over(world, moment, rules, found)
    if scored and not (guard and guard.refuses) and not (notice and notice.refuses):  # what is refused was no step
        drift = standing(tuple(finding for finding in found if finding.signal is None), world.allowances)
        seeds = not session.contract.scope or all(relation.seeds for relation in relations.values())
        assessment = assess(drift, session, world.agent)
        mentions = (*mentions, *_script_changes(event, drift))
    world = _lifting(world)
    world, signals = _heard(world, moment, rules, found, give)
    named_few = assessment is not None and _refused_outright(assessment.findings, rules)
    end = conclude(world, moment, assessment, signals=signals, named_few=named_few, seeds=seeds)
    end = guard.over(end) if guard else end
    end = notice.over(end) if notice else end
    past = (yield _recall(session)) if Action.INJECT in moment.actions and wants_past(event, session) else ()
    words = brief(event, end.session, world.agent, past) if Action.INJECT in moment.actions else ""
    since = _since_read(world, moment, rules, around)
    words = "\n\n".join(filter(None, (words, since.words))) if since else words
    return Outcome(
        session=end.session,
        verdict=replace(end.verdict, briefing=words) if words else end.verdict,
        key=event.key,
        mentions=mentions,
        steps=step_of(before, analysis, end.verdict, session.contract.keywords),
        findings=(
            *(assessment.findings if assessment else ()),
            *(guard.findings if guard else ()),
            *(notice.findings if notice else ()),
            *(f for f in found if f.signal is not None),
        ),
        offers=end.offers,
        entries=(*entries, *_signal_entries(found, event, turn)),
        judged=end.judged,
        capture=capture(end.session, world.policy) if isinstance(event, Stopped | SessionEnded) else None,
        known=(*known, *(notice.told(end, around.knowledge, known) if notice else ()), *(since.known if since else ())),
    )


def _heard(
    world: World, moment: Moment, rules: tuple[LoadedRule, ...], found: tuple[Finding, ...], give: Give
) -> tuple[World, Signals]:
    if not world.agent.pending and all(finding.signal is None for finding in found):
        return world, NO_SIGNALS
    from leeboard.judge.hear import hear  # noqa: PLC0415 - a hook pays for every import, and most events raise nothing

    return hear(world, moment, rules, found, give)


def _guard_over(
    world: World, moment: Moment, rules: tuple[LoadedRule, ...], found: tuple[Finding, ...]
) -> tuple[Guard | None, tuple[Finding, ...]]:
    """What the rules that guard a workflow found, and what the others did."""
    if not world.plan_root or not found:
        return None, found
    guards = {loaded.id for loaded in rules if loaded.guards}
    guarded = standing(tuple(finding for finding in found if finding.rule in guards), world.allowances)
    rest = tuple(finding for finding in found if finding.rule not in guards)
    if not guarded:
        return None, rest
    from leeboard.judge.guard import Guard  # noqa: PLC0415 - only where a workflow lives on disk and is broken

    return Guard(world=world, moment=moment, findings=guarded), rest


def _notice_over(
    world: World, moment: Moment, rules: tuple[LoadedRule, ...], found: tuple[Finding, ...]
) -> tuple[Notice | None, tuple[Finding, ...]]:
    """What the rules that tell of others' changes found, and what the others did."""
    informing = {loaded.id for loaded in rules if loaded.informs} if found else ()
    rest = tuple(finding for finding in found if finding.rule not in informing)
    if len(rest) == len(found):
        return None, found
    told = standing(tuple(finding for finding in found if finding.rule in informing), world.allowances)
    if not told:
        return None, rest
    from leeboard.judge.notice import Notice  # noqa: PLC0415 - only where somebody else changed something

    return Notice(world=world, moment=moment, findings=told), rest


def _learned(world: World, around: Surroundings) -> tuple[Known, ...]:
    """What the agent knows of files, once a call comes or has come back; asked before the session moves on."""
    event, proposed = world.analysis.event, isinstance(world.analysis.event, ToolProposed)
    if around.knowledge.disk is None:
        return ()
    if isinstance(event, ContextCompacted) or (isinstance(event, SessionStarted) and event.reason == "compact"):
        from leeboard.code.known.prompt import forgotten  # noqa: PLC0415 - for compactions only

        return forgotten(world, around.knowledge)
    if not isinstance(event, ToolProposed | ToolFinished):
        return ()
    others = any(state.id != event.agent for state in world.session.agents)
    writes = others and any(touch.modifies for touch in world.analysis.touches)
    if not world.analysis.unsure and (event.call.action == "other" or (proposed and not writes)):
        return ()
    if proposed:
        from leeboard.code.known.beforehand import noticed  # noqa: PLC0415 - for calls that touch files only

        return noticed(world, around.knowledge)
    from leeboard.code.known.learn import learned  # noqa: PLC0415 - as above

    return learned(world, around.knowledge)


def _since_read(world: World, moment: Moment, rules: tuple[LoadedRule, ...], around: Surroundings) -> SinceRead | None:
    """When the user speaks: which files are no longer as the agent knew them."""
    event, observes = world.analysis.event, world.policy.profile == "observe"
    if not isinstance(event, PromptGiven) or event.agent or observes or Action.INJECT not in moment.actions:
        return None
    if around.knowledge.disk is None or not any(loaded.informs for loaded in rules):
        return None
    from leeboard.code.known.prompt import since_read  # noqa: PLC0415 - for prompts only

    return since_read(world, around.knowledge)


def _timed(world: World, before: AgentState) -> World:
    """The world with the time at which the call that has finished was proposed."""
    event = world.analysis.event
    if not isinstance(event, ToolFinished) or event.before is None:
        return world
    return replace(world, began=next((one.began for one in before.open_calls if one.id == event.call.id), 0.0))


class _Facts(dict[str, Any]):
    """Facts by the name a detector's parameter is annotated with; the index is opened only for who asks."""

    def __init__(self, around: Surroundings, relations: Relations, diffs: Diffs) -> None:
        super().__init__(Relations=relations, Diffs=diffs, Registry=around, Files=around.files, BaseFiles=around.base)
        self["Knowledge"] = around.knowledge
        self._around = around

    def __missing__(self, name: str) -> Any:
        return self._around.symbols


def _signal_entries(found: tuple[Finding, ...], event: Event, turn: int) -> tuple[Entry, ...]:
    """Where each rule has found something: what happens in several files is no slip."""
    return tuple(
        Entry(kind="signal", key=finding.rule, turn=turn, agent=event.agent, path=finding.path, line=finding.line)
        for finding in found
        if finding.signal is not None and finding.path and not finding.signal.log_only
    )


def _lifting(world: World) -> World:
    """The world after the user's own words ordered an exposure: that one is theirs to make."""
    event = world.analysis.event
    if not isinstance(event, PromptGiven):
        return world
    from leeboard.code.exposure import lifted_by  # noqa: PLC0415 - only for prompts

    new = lifted_by(event.text, world.workspace, world.secret_key)
    if not new:
        return world
    return replace(world, session=replace(world.session, lifted=(*world.session.lifted, *new)[-LIFTED_WINDOW:]))


def _script_changes(event: Event, findings: tuple[Finding, ...]) -> tuple[Mention, ...]:
    """Rows for what a script changed: no call of its own will bring them."""
    if not isinstance(event, FilesChanged):
        return ()
    doubted = {finding.subject for finding in findings if finding.delta}
    return tuple(Mention(path, Met.STRAYED if path in doubted else Met.EDITED) for path in event.paths)


def _recall(session: Session) -> Recall:
    scope = session.contract.scope
    files = tuple(entry for entry in scope if not entry.endswith("/"))
    return Recall(files, tuple(entry for entry in scope if entry.endswith("/")), session.contract.keywords[:20])


def _refused_outright(findings: tuple[Finding, ...], rules: tuple[LoadedRule, ...]) -> bool:
    found = {finding.rule for finding in findings}
    return any(loaded.id in found and loaded.rule.denies for loaded in rules)


def is_action(world: World) -> bool:
    """Edits, writes and shell lines are scored, and changes of the tree; looking around is not."""
    event = world.analysis.event
    return isinstance(event, FilesChanged | TreeChecked) or (
        isinstance(event, ToolProposed) and event.call.action in {"edit", "write", "bash"}
    )


def _terms(world: World) -> tuple[str, ...]:
    words = world.analysis.words
    return tuple(dict.fromkeys(term for path in world.analysis.modified for term in terms_of(path, words)))


def detect(world: World, rules: tuple[LoadedRule, ...], give: Give, *, scored: bool) -> tuple[Finding, ...]:
    """What every listening rule finds. A rule that crashes is itself a finding; the others still count."""
    found: list[Finding] = []
    event = world.analysis.event
    for loaded in _asked(rules, type(event), scored=scored, guarded=bool(world.plan_root)):
        try:
            found += map(_without_secrets, loaded.detect(event, world, *map(give, loaded.wants)))
        except Exception as crash:  # noqa: BLE001 - one broken rule must not silence the others
            text = f"{loaded.id} crashed: {type(crash).__name__}"
            found.append(Finding(rule="detector_crash", subject=loaded.id, evidence=(Evidence(text),)))
    return tuple(sorted(found, key=_class_by_class)) if found else ()


@lru_cache(maxsize=64)
def _asked(rules: tuple[LoadedRule, ...], event: type[Event], *, scored: bool, guarded: bool) -> tuple[LoadedRule, ...]:
    """The rules that judge such an event: what takes from the score speaks of actions only, guards of a workflow."""
    return tuple(
        loaded
        for loaded in listening(rules, event)
        if (guarded if loaded.guards else scored or loaded.has_signals or loaded.informs)
    )


def _without_secrets(finding: Finding) -> Finding:
    """Rules see raw text; what they say of it is kept. A finding about a secret names its digest, never itself."""
    if finding.signal is None and not finding.message:
        return finding
    return replace(
        finding,
        # What has no signal is about a path or a key, by which sessions, trees and allowances know it again.
        subject=redact(finding.subject) if finding.signal else finding.subject,
        evidence=tuple(Evidence(redact(item.text), item.delta) for item in finding.evidence),
        message=redact(finding.message),
        remedy=redact(finding.remedy),
    )


def _class_by_class(finding: Finding) -> tuple[str, str, str]:
    """What takes from the score, then A, B, C, D."""
    return finding.signal.subclass if finding.signal else "", finding.rule, finding.subject
