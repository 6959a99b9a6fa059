"""Files that are again as an agent knew them after its command ran, though somebody had changed them before.

What was done to them in between is lost, and to who compares the files alone it looks as if nothing had happened.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.code.known.compare import changed_file, is_moving
from leeboard.code.known.sweep import sweeps_of
from leeboard.code.shell_effects import shell_effects
from leeboard.model.event import ToolFinished
from leeboard.model.known import Knowledge, Known
from leeboard.model.verdict import TOLD, Evidence, Finding
from leeboard.model.world import World

RULE = "changed_underneath"
_MARK = "back:"
"""Stands for the digest of a change that the agent is told of."""


def found_undone(
    event: ToolFinished, world: World, knowledge: Knowledge, stale: tuple[Known, ...]
) -> Iterator[Finding]:
    """`stale`: what had been changed by somebody else before the command ran."""
    sweeps = tuple(sweeps_of(shell_effects(event.call.command, event.cwd), event.call.command, world.workspace))
    named = {touch.path for touch in world.analysis.touches if touch.modifies}
    for known in stale:
        if known.path in named or any(one.reaches(known.path) for one in sweeps):
            continue  # this was said before it ran
        stamp = knowledge.disk.look(known.path) if knowledge.disk else None
        mark = f"{_MARK}{stamp[1] if stamp else 0}"
        if stamp is None or not known.digest or known.told == mark or is_moving(known.path, knowledge.disk):
            continue
        if changed_file(known, knowledge, world.secret_key) is None:
            yield _undone(known, mark, " ".join(world.analysis.programs[:1]) or event.call.tool)


def _undone(known: Known, mark: str, ran: str) -> Finding:
    words = f"Somebody's change of {known.path} is gone again: it is as you knew it. Your own `{ran}` ran at that time."
    return Finding(
        rule=RULE,
        subject=f"{known.path}@{mark}",
        evidence=(Evidence(words, TOLD),),
        path=known.path,
        message=words,
        remedy="tell the user, who may have lost work",
    )
