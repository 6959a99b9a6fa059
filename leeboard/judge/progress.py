"""How far the agent is: what a call writes, what it builds on, what it does to the code, whether it pauses."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from leeboard.judge.commitment import settle
from leeboard.judge.pause import lull_after, wrote_last
from leeboard.model.diff import Diffs, Span
from leeboard.model.event import Event, SessionEnded, Stopped, ToolCall, ToolFinished, ToolProposed
from leeboard.model.fold import put_agent
from leeboard.model.health import Health
from leeboard.model.lookup import Files
from leeboard.model.session import AgentState, Session
from leeboard.model.world import World

SPANS_KEPT = 40


def diffs_now(event: Event, world: World, files: Files) -> Diffs:
    """What the call writes, on top of the files as they are."""
    if not isinstance(event, ToolProposed | ToolFinished) or event.call.action not in {"edit", "write", "bash"}:
        return ()
    done = isinstance(event, ToolFinished)
    if isinstance(event, ToolFinished) and event.outcome != "done":
        return ()
    from leeboard.code.patch import diffs_of  # noqa: PLC0415 - only for calls that write

    spelled = partial(world.workspace.spell, cwd=event.cwd)
    diffs = diffs_of(event.call, spelled, files.text, exists=files.exists, done=done)
    return _as_proposed(diffs, event.call, world) if done else diffs


def _as_proposed(diffs: Diffs, call: ToolCall, world: World) -> Diffs:
    """A file written whole: which of its lines are new was seen when it was proposed."""
    known = next((one for one in world.agent.open_calls if one.id == call.id), None)
    if call.action != "write" or known is None or known.added is None or len(diffs) != 1:
        return diffs
    return (replace(diffs[0], added=known.added, before="" if known.fresh else None),)


def progressed(world: World, session: Session, diffs: Diffs) -> World:
    """The world after the event: what the agent writes, builds on, and whether it has come to a pause."""
    analysis, event = world.analysis, world.analysis.event
    agent = session.agent(event.agent)
    if isinstance(event, ToolProposed) and diffs:
        agent = _drafted(agent, event.call, diffs)
    elif isinstance(event, ToolFinished) and diffs:
        session = replace(session, health=session.health.plus(_health(world.agent, event.call)))
        agent = settle(agent, diffs)
    lull, wrote = lull_after(event, analysis, agent), wrote_last(event, analysis, agent)
    if lull != agent.lull or wrote != agent.wrote:
        agent = replace(agent, lull=lull, wrote=wrote)
    if isinstance(event, SessionEnded) or (isinstance(event, Stopped) and _says_done(event.text or agent.last_text)):
        session = replace(session, finished=max(1, session.turns))
    if agent is not session.agent(event.agent):
        session = put_agent(session, agent)
    return replace(world, session=session, agent=agent)


def _says_done(text: str) -> bool:
    from leeboard.code.pause import is_done_text  # noqa: PLC0415 - only where the agent stops

    return is_done_text(text)


def _drafted(agent: AgentState, call: ToolCall, diffs: Diffs) -> AgentState:
    """The agent with what can only be seen before the call is carried out kept beside the open call."""
    from leeboard.code.health import health_of  # noqa: PLC0415 - only for calls that write

    whole = diffs[0] if call.action == "write" else None
    added = _nearest_joined(whole.added) if whole and whole.before is not None else None
    fresh, health = bool(whole and whole.is_new), health_of(diffs)
    calls = tuple(
        replace(one, added=added, fresh=fresh, health=health) if one.id == call.id else one for one in agent.open_calls
    )
    return replace(agent, open_calls=calls)


def _nearest_joined(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """At most so many as are kept, those with the least between them made one."""
    kept = list(spans)
    while len(kept) > SPANS_KEPT:
        at = min(range(len(kept) - 1), key=lambda at: kept[at + 1][0] - kept[at][1])
        kept[at : at + 2] = [(kept[at][0], kept[at + 1][1])]
    return tuple(kept)


def _health(agent: AgentState, call: ToolCall) -> Health:
    return next((one.health for one in agent.open_calls if one.id == call.id), Health())
