"""How urgent a finding with a signal is, and what that calls for. A table of products and its exceptions.

    urgency = rework cost x probability that the agent does not correct itself
    FIRE    4.0 and more;  QUEUE  2.0 up to 4.0;  LOG  below 2.0

In this order: what caps it at LOG, the override of a subclass that escalates above 0.85, commitment (of a class that
grows), the product, the floor, the rule's own word that it fires. Products are rounded where floats drift, never where
a threshold lies.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from leeboard.model.event import (
    Event,
    PromptGiven,
    Stopped,
    TextEdit,
    ToolCall,
    ToolFinished,
    ToolProposed,
    TurnEnded,
)
from leeboard.model.fold import put_agent
from leeboard.model.lookup import NO_FILES
from leeboard.model.outcome import Judged, JudgedState
from leeboard.model.policy import Policy
from leeboard.model.session import PENDING_WINDOW, SEEN_WINDOW, AgentState, Pending, Session
from leeboard.model.text import digest
from leeboard.model.touch import Diff, Diffs
from leeboard.model.verdict import HIGH, Action, Disposition, Finding, Moment, Signal, class_of, subclass_of
from leeboard.model.world import World
from leeboard.rule import LoadedRule

FIRE_FROM, QUEUE_FROM = 4.0, 2.0
ESCALATE_ABOVE, QUEUE_ABOVE = 0.85, 0.5
FORCED_URGENCY = 3.0
COMMITTED, SETTLED = 0.9, 1.0
HARDEST = 5


class Weighed(msgspec.Struct, frozen=True, kw_only=True):
    urgency: float
    disposition: Disposition
    escalates: bool = False
    """It fires at once, whatever window, cooldown and budget say."""
    trace: tuple[str, ...] = ()
    """The rules that made it, in order."""


def weigh(finding: Finding, *, wired: bool = False) -> Weighed:
    """`wired`: other files import or call what was written."""
    signal = finding.signal
    if signal is None:
        raise ValueError(f"{finding.rule} has no signal to weigh")
    cost, stays = _committed(signal, wired=wired)
    urgency = round(cost * stays, 6)
    trace = [f"{signal.subclass} {signal.stage}: {cost} x {stays:g} = {shown(urgency)}"]
    if signal.log_only:
        return _logged(urgency, trace, signal.log_only)
    if subclass_of(signal.subclass).escalates:
        if finding.confidence > ESCALATE_ABOVE:
            told = f"confidence {finding.confidence:g} above {ESCALATE_ABOVE}: {signal.subclass}-ESCALATE"
            return Weighed(urgency=urgency, disposition="FIRE", escalates=True, trace=(*trace, told))
        if finding.confidence < QUEUE_ABOVE:
            return _logged(urgency, trace, f"confidence {finding.confidence:g} below {QUEUE_ABOVE}")
    floor = _floor(finding, signal)
    if floor > urgency:
        trace.append(f"floor {floor:g}")
        urgency = floor
    if signal.fires:
        urgency = max(urgency, FORCED_URGENCY)
        trace.append(f"fires by its own rule, shown as {shown(urgency)}")
    disposition = "FIRE" if signal.fires else by_threshold(urgency)
    return Weighed(urgency=urgency, disposition=disposition, trace=(*trace, disposition))


def by_threshold(urgency: float) -> Disposition:
    if urgency >= FIRE_FROM:
        return "FIRE"
    return "QUEUE" if urgency >= QUEUE_FROM else "LOG"


def shown(urgency: float) -> str:
    """One decimal, never rounded up over a threshold."""
    return f"{math.floor(round(urgency * 10, 4)) / 10:.1f}"


def label(finding: Finding, weighed: Weighed) -> str:
    """What stands behind URGENCY: the number, or the name of the override."""
    if weighed.escalates and finding.signal is not None:
        return f"{finding.signal.subclass}-ESCALATE"
    return shown(weighed.urgency)


def _committed(signal: Signal, *, wired: bool) -> tuple[int, float]:
    """Some classes get more urgent the further the agent has gone with it."""
    cost, stays = signal.rework_cost, signal.self_correct_prob
    if not class_of(signal.subclass).grows or signal.stage == "PLAN":
        return cost, stays
    if signal.stage == "SETTLED":
        return min(HARDEST, cost + wired), SETTLED
    return cost, COMMITTED if stays >= HIGH else HIGH


def _floor(finding: Finding, signal: Signal) -> float:
    if subclass_of(signal.subclass).escalates and finding.confidence > QUEUE_ABOVE:
        return max(signal.floor, QUEUE_FROM)
    return signal.floor


def _logged(urgency: float, trace: list[str], why: str) -> Weighed:
    return Weighed(urgency=min(urgency, QUEUE_FROM - 0.1), disposition="LOG", trace=(*trace, f"LOG: {why}"))


# Natural pauses: when the agent is between two things and a word does least harm.


def is_pause(moment: Moment, agent: AgentState) -> bool:
    return moment.pause or agent.lull


def ends_turn(event: Event) -> bool:
    """Whether the turn is over with this event: the window of what was detected a turn ago has passed."""
    return isinstance(event, TurnEnded | Stopped | PromptGiven)


# From signals to what becomes of them: fired, queued or logged, each with the trace of the rules that decided.
#
# Window, cooldown, budget and grace hold for what goes by the formula; what escalates passes them all. The queue
# belongs to the agent concerned and goes by urgency; the budget is the session's.


USER_DIRECTED = "user-directed: not signaled"
SELF_CORRECTED = "self-corrected"
PASSED = "its moment has passed"


class Received(msgspec.Struct, frozen=True, kw_only=True):
    """The session with what now waits, what was judged, and what must not pass."""

    session: Session
    judged: tuple[Judged, ...] = ()
    denial: Pending | None = None
    along: tuple[Finding, ...] = ()
    """What else must not pass in that call."""


def receive(world: World, findings: tuple[Finding, ...], *, deniable: bool) -> Received:
    """Judge the signals of one event, each on its own. `deniable`: the call can still be refused."""
    session, event = world.session, world.analysis.event
    agent = session.agent(event.agent)
    judged: list[Judged] = []
    denial: Pending | None = None
    along: list[Finding] = []
    for finding in findings:
        pending, weighed, note = _judged_now(finding, session, agent, world)
        refusable = deniable and weighed.escalates and isinstance(event, ToolProposed)
        known = mark(finding, note, refused=refusable) in session.seen and not _is_worse(weighed, finding, session)
        if refusable and denial is not None:
            along.append(finding)
            continue  # one denial is one interrupt: what else stood in that call was not written
        if refusable:
            denial = pending
        if known and not _has_risen(agent, pending):
            continue
        agent = _without(agent, pending)
        session = _seen(session, finding, note, refused=refusable)
        state: JudgedState = "logged" if weighed.disposition == "LOG" else "waiting"
        if state == "logged":
            marks = (*session.seen, f"{mark(finding)}?")[-SEEN_WINDOW:]
            session = replace(session, logged=session.logged + 1, seen=marks)
        elif not refusable:
            agent = replace(agent, pending=_queued(agent.pending, pending))
        else:
            session, state = _spent(session), "fired"
        judged.append(record(pending, agent, state, note=note))
    return Received(session=put_agent(session, agent), judged=tuple(judged), denial=denial, along=tuple(along))


def _has_risen(agent: AgentState, pending: Pending) -> bool:
    """What waited in the queue is certain by now: it fires, and is not said again later."""
    return pending.escalates and any(one.id == pending.id and not one.escalates for one in agent.pending)


def mark(finding: Finding, note: str = "", *, refused: bool = False) -> str:
    """A refusal is on record however often the same was noted before."""
    return digest(_told_apart(finding, note), 4) + "!" * refused


def _is_worse(weighed: Weighed, finding: Finding, session: Session) -> bool:
    """What was only logged so far is now worth saying."""
    logged = f"{mark(finding)}?" in session.seen
    return logged and weighed.disposition != "LOG"


def _seen(session: Session, finding: Finding, note: str, *, refused: bool) -> Session:
    marks = {mark(finding, note), mark(finding, note, refused=refused)}
    kept = (one for one in session.seen if one != f"{mark(finding)}?")
    return replace(session, seen=tuple(dict.fromkeys((*kept, *sorted(marks))))[-SEEN_WINDOW:])


def _told_apart(finding: Finding, note: str) -> str:
    """What the user lets pass is on record beside what was denied before: neither takes the place of the other."""
    return f"{finding.fingerprint}\x1f{note}" if note == USER_DIRECTED else finding.fingerprint


def _judged_now(finding: Finding, session: Session, agent: AgentState, world: World) -> tuple[Pending, Weighed, str]:
    """The finding weighed under what holds in this session now."""
    weighed, note = weigh(finding), finding.signal.log_only if finding.signal else ""
    if finding.fingerprint in session.lifted:
        weighed, note = _signals_logged(weighed, USER_DIRECTED), USER_DIRECTED
    elif _in_grace(finding, agent, world.policy) and weighed.disposition != "LOG":
        note = f"grace: turn {agent.turn} of {world.policy.grace_turns}"
        weighed = _signals_logged(weighed, note)
    elif weighed.disposition == "FIRE" and not weighed.escalates:
        weighed, note = _throttled(weighed, session, agent, world.policy)
    pending = Pending(
        id=signal_id(session.id, finding, note),
        finding=finding,
        turn=agent.turn - _late(finding, world),
        urgency=weighed.urgency,
        disposition=weighed.disposition,
        escalates=weighed.escalates,
        trace=weighed.trace,
    )
    return pending, weighed, note


def _late(finding: Finding, world: World) -> int:
    """Turns since it was written: what is found in a file where the agent stops was there before."""
    return int(bool(finding.path) and isinstance(world.analysis.event, Stopped))


def signal_id(session_id: str, finding: Finding, note: str = "") -> str:
    return "s" + digest(f"{session_id}\x1f{_told_apart(finding, note)}", 5)


def _in_grace(finding: Finding, agent: AgentState, policy: Policy) -> bool:
    if finding.signal is None or agent.turn > policy.grace_turns:
        return False
    return class_of(finding.signal.subclass).has_grace


def _throttled(weighed: Weighed, session: Session, agent: AgentState, policy: Policy) -> tuple[Weighed, str]:
    """What would fire waits in the queue while the budget is spent or the last interrupt is too near."""
    if session.interrupt_budget <= 0:
        waiting = sum(len(state.pending) for state in session.agents) + 1
        note = f"Budget exhausted — {waiting} signals queued"
    elif cooling(agent, policy):
        note = f"cooldown: an interrupt was spoken in turn {agent.fired_turn}"
    else:
        return weighed, ""
    return _with(weighed, "QUEUE", note), note


def cooling(agent: AgentState, policy: Policy) -> bool:
    return agent.turn <= agent.fired_turn + policy.cooldown_turns


def _signals_logged(weighed: Weighed, why: str) -> Weighed:
    return replace(_with(weighed, "LOG", f"LOG: {why}"), escalates=False)


def _with(weighed: Weighed, disposition: str, line: str) -> Weighed:
    return msgspec.structs.replace(weighed, disposition=disposition, trace=(*weighed.trace, line))


def _queued(waiting: tuple[Pending, ...], new: Pending) -> tuple[Pending, ...]:
    """In urgency order; the least urgent is forgotten first."""
    ordered = sorted((*waiting, new), key=_worst_first)
    return tuple(ordered[:PENDING_WINDOW])


def _worst_first(pending: Pending) -> tuple[bool, bool, bool, float, int, str]:
    """What tells of another that waits goes before it."""
    tells = bool(pending.finding.signal and pending.finding.signal.tells)
    return not pending.escalates, not tells, pending.disposition != "FIRE", -pending.urgency, pending.turn, pending.id


def due_signals(session: Session, event: Event, moment: Moment, policy: Policy) -> tuple[Pending, ...]:
    """What may be said now, the worst first: one of them will be, if it still stands."""
    agent = session.agent(event.agent)
    if Action.INJECT not in moment.actions or not agent.pending:
        return ()
    return tuple(sorted((p for p in agent.pending if _due(p, session, event, moment, policy)), key=_worst_first))


def _due(pending: Pending, session: Session, event: Event, moment: Moment, policy: Policy) -> bool:
    agent = session.agent(event.agent)
    if pending.escalates:
        return True
    signal = pending.finding.signal
    passed = agent.turn - pending.turn - (signal.patience if signal else 0)
    too_early = passed < 1 or (passed == 1 and not ends_turn(event))
    if too_early or (signal and signal.for_user and moment.kind != "prompt"):
        return False
    if cooling(agent, policy) and not _outlasts_cooldown(pending, moment):
        return False
    if agent.spoken_turn == agent.turn:
        return False
    if _fires(pending, session):
        return True
    held_up = moment.kind == "stop" and not (signal and class_of(signal.subclass).speaks_at_stop)
    return is_pause(moment, agent) and not held_up and session.delivered < policy.queue_deliveries


def _outlasts_cooldown(pending: Pending, moment: Moment) -> bool:
    signal = pending.finding.signal
    return moment.kind in {"stop", "prompt"} and bool(signal and class_of(signal.subclass).outlasts_cooldown)


def _fires(pending: Pending, session: Session) -> bool:
    """Rather than being said from the queue."""
    return pending.escalates or (pending.disposition == "FIRE" and session.interrupt_budget > 0)


def speak(session: Session, agent: AgentState, pending: Pending) -> tuple[Session, AgentState, Judged]:
    """The session after it was said: an interrupt that fired costs budget, one from the queue does not."""
    fires = _fires(pending, session)
    session = _spent(session) if fires else replace(session, delivered=session.delivered + 1)
    agent = _without(agent, pending)
    cooled = agent if pending.escalates else replace(agent, fired_turn=agent.turn)
    return session, cooled, record(pending, agent, "fired" if fires else "delivered", spoken_turn=agent.turn)


def told_along(agent: AgentState, pending: Pending) -> tuple[AgentState, tuple[Judged, ...]]:
    """The agent after it was said, without what the same words told it of, and what became of that."""
    told = pending.finding.signal.tells if pending.finding.signal else ()
    along = [one for one in agent.pending if one.finding.fingerprint in told]
    for one in along:
        agent = _without(agent, one)
    return agent, tuple(record(one, agent, "delivered", spoken_turn=agent.turn) for one in along)


def _spent(session: Session) -> Session:
    return replace(session, interrupt_budget=session.interrupt_budget - 1, fired=session.fired + 1)


def drop(session: Session, agent: AgentState, pending: Pending, note: str) -> tuple[Session, AgentState, Judged]:
    """It no longer stands: said to nobody, told in the report."""
    state: JudgedState = "self-corrected" if note == SELF_CORRECTED else "dropped"
    # Put back, it is found anew.
    session = replace(session, seen=tuple(one for one in session.seen if one != mark(pending.finding)))
    return session, _without(agent, pending), record(pending, agent, state, note=note)


def _without(agent: AgentState, pending: Pending) -> AgentState:
    return replace(agent, pending=tuple(one for one in agent.pending if one.id != pending.id))


def urgency_label(pending: Pending) -> str:
    return label(
        pending.finding,
        Weighed(urgency=pending.urgency, disposition=pending.disposition, escalates=pending.escalates),
    )


def record(pending: Pending, agent: AgentState, state: JudgedState, *, note: str = "", spoken_turn: int = -1) -> Judged:
    finding, signal = pending.finding, pending.finding.signal
    evidence = tuple(item.text for item in finding.evidence)
    return Judged(
        id=pending.id,
        agent=agent.id,
        turn=pending.turn,
        subclass=signal.subclass if signal else "",
        urgency=urgency_label(pending) if pending.disposition != "LOG" else shown(pending.urgency),
        disposition=pending.disposition,
        state=state,
        rule=finding.rule,
        subject=finding.subject,
        path=finding.path,
        line=finding.line,
        confidence=finding.confidence,
        message=finding.message,
        reason=evidence[0] if evidence else finding.message,
        spoken_turn=spoken_turn,
        note=note,
        trace=(*evidence, *pending.trace, *((note,) if note else ())),
    )


# Whether a finding still stands: the rule is run again over the file as it is now, or asked by its own `holds`.


Give = Callable[[str], Any]
"""A fact by its name."""


def still_stands(finding: Finding, world: World, loaded: LoadedRule | None, give: Give) -> bool:
    """False also where its rule is gone, or takes it by now for what the user wants."""
    if loaded is None:
        return False
    if loaded.holds is not None:
        return bool(loaded.holds(finding, world, *(give(want) for want in loaded.holds_wants)))
    if not finding.path:
        return True
    text = give("Files").text(finding.path)
    if text is None:
        return give("Files").exists(finding.path) is not False
    return any(_same(other, finding) for other in _again(finding, world, loaded, give, text))


def _again(finding: Finding, world: World, loaded: LoadedRule, give: Give, text: str) -> tuple[Finding, ...]:
    event, diffs = as_if_written(finding.path, text, world)
    seen = replace(world, analysis=replace(world.analysis, event=event))
    own = {"Diffs": diffs, "BaseFiles": NO_FILES}  # what it found may have been committed since
    facts = (own[want] if want in own else give(want) for want in loaded.wants)
    return tuple(loaded.detect(event, seen, *facts))


def as_if_written(path: str, text: str, world: World) -> tuple[ToolFinished, Diffs]:
    """The event and the diff of somebody writing this whole file."""
    now = world.analysis.event
    call = ToolCall(id="recheck", tool="Write", action="write", paths=(path,), edits=(TextEdit("", text),))
    event = ToolFinished(session=now.session, agent=now.agent, cwd=now.cwd, time=now.time, call=call, outcome="done")
    return event, (whole_file(path, text),)


def whole_file(path: str, text: str) -> Diff:
    lines = text.count("\n") + (not text.endswith("\n"))
    return Diff(path=path, after=text, before=None, added=((1, lines),) if text else ())


def _same(other: Finding, finding: Finding) -> bool:
    return other.fingerprint == finding.fingerprint and not (other.signal and other.signal.log_only)
