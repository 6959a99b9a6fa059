"""Who made a divergence, as far as the action log can tell, and whether it explains all of it.

A write of the agent is taken silently only where every step from what was acknowledged to what is there now is one of
its writes. Where the chain breaks somebody's change lies beneath, and it is told, whoever wrote last.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

import msgspec

from leeboard.model.truth import AuthorClass, Divergence, EntryType, LogEntry

_OF_PATHS: tuple[EntryType, ...] = ("human_write", "agent_write", "baseline_acknowledged")


class Explained(msgspec.Struct, frozen=True, kw_only=True):
    """What the log makes of one divergence."""

    author: AuthorClass = "human-implicit"
    absorbed: bool = False
    """The agent's own work from the first step to the last: nobody has to hear of it."""

    @property
    def written_over(self) -> bool:
        return self.author == "agent" and not self.absorbed


def explain(divergence: Divergence, starts: Collection[str]) -> Explained:
    """`starts` are the digests somebody vouched for. What the agent took away and put back is not its own."""
    lines = _lines(divergence) if divergence.sha in starts else _since(divergence, starts)
    matching = [at for at, line in enumerate(lines) if line.sha == divergence.sha]
    if not matching:
        return Explained()
    author = _author(lines[: matching[-1] + 1], divergence.sha)
    if author == "agent" and divergence.buried == divergence.sha:
        author = "human-implicit"
    is_whole = matching[-1] == len(lines) - 1 and _is_agents_chain(lines, starts)
    return Explained(author=author, absorbed=author == "agent" and is_whole and not divergence.buried)


def _lines(divergence: Divergence) -> list[LogEntry]:
    return [line for line in divergence.log if line.entry_type in _OF_PATHS]


def _since(divergence: Divergence, starts: Collection[str]) -> list[LogEntry]:
    """What was written after the last state that was vouched for. A write that changed nothing says nothing."""
    lines = _lines(divergence)
    ends = (at + 1 for at, line in enumerate(lines) if line.sha in starts)
    begins = (at for at, line in enumerate(lines) if line.before_sha in starts)
    first = max((*ends, *begins), default=None)
    if first is None:
        tick = divergence.entry.acknowledged_tick if divergence.entry else 0
        lines = [line for line in lines if line.tick_counter >= tick]
    else:
        lines = lines[first:]
    return [line for line in lines if line.entry_type != "agent_write" or line.before_sha != line.sha]


def _author(lines: Sequence[LogEntry], sha: str) -> AuthorClass:
    """The newest write of this digest decides; a person who wrote the same just before it goes first."""
    for line in reversed(lines):
        if line.sha != sha:
            break
        if line.entry_type == "human_write":
            return "human-via-mcp"
    return "agent" if lines[-1].entry_type == "agent_write" else lines[-1].author_class


def _is_agents_chain(lines: Sequence[LogEntry], starts: Collection[str]) -> bool:
    """A write that did not look what it wrote over is a link."""
    links = [(lines[0].before_sha, starts), *((line.before_sha, (before.sha,)) for before, line in pairwise(lines))]
    return all(line.entry_type == "agent_write" for line in lines) and all(
        before is None or before in allowed for before, allowed in links
    )
