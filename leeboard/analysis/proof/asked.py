"""Whether the user asked for something in this session: in a goal, or in any other words of theirs."""

from __future__ import annotations

from collections.abc import Iterable

from leeboard.model.lookup import Registry
from leeboard.model.world import World
from leeboard.speech.order import ordered, orders


def asked(world: World, registry: Registry, verbs: Iterable[str], about: Iterable[str] = ()) -> bool:
    """Whether they order one of these verbs on one of these things; without things, on any."""
    verbs, about = tuple(verbs), tuple(about)
    if ordered(world, verbs, about):
        return True
    return any(orders(entry.text, verbs, about) for entry in registry.find("research", ("asked",)) if entry.text)
