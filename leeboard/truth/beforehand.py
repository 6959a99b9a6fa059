"""Before a call changes files: which of them are not as the agents of the session knew them already.

What the call then leaves of them is not its doing alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from leeboard.model.event import ToolFinished, ToolProposed
from leeboard.model.known import OVERWRITTEN, Knowledge, Known
from leeboard.model.world import World
from leeboard.truth.cause import left_so_by, own_call
from leeboard.truth.change import changed_file
from leeboard.truth.state import state_of

MOST_FILES = 1_000


def noticed(world: World, knowledge: Knowledge) -> tuple[Known, ...]:
    """The rows of agents whose files somebody else has changed before a call of this one may change them too."""
    event = world.analysis.event
    if not isinstance(event, ToolProposed) or not event.is_live or not world.secret_key:
        return ()
    found = []
    for light in _concerned(event, world, knowledge):
        marked = _marked(light, world, knowledge)
        known = knowledge.known(light.agent, light.path) if marked != light else None
        found += [replace(known, stale=marked.stale, beside=marked.beside)] if known else []
    return tuple(found)


def overwritten(world: World, event: ToolFinished, knowledge: Knowledge) -> Iterator[Known]:
    """Rows of other agents, where what a call was written over is nothing that any of the session had left there."""
    paths = [touch.path for touch in world.analysis.touches if touch.modifies]
    if event.before is None or len(paths) != 1:
        return
    before = state_of(event.before, world.secret_key).digest
    for known in _of_others(paths[0], event.agent, world, knowledge):
        if known.digest != before and not _is_of_session(known, before, knowledge):
            yield replace(known, beside=OVERWRITTEN)


def _concerned(event: ToolProposed, world: World, knowledge: Knowledge) -> Iterator[Known]:
    if world.analysis.unsure:
        alone = all(state.id == event.agent for state in world.session.agents)
        yield from knowledge.newest_known(MOST_FILES, event.agent if alone else None)
        return
    for path in dict.fromkeys(touch.path for touch in world.analysis.touches if touch.modifies):
        yield from _of_others(path, event.agent, world, knowledge)


def _of_others(path: str, agent: str, world: World, knowledge: Knowledge) -> Iterator[Known]:
    others = (state.id for state in world.session.agents if state.id != agent)
    yield from filter(None, (knowledge.known(other, path) for other in others))


def _marked(known: Known, world: World, knowledge: Knowledge) -> Known:
    changed = changed_file(known, knowledge, world.secret_key)
    if known.agent == world.analysis.event.agent:
        stale = changed is not None and (known.stale or own_call(changed, world) is None)
        return replace(known, stale=stale) if stale != known.stale else known
    if changed is None:
        return replace(known, beside="") if known.beside == OVERWRITTEN else known
    if known.beside == OVERWRITTEN or _is_of_session(known, changed.now.digest, knowledge):
        return known
    return replace(known, beside=OVERWRITTEN)


def _is_of_session(known: Known, digest: str, knowledge: Knowledge) -> bool:
    return any(one.session == known.session for one in left_so_by(known, digest, knowledge))
