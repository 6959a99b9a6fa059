"""What the signals of one event want of this moment: judged, rechecked, and at most one of them to be said."""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.judge.conclude import NO_SIGNALS, Signals
from leeboard.judge.score import is_allowed
from leeboard.judge.urgency import PASSED, SELF_CORRECTED, USER_DIRECTED, Give, drop, due_signals, receive, still_stands
from leeboard.model.fold import put_agent
from leeboard.model.outcome import Judged
from leeboard.model.session import AgentState, Pending, Session
from leeboard.model.verdict import PAUSED, Action, Correction, Finding, Moment
from leeboard.model.world import World
from leeboard.rule import LoadedRule


def judge_signals(
    world: World, moment: Moment, rules: tuple[LoadedRule, ...], found: tuple[Finding, ...], give: Give
) -> tuple[World, Signals]:
    """Fold the findings that carry a signal into the session, and say which of them call for words now."""
    event = world.analysis.event
    raised = tuple(_unless_let_pass(finding, world) for finding in found if finding.signal is not None)
    if not raised and not world.agent.pending:
        return world, NO_SIGNALS
    deniable = Action.DENY in moment.actions and world.policy.profile != "observe"
    received = receive(world, raised, deniable=deniable)
    session, due, judged = received.session, None, received.judged
    if not world.paused:
        session, due, gone = _next_due(replace(world, session=session), moment, rules, give)
        judged = (*judged, *gone)
    world = replace(world, session=session, agent=session.agent(event.agent))
    if not judged and due is None and received.denial is None:
        return world, NO_SIGNALS
    return world, Signals(judged=judged, denial=received.denial, along=received.along, due=due)


def _unless_let_pass(finding: Finding, world: World) -> Finding:
    """What a person has allowed, or has paused the guard for, is on record and no more."""
    if finding.signal is None:
        return finding
    why = USER_DIRECTED if is_allowed(finding, world.allowances) else PAUSED if world.paused else ""
    return replace(finding, signal=replace(finding.signal, log_only=why)) if why else finding


def _is_permitted(finding: Finding, world: World) -> bool:
    """The user has ordered it, or a person has allowed it, since it was found."""
    return finding.fingerprint in world.session.lifted or is_allowed(finding, world.allowances)


def _why_gone(pending: Pending, world: World, loaded: LoadedRule | None, give: Give) -> str:
    """Why it is not said any more; empty while it stands."""
    if _is_permitted(pending.finding, world):
        return USER_DIRECTED
    if loaded is None:
        return "its rule was switched off"
    try:
        if not still_stands(pending.finding, world, loaded, give):
            return SELF_CORRECTED
    except Exception as crash:  # noqa: BLE001 - one broken rule must not silence the session
        return f"could not be checked again: {type(crash).__name__}"
    signal = pending.finding.signal
    return PASSED if signal and signal.passing and pending.turn < world.agent.turn else ""


def _next_due(
    world: World, moment: Moment, rules: tuple[LoadedRule, ...], give: Give
) -> tuple[Session, Pending | None, tuple[Judged, ...]]:
    """The worst that may be said now and still stands; what no longer does is dropped on the way."""
    session, event = world.session, world.analysis.event
    by_id = {loaded.id: loaded for loaded in rules}
    gone: list[Judged] = []
    for pending in due_signals(session, event, moment, world.policy):
        note = _why_gone(pending, world, by_id.get(pending.finding.rule), give)
        if not note:
            return session, pending, tuple(gone)
        session, agent, judged = drop(session, session.agent(event.agent), pending, note)
        session = put_agent(session, agent)
        gone.append(judged)
    return session, None, tuple(gone)


# What waits to be said, asked again.


def still_true(world: World, rules: tuple[LoadedRule, ...], give: Give) -> AgentState:
    """The agent without what waits and holds no more, as far as the rules behind it can tell."""
    spoken_of = {rule for waiting in world.agent.waiting for rule in waiting.rules}
    telling = {loaded.id: loaded for loaded in rules if loaded.id in spoken_of and loaded.holds is not None}
    left = tuple(waiting for waiting in world.agent.waiting if _is_true(waiting, world, telling, give))
    return replace(world.agent, waiting=left) if len(left) < len(world.agent.waiting) else world.agent


def _is_true(waiting: Correction, world: World, telling: dict[str, LoadedRule], give: Give) -> bool:
    if not waiting.paths or not all(rule in telling for rule in waiting.rules):
        return True
    return any(
        still_stands(
            Finding(rule=rule, subject=path, evidence=(), path=path, message=waiting.text), world, telling[rule], give
        )
        for rule in waiting.rules
        for path in waiting.paths
    )
