"""How far the agent is: what a call writes, what it builds on, what it does to the code, whether it pauses."""

from __future__ import annotations

import re
from functools import partial

from msgspec.structs import replace

from leeboard.model.event import CALLS, Event, MessageSaid, SessionEnded, Stopped, ToolCall, ToolFinished, ToolProposed
from leeboard.model.fold import put_agent
from leeboard.model.lookup import NO_FILES, Files
from leeboard.model.session import AgentState, Pending, Session
from leeboard.model.touch import Diff, Diffs, Health, Span
from leeboard.model.verdict import class_of
from leeboard.model.world import Analysis, World
from leeboard.text.language import is_test_path, language_of

SPANS_KEPT = 40


def diffs_now(event: Event, world: World, files: Files) -> Diffs:
    """What the call writes, on top of the files as they are."""
    if not isinstance(event, CALLS) or event.call.action not in {"edit", "write", "bash"}:
        return ()
    done = isinstance(event, ToolFinished)
    if isinstance(event, ToolFinished) and event.outcome != "done":
        return ()
    from leeboard.analysis.patch import diffs_of  # noqa: PLC0415 - only for calls that write

    spelled = partial(world.workspace.spell, cwd=event.cwd)
    diffs = diffs_of(event.call, spelled, files.text, exists=files.exists, done=done)
    return _as_proposed(diffs, event, world) if isinstance(event, ToolFinished) else diffs


def _as_proposed(diffs: Diffs, event: ToolFinished, world: World) -> Diffs:
    """A file written whole: which of its lines are new was seen when it was proposed, or the client tells."""
    known = next((one for one in world.agent.open_calls if one.id == event.call.id), None)
    if event.call.action != "write" or known is None or known.added is None or len(diffs) != 1:
        return diffs
    return (replace(diffs[0], added=known.added, before="" if known.fresh else event.before),)


def progressed(world: World, session: Session, diffs: Diffs, files: Files = NO_FILES) -> World:
    """The world after the event: what the agent writes, builds on, and whether it has come to a pause."""
    analysis, event = world.analysis, world.analysis.event
    agent = session.agent(event.agent)
    if isinstance(event, ToolProposed) and diffs:
        agent = _drafted(agent, event.call, diffs)
        if event.call.action == "bash" and analysis.touches:
            agent = _looked_at(agent, event, world, diffs, files)
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
    from leeboard.speech.rest import is_done_text  # noqa: PLC0415 - only where the agent stops

    return is_done_text(text)


def _drafted(agent: AgentState, call: ToolCall, diffs: Diffs) -> AgentState:
    """The agent with what can only be seen before the call is carried out kept beside the open call."""
    from leeboard.analysis.patch import health_of  # noqa: PLC0415 - only for calls that write

    whole = diffs[0] if call.action == "write" else None
    added = _nearest_joined(whole.added) if whole and whole.before is not None else None
    fresh, health = bool(whole and whole.is_new), health_of(diffs)
    calls = tuple(
        replace(one, added=added, fresh=fresh, health=health) if one.id == call.id else one for one in agent.open_calls
    )
    return replace(agent, open_calls=calls)


def _looked_at(agent: AgentState, event: ToolProposed, world: World, diffs: Diffs, files: Files) -> AgentState:
    from leeboard.analysis.unseen import ids_before  # noqa: PLC0415 - only for lines that write

    before = ids_before(event, world, diffs, files)
    calls = (replace(one, ids_before=before) if one.id == event.call.id else one for one in agent.open_calls)
    return replace(agent, open_calls=tuple(calls)) if before else agent


def _nearest_joined(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """At most so many as are kept, those with the least between them made one."""
    kept = list(spans)
    while len(kept) > SPANS_KEPT:
        at = min(range(len(kept) - 1), key=lambda at: kept[at + 1][0] - kept[at][1])
        kept[at : at + 2] = [(kept[at][0], kept[at + 1][1])]
    return tuple(kept)


def _health(agent: AgentState, call: ToolCall) -> Health:
    return next((one.health for one in agent.open_calls if one.id == call.id), Health())


# How far the agent has gone with what was found: written, built upon, wired into other files.


_REMARKS = ("#", "//", "*", "/*", "--", "<!--")
_LONGEST = 400


def settle(agent: AgentState, diffs: Diffs) -> AgentState:
    """The agent after a call that wrote these: what it builds on is no longer easily taken back."""
    if not diffs or not any(_grows(pending) for pending in agent.pending):
        return agent
    return replace(agent, pending=tuple(_settled(pending, agent, diffs) for pending in agent.pending))


def _grows(pending: Pending) -> bool:
    return pending.finding.signal is not None and class_of(pending.finding.signal.subclass).grows


def _settled(pending: Pending, agent: AgentState, diffs: Diffs) -> Pending:
    signal = pending.finding.signal
    if signal is None or not _grows(pending) or agent.turn <= pending.turn or signal.stage == "PLAN":
        return pending
    uses = [diff for diff in diffs if _builds_on(diff, pending)]
    if not uses:
        return pending
    wired = pending.wired or any(diff.path != pending.finding.path for diff in uses)
    finding = replace(pending.finding, signal=replace(signal, stage="SETTLED"))
    from leeboard.judge.urgency import weigh  # noqa: PLC0415 - only where something waits

    weighed = weigh(finding, wired=wired)
    if weighed.urgency <= pending.urgency:
        return pending
    trace = (*pending.trace, f"turn {agent.turn} builds on it{' from another file' if wired else ''}", *weighed.trace)
    return replace(
        pending,
        finding=finding,
        wired=wired,
        urgency=weighed.urgency,
        disposition=weighed.disposition,
        trace=trace,
    )


def _builds_on(diff: Diff, pending: Pending) -> bool:
    symbol = pending.finding.signal.symbol if pending.finding.signal else ""
    if diff.path == pending.finding.path:
        return True
    if not symbol or not diff.path or not language_of(diff.path) or is_test_path(diff.path):
        return False
    lines = diff.after.split("\n")
    written = (line for start, end in diff.added for line in lines[start - 1 : end])
    name = rf"(?<!\w){re.escape(symbol)}"
    used = re.compile(rf"{name}\s*\(|\b(?:import|require|use|using|from|include)\b.*{name}(?!\w)")
    return any(used.search(line[:_LONGEST]) for line in written if not line.lstrip().startswith(_REMARKS))


# Whether the agent is between two things by now.


_TESTS = frozenset({"pytest", "jest", "vitest", "mocha", "rspec", "phpunit", "ctest", "tox", "nox"})
_TEST_COMMANDS = frozenset({"go test", "cargo test", "npm test", "yarn test", "pnpm test", "dotnet test", "mvn test"})


def lull_after(event: Event, analysis: Analysis, agent: AgentState) -> bool:
    """Whether a complete diff is followed by new plans, a sub-task is said to be done, or tests run."""
    match event:
        case MessageSaid(text=text):
            return agent.lull or agent.wrote or _says_pause(text)
        case ToolProposed():
            return agent.lull if not analysis.modified and not runs_tests(analysis) else runs_tests(analysis)
        case _:
            return agent.lull


def _says_pause(text: str) -> bool:
    from leeboard.speech.rest import is_pause_text  # noqa: PLC0415 - only for messages

    return is_pause_text(text)


def runs_tests(analysis: Analysis) -> bool:
    return any(
        program in _TEST_COMMANDS or program.split(" ", 1)[0] in _TESTS or "pytest" in program
        for program in analysis.programs
    )


def wrote_last(event: Event, analysis: Analysis, agent: AgentState) -> bool:
    """Whether the last call that came back changed a file."""
    if isinstance(event, ToolFinished):
        return event.outcome == "done" and bool(analysis.modified)
    return agent.wrote
