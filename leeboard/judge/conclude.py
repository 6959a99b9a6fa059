"""From an assessment and what waits to the one answer, and to the session that remembers it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from leeboard.analysis.analyse import told_unread
from leeboard.analysis.relation import in_scope
from leeboard.judge.score import escalated, is_of_goal, looked_around, ratio_score
from leeboard.model.event import CALLS, Event, PromptGiven, ToolProposed
from leeboard.model.fold import put_agent
from leeboard.model.outcome import FINDING_STATES, Judged, Offer, told_urgency
from leeboard.model.policy import Policy
from leeboard.model.session import FORCED_ROOM, PATH_ROOM, SAID_WINDOW, WAITING_WINDOW, AgentState, Pending, Session
from leeboard.model.text import digest
from leeboard.model.verdict import LEVELS, PAUSED, Action, Assessment, Correction, Finding, Moment, Verdict
from leeboard.model.world import World
from leeboard.rule import with_code

STRAY_WINDOW = 16
REFUSED_WINDOW = 32

_SAID = frozenset({Action.INJECT, Action.ASK, Action.DENY})

_HELD = "The session was halted, and the action it takes to go on has not been carried out yet."


class Conclusion(msgspec.Struct, frozen=True, kw_only=True):
    session: Session
    verdict: Verdict
    offers: tuple[Offer, ...] = ()
    judged: tuple[Judged, ...] = ()


class Signals(msgspec.Struct, frozen=True, kw_only=True):
    """What the rules of the classes A to D want of this moment."""

    judged: tuple[Judged, ...] = ()
    denial: Pending | None = None
    """The call must not pass."""
    along: tuple[Finding, ...] = ()
    """What else it must not pass for."""
    due: Pending | None = None
    """It may be said now, and still stands."""


NO_SIGNALS = Signals()


def conclude(
    world: World,
    moment: Moment,
    assessment: Assessment | None,
    *,
    signals: Signals = NO_SIGNALS,
    named_few: bool = False,
    seeds: bool = True,
) -> Conclusion:
    """The answer to the event at this moment: one voice, and the worst has it."""
    session, agent, event = world.session, world.agent, world.analysis.event
    if assessment is None and not agent.waiting and signals is NO_SIGNALS:
        return Conclusion(session=session, verdict=_verdict(world, session, Action.ALLOW, None, None))
    made: Correction | None = None
    refused = by_word = False
    if assessment is not None and signals.denial is None:  # what is refused for what it holds was no step anywhere
        refused = denies(assessment, world.policy, named_few=named_few, forced_other=_evades(world))
        not_run = named_few and refused and Action.DENY in moment.actions
        by_word = not_run and _by_word_alone(assessment)
        session, made = _checked(world, assessment, refused=refused, not_run=not_run, seeds=seeds)
        agent = session.agent(event.agent)
    if isinstance(event, PromptGiven) and world.analysis.intent is not None:
        agent = still_wanted(agent, world.analysis.intent.scope)
    if made is not None and was_said(agent, made) and not (refused and Action.DENY in moment.actions):
        made = None
    action = action_for(assessment, moment, refused=refused, made=made is not None)
    if signals.denial is not None:
        return _interrupted(replace_world(world, session, agent), signals, signals.denial, assessment, Action.DENY)
    said = made if action is Action.DENY else None
    if made is not None and said is None:
        agent = enqueue(agent, made)
    if action is not Action.DENY:
        said = due(agent, moment, world.policy)
        if signals.due is not None and outweighs(signals.due, said):
            return _interrupted(replace_world(world, session, agent), signals, signals.due, assessment, Action.INJECT)
        action = Action.INJECT if said is not None else max(action, _quietly(signals.judged))
    if said is not None:
        agent = replace(spoken(agent, said), by_word=by_word and action is Action.DENY)
        agent = _was_refused(agent, said) if action is Action.DENY else agent
    session = put_agent(_counted(session, action), agent)
    verdict = _verdict(world, session, action, assessment, said, signals.judged)
    return Conclusion(session=session, verdict=verdict, offers=_offers(made, said), judged=signals.judged)


def let_pass(world: World, assessment: Assessment | None, judged: tuple[Judged, ...], *, seeds: bool) -> Conclusion:
    """While a person has paused the guard: on record with what was found, and no score, level or word comes of it. What
    was off course still is no part of the work.
    """
    session, agent = world.session, world.agent
    found = assessment is not None and bool(assessment.findings)
    if assessment is not None:
        session = put_agent(session, _remembered(agent, assessment, world, seeds=seeds, unscored=True))
        session = replace(session, paused=session.paused + 1)
    action = max(Action.LOG if found else Action.ALLOW, _quietly(judged))
    verdict = _verdict(world, session, action, assessment, None, judged)
    if assessment is None and not judged:
        return Conclusion(session=session, verdict=verdict)
    would = f"; it would have scored {assessment.score}/10" if assessment is not None and found else ""
    trace = (*verdict.trace, f"{PAUSED}: nothing was said of this, and nothing is held against the agent{would}")
    return Conclusion(session=session, verdict=replace(verdict, score=0, level="none", trace=trace), judged=judged)


def replace_world(world: World, session: Session, agent: AgentState) -> World:
    return replace(world, session=put_agent(session, agent), agent=agent)


def outweighs(pending: Pending, correction: Correction | None) -> bool:
    """A secret before everything, what fires before a correction, what was queued after it."""
    if correction is None or pending.escalates:
        return True
    return pending.disposition == "FIRE" and LEVELS.index(correction.level) < LEVELS.index("intervene")


def _quietly(judged: tuple[Judged, ...]) -> Action:
    """What is on record for signals nobody hears of now."""
    if any(one.state == "waiting" for one in judged):
        return Action.QUEUE
    return Action.LOG if judged else Action.ALLOW


def _interrupted(
    world: World, signals: Signals, pending: Pending, assessment: Assessment | None, action: Action
) -> Conclusion:
    """The answer is an interrupt. Under `observe` it is on record, for a person who watches."""
    from leeboard.judge.correction import for_agent  # noqa: PLC0415 - interrupts are few, hooks pay for imports
    from leeboard.judge.urgency import speak, told_along  # noqa: PLC0415 - as above

    session, agent, event = world.session, world.agent, world.analysis.event
    judged = signals.judged
    if action is not Action.DENY:
        session, agent, one = speak(session, agent, pending)
        agent, along = told_along(agent, pending)
        judged = (*judged, one, *along)
    if world.policy.profile == "observe":
        session = put_agent(session, agent)
        verdict = _verdict(world, session, Action.LOG, assessment, None, judged)
        return Conclusion(session=session, verdict=verdict, judged=judged)
    refusal = _id(session, event) if action is Action.DENY else ""
    words = Correction(
        id=pending.id,
        agent=event.agent,
        turn=agent.turn,
        level="none",
        score=assessment.score if assessment else 0,
        text=for_agent(pending, refusal=refusal, along=signals.along if refusal else ()),
        rules=(pending.finding.rule,),
        paths=(pending.finding.path,) if pending.finding.path else (),
        tool_use_id=_call_id(event),
    )
    session = put_agent(_counted(session, action), replace(agent, spoken_turn=agent.turn))
    verdict = _verdict(world, session, action, assessment, words, judged)
    return Conclusion(session=session, verdict=verdict, judged=judged)


def _was_refused(agent: AgentState, said: Correction) -> AgentState:
    return replace(agent, refused=tuple(dict.fromkeys((*agent.refused, *said.paths)))[-REFUSED_WINDOW:])


def _evades(world: World) -> bool:
    """In FORCED only the forced action and looking around are open."""
    modified = world.analysis.modified
    return world.session.mode == "FORCED" and bool(modified) and world.session.forced not in modified


def _checked(
    world: World, assessment: Assessment, *, refused: bool, not_run: bool, seeds: bool
) -> tuple[Session, Correction | None]:
    """The session after the check, and the correction it calls for. Looking around neither drifts nor recovers."""
    session, agent, event = world.session, world.agent, world.analysis.event
    on_course = assessment.score >= world.policy.speak_below
    if on_course and not refused and not any(touch.modifies for touch in world.analysis.touches):
        return looked_around(session, assessment), None
    if on_course and refused:
        held = replace(assessment, level="halt", diagnostic=_HELD)
        return looked_around(session, held), _correction(session, event, held, world.policy)
    way_out = agent.last_good if len(agent.last_good) <= FORCED_ROOM and assessment.level != "none" else ""
    way_out = way_out if way_out and is_of_goal(way_out, session) else ""
    before = session.escalation
    session = escalated(session, assessment, world.policy, way_out, unheard=agent.unheard)
    agent = _remembered(agent, assessment, world, seeds=seeds)
    if not (not_run and _by_word_alone(assessment)):
        agent = _strayed(agent, assessment, world)
    if session.escalation > before and world.policy.profile != "observe":
        agent = replace(agent, unheard=True)
    session = put_agent(session, agent)
    if assessment.level == "none" and not refused:
        return session, None
    return session, _correction(session, event, assessment, world.policy, not_run=not_run)


def _correction(
    session: Session, event: Event, assessment: Assessment, policy: Policy, *, not_run: bool = False
) -> Correction:
    from leeboard.judge.correction import build  # noqa: PLC0415 - most actions call for none, hooks pay for imports

    refusal = _id(session, event) if not_run else ""
    return build(session, event.agent, assessment, _call_id(event), policy, refusal=refusal)


def _by_word_alone(assessment: Assessment) -> bool:
    from leeboard.judge.correction import by_word_alone  # noqa: PLC0415 - only for what is refused

    return by_word_alone(assessment)


def _call_id(event: Event) -> str:
    return event.call.id if isinstance(event, ToolProposed) else ""


def _remembered(
    agent: AgentState, assessment: Assessment, world: World, *, seeds: bool, unscored: bool = False
) -> AgentState:
    """What has the least doubt about it must not become the evidence for the next step away."""
    event = world.analysis.event
    doubted = tuple(finding.subject for finding in assessment.findings if finding.delta)
    if isinstance(event, ToolProposed):
        calls = tuple(
            replace(call, score=call.score if unscored else assessment.score, aligned=not doubted, seeds=seeds)
            if call.id == event.call.id
            else call
            for call in agent.open_calls
        )
        agent = replace(agent, open_calls=calls)
    return agent


def _strayed(agent: AgentState, assessment: Assessment, world: World) -> AgentState:
    doubted = {finding.subject for finding in assessment.findings if finding.delta}
    strays = tuple(path for path in world.analysis.modified if path in doubted and len(path) <= PATH_ROOM)
    return replace(agent, strays=tuple(dict.fromkeys((*agent.strays, *strays)))[-STRAY_WINDOW:])


def _counted(session: Session, action: Action) -> Session:
    if action not in _SAID:
        return session
    return replace(
        session,
        spoken=session.spoken + 1,
        denied=session.denied + (action is Action.DENY),
    )


def _verdict(
    world: World,
    session: Session,
    action: Action,
    assessment: Assessment | None,
    said: Correction | None,
    judged: tuple[Judged, ...] = (),
) -> Verdict:
    event, agent = world.analysis.event, session.agent(world.analysis.event.agent)
    own = event.call.id if isinstance(event, CALLS) else ""
    plain = Verdict(
        id=_id(session, event),
        session=session.id,
        agent=event.agent,
        turn=agent.turn,
        action=action,
        event=type(event).__name__,
        tool_use_id=own or (said.tool_use_id if said else ""),
    )
    if world.analysis.unread:
        plain = replace(plain, trace=(told_unread(event, world.analysis.unread),))
    if assessment is None and said is None and not judged:
        return plain
    findings = assessment.findings if assessment else ()
    score = assessment.score if assessment else said.score if said else 0
    if isinstance(event, PromptGiven) and said is not None and len(said.paths) > 1:
        score = ratio_score(world.agent.edits_asked, len(said.paths))
    return replace(
        plain,
        score=score,
        level=said.level if said else assessment.level if assessment else "none",
        confidence=assessment.confidence if assessment else said.confidence if said else "high",
        rules=said.rules if said else tuple(dict.fromkeys((*(f.rule for f in findings), *(j.rule for j in judged)))),
        paths=said.paths if said else tuple(dict.fromkeys((*(f.subject for f in findings), *_places(judged)))),
        message=said.text if said else "",
        trace=(*plain.trace, *_trace(session, assessment, world), *_signal_lines(judged)),
    )


def _places(judged: tuple[Judged, ...]) -> tuple[str, ...]:
    return tuple(one.path for one in judged if one.path)


def _signal_lines(judged: tuple[Judged, ...]) -> tuple[str, ...]:
    return tuple(
        f"finding {one.id}, {with_code(one.rule)}, urgency {told_urgency(one.urgency)}, "
        f"{FINDING_STATES[one.state]}: {one.reason}"
        for one in judged
    )


def _trace(session: Session, assessment: Assessment | None, world: World) -> tuple[str, ...]:
    if assessment is None:
        return ()
    evidence = [f"{f.rule} {item.delta:+d}: {item.text}" for f in assessment.findings for item in f.evidence]
    mode = "" if session.mode == "NORMAL" else f", mode {session.mode}"
    if not evidence and not mode:
        return ()
    summary = f"score {assessment.score}, level {assessment.level}, confidence {assessment.confidence}"
    return (*evidence, f"{summary}, escalation {session.escalation}{mode}, profile {world.policy.profile}")


def _offers(made: Correction | None, said: Correction | None) -> tuple[Offer, ...]:
    offers = []
    if made is not None and (said is None or said.id != made.id):
        offers.append(Offer(made, "waiting"))
    if said is not None:
        offers.append(Offer(said, "offered"))
    return tuple(offers)


def _id(session: Session, event: Event) -> str:
    seed = f"{session.id}\x1f{event.agent}\x1f{event.key or session.events}"
    return "v" + digest(seed, 5)


# What is done about an assessment now: deny it, say what waits, or keep it for a better moment.
#
# Muting speech never lifts a denial: a repeat is silent, never permitted. One voice a turn: the worst is said, the rest
# waits. A stop is held up only by what is louder than a nudge.


def denies(assessment: Assessment, policy: Policy, *, named_few: bool, forced_other: bool) -> bool:
    """Whether the policy refuses the action, were there a moment to refuse it."""
    if policy.profile == "observe":
        return False
    if named_few:
        return True
    if policy.profile != "enforce":
        return False
    return forced_other or (assessment.score < policy.deny_below and assessment.confidence == "high")


def action_for(assessment: Assessment | None, moment: Moment, *, refused: bool, made: bool) -> Action:
    """The answer before anything that waits is considered."""
    if refused and Action.DENY in moment.actions:
        return Action.DENY
    if made:
        return Action.QUEUE
    return Action.LOG if assessment is not None and assessment.findings else Action.ALLOW


def was_said(agent: AgentState, correction: Correction) -> bool:
    """Whether all of it was said already, this loud. What names nothing is never the same again."""
    marks = _marks(correction)
    return bool(marks) and marks <= set(agent.said)


def enqueue(agent: AgentState, correction: Correction) -> AgentState:
    """The agent with the correction waiting, unless the same waits already."""
    marks = _marks(correction)
    if any(marks <= _marks(waiting) for waiting in agent.waiting):
        return agent
    return replace(agent, waiting=(*agent.waiting, correction)[-WAITING_WINDOW:])


def due(agent: AgentState, moment: Moment, policy: Policy) -> Correction | None:
    """What is to be said now, if anything."""
    if policy.profile == "observe" or Action.INJECT not in moment.actions or not agent.waiting:
        return None
    waiting = agent.waiting
    if moment.kind == "stop":
        waiting = tuple(correction for correction in waiting if correction.level != "nudge")
    elif not moment.pause and agent.spoken_turn == agent.turn:
        return None
    if not waiting:
        return None
    from leeboard.judge.correction import combine  # noqa: PLC0415 - only where something waits

    return combine(waiting, policy)


def spoken(agent: AgentState, correction: Correction) -> AgentState:
    """The agent after hearing it: nothing that was named in it waits any longer."""
    named = _marks(correction)
    left = tuple(waiting for waiting in agent.waiting if not set(waiting.paths) <= set(correction.paths))
    heard = tuple(dict.fromkeys((*agent.said, *sorted(named))))[-SAID_WINDOW:]
    return replace(
        agent,
        waiting=left,
        said=heard,
        spoken_turn=agent.turn,
        corrected=True,
        unheard=False,
        correction=correction,
        heard="last",
        closing="",
    )


def _marks(correction: Correction) -> set[str]:
    return {f"{correction.level}:{path}" for path in correction.paths}


def still_wanted(agent: AgentState, wanted: Iterable[str]) -> AgentState:
    """Drop what waits about paths the human has asked for since."""
    named = tuple(wanted)
    left = tuple(waiting for waiting in agent.waiting if not all(in_scope(path, named) for path in waiting.paths))
    return replace(agent, waiting=left) if len(left) < len(agent.waiting) else agent
