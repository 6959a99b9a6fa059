"""How far the agent has gone with what was found: written, built upon, wired into other files."""

from __future__ import annotations

import re

from msgspec.structs import replace

from leeboard.code.language import is_test_path, language_of
from leeboard.judge.urgency import weigh
from leeboard.model.diff import Diff, Diffs
from leeboard.model.session import AgentState, Pending
from leeboard.model.signal_class import class_of

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
