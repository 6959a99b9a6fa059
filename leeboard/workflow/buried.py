"""What somebody had put into a tracked file, and a tool wrote over before anybody saw it.

Where the old text is put back over it nothing differs any more, and only the log knows that there was a change: a write
over a state that was neither vouched for nor reached by writes of the agent.
"""

from __future__ import annotations

from leeboard.model.truth import Dispatch, Divergence, EntryType

_WRITES: tuple[EntryType, ...] = ("agent_write", "human_write")
_KNOWN: tuple[EntryType, ...] = ("baseline_acknowledged", "baseline_established")
"""What was written before is known, and accuses nobody any more."""


def buried(divergence: Divergence, dispatch: Dispatch | None = None) -> str:
    """The digest that was written over last; empty where there is none. What is there again goes last."""
    over = _written_over(divergence)
    lost = [sha for sha in over if sha != divergence.sha]
    if over:
        return lost[-1] if lost else divergence.sha
    return _taken_back(divergence, dispatch) if divergence.sha == divergence.vouched else ""


def _written_over(divergence: Divergence) -> list[str]:
    """Since it was acknowledged. A write that did not look accuses nobody."""
    reached = {divergence.vouched}
    over: list[str] = []
    for line in divergence.log:
        if line.entry_type in _KNOWN:
            reached, over = {divergence.vouched, line.sha}, []
        elif line.entry_type in _WRITES and line.before_sha != line.sha:
            if line.before_sha is not None and line.before_sha not in reached:
                over.append(line.before_sha)
            if line.entry_type == "agent_write":
                reached.add(line.sha)
    return over


def _taken_back(divergence: Divergence, dispatch: Dispatch | None) -> str:
    """A change that was shown, and is not there any more. Whoever made it may undo it; an agent has to classify it."""
    found = next((each for each in dispatch.findings if each.path == divergence.path), None) if dispatch else None
    if dispatch is None or found is None:
        return ""
    since = [line for line in divergence.log if line.tick_counter >= dispatch.tick_counter]
    if found.written_over or any(line.entry_type == "agent_write" for line in since):
        return found.lost_sha256 or found.sha
    return ""
