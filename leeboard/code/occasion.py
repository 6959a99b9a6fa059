"""What an action tells besides its paths: whether it creates, deletes, takes back, or edits what nobody read."""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.code.listed import Item, Written, items_of, written
from leeboard.code.names import stem
from leeboard.code.relation import Occasion, Relations, relate, settled
from leeboard.model.event import Event, ToolProposed
from leeboard.model.ledger import Rows
from leeboard.model.world import World

_IN_PLACE = {"sed", "perl", "ruff", "black", "prettier"}
"""Programs that change what is there; what other shell lines write is mostly new."""


def relations_of(world: World, rows: Rows) -> Relations:
    """How each path the action changes is tied to the work; `rows` answers `terms_of` for all of them.

    What the orders list is read only where a path is not settled without it: most are, and a hook process would compile
    a dozen patterns for it.
    """
    occasion = occasion_of(world)
    plain = {path: settled(path, occasion, rows) for path in world.analysis.modified}
    if None in plain.values():
        occasion = with_orders(occasion, world)
    return {path: relation or relate(path, occasion, rows) for path, relation in plain.items()}


def with_orders(occasion: Occasion, world: World) -> Occasion:
    """The occasion with what the orders of the session list."""
    listed = _listed(world)
    return replace(occasion, listed=listed, written=_written(world.analysis.event)) if listed else occasion


def occasion_of(world: World) -> Occasion:
    """The action the world shows, without what the orders list. A change found in the tree counts as the shell's."""
    event, analysis, session = world.analysis.event, world.analysis, world.session
    action = event.call.action if isinstance(event, ToolProposed) else "bash"
    return Occasion(
        contract=world.contract,
        named=(*session.given_scope, *(entry for goal in session.goals for entry in goal.scope)),
        asked=session.goals[-1].keywords if session.goals else (),
        words=_telling_words(world),
        worked=_worked(world),
        shell=action == "bash",
        creates=action == "write" or (action == "bash" and not _IN_PLACE & set(analysis.programs)),
        takes_back=_takes_back(world),
        deletes=tuple(touch.path for touch in analysis.touches if touch.kind == "delete"),
        unread=_must_have_read(world),
        opening=not world.agent.edits,
        forgotten=not world.agent.remembers,
    )


def _listed(world: World) -> tuple[Item, ...]:
    """What the orders of the session list: an older one holds until all of it is done, which nobody can tell."""
    return tuple(item for goal in reversed(world.session.goals) for item in items_of(goal.text, goal.keywords))


def _written(event: Event) -> Written:
    """By the texts of an edit, old and new, or the shell line that writes it."""
    if not isinstance(event, ToolProposed):
        return Written()
    texts = [text for edit in event.call.edits for text in (edit.old, edit.new)]
    return written(texts or [event.call.command], whole=event.call.action == "write")


def _worked(world: World) -> tuple[str, ...]:
    """What only just belongs leads nowhere but to its own test."""
    edited = (mark.path for mark in world.agent.marks if mark.kind == "edit")
    return tuple(dict.fromkeys(stem(path) for path in edited if path not in world.agent.strays))


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
