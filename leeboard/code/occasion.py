"""What an action tells besides its paths: whether it creates, deletes, takes back, or edits what nobody read."""

from __future__ import annotations

from leeboard.code.relation import Occasion
from leeboard.model.event import ToolProposed
from leeboard.model.world import World

_IN_PLACE = {"sed", "perl", "ruff", "black", "prettier"}
"""Programs that change what is there; what other shell lines write is mostly new."""


def occasion_of(world: World) -> Occasion:
    """The occasion of the action the world shows. A change found in the tree counts as the shell's."""
    event, analysis, session = world.analysis.event, world.analysis, world.session
    action = event.call.action if isinstance(event, ToolProposed) else "bash"
    return Occasion(
        contract=world.contract,
        named=(*session.given_scope, *(entry for goal in session.goals for entry in goal.scope)),
        asked=session.goals[-1].keywords if session.goals else (),
        words=_telling_words(world),
        shell=action == "bash",
        creates=action == "write" or (action == "bash" and not _IN_PLACE & set(analysis.programs)),
        takes_back=_takes_back(world),
        deletes=tuple(touch.path for touch in analysis.touches if touch.kind == "delete"),
        unread=_must_have_read(world),
        opening=not world.agent.edits,
        forgotten=not world.agent.remembers,
    )


def _takes_back(world: World) -> tuple[str, ...]:
    """Paths on which this very edit is the undoing of an earlier one: the way back is never astray."""
    own = world.analysis.digest
    return tuple(mark.path for mark in world.agent.marks if own and mark.reverse == own != mark.digest)


def _telling_words(world: World) -> tuple[str, ...]:
    """The edit's identifiers but for the project's own name, which stands everywhere."""
    name = world.workspace.root.rsplit("/", 1)[-1].lower()
    project = {name, *name.replace("_", "-").split("-")}
    return tuple(word for word in world.analysis.words if word.lower() not in project)


def _must_have_read(world: World) -> bool:
    """The client lets nobody edit in place what was not read; where reads are not shown to us this says nothing."""
    event = world.analysis.event
    in_place = isinstance(event, ToolProposed) and event.call.tool.lower() in {"edit", "multiedit", "notebookedit"}
    return in_place and world.session.reads > 0
