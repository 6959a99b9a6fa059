"""What the signals of one event want of this moment: judged, rechecked, and at most one of them to be said."""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.judge.assess import is_allowed
from leeboard.judge.conclude import NO_SIGNALS, Signals
from leeboard.judge.dispatch import SELF_CORRECTED, USER_DIRECTED, drop, due_signals, receive
from leeboard.judge.recheck import Give, still_stands
from leeboard.model.fold import put_agent
from leeboard.model.outcome import Judged
from leeboard.model.session import Pending, Session
from leeboard.model.verdict import Action, Finding, Moment
from leeboard.model.world import World
from leeboard.rule import LoadedRule


def hear(
    world: World, moment: Moment, rules: tuple[LoadedRule, ...], found: tuple[Finding, ...], give: Give
) -> tuple[World, Signals]:
    """The world with the signals judged, and what they want of this moment."""
    event = world.analysis.event
    raised = tuple(_unless_allowed(finding, world) for finding in found if finding.signal is not None)
    if not raised and not world.agent.pending:
        return world, NO_SIGNALS
    deniable = Action.DENY in moment.actions and world.policy.profile != "observe"
    received = receive(world, raised, deniable=deniable)
    session, due, gone = _next_due(replace(world, session=received.session), moment, rules, give)
    judged = (*received.judged, *gone)
    world = replace(world, session=session, agent=session.agent(event.agent))
    if not judged and due is None and received.denial is None:
        return world, NO_SIGNALS
    return world, Signals(judged=judged, denial=received.denial, due=due)


def _unless_allowed(finding: Finding, world: World) -> Finding:
    if finding.signal is None or not is_allowed(finding, world.allowances):
        return finding
    return replace(finding, signal=replace(finding.signal, log_only=USER_DIRECTED))


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
        return "" if still_stands(pending.finding, world, loaded, give) else SELF_CORRECTED
    except Exception as crash:  # noqa: BLE001 - one broken rule must not silence the session
        return f"could not be checked again: {type(crash).__name__}"


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
