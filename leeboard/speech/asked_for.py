"""Whether the user asked for something that can not be taken back, in so many words: then it is theirs to lose."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import msgspec

from leeboard.data import load
from leeboard.model.world import World
from leeboard.speech.order import named, ordered, says


class Asking(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The words for one kind of thing; see `leeboard/data/speech/asked_for.toml`."""

    verbs: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    phrase: str = ""
    by_name: bool = False
    """It has a name, and only an order that speaks of that asks for it."""
    by_mention: bool = False
    """Naming it is enough."""


class _AskedFor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kinds: dict[str, Asking]


def is_asked_for(world: World, kind: str, names: Iterable[str] = ()) -> bool:
    """`names` are what a person would call it by: paths, branches, tables."""
    asking = _askings()[kind]
    if asking.phrase and says(world, asking.phrase):
        return True
    names = tuple(names)
    called = [part for name in names for part in (name, name.rstrip("/").rsplit("/", 1)[-1]) if part]
    if asking.by_mention and named(world, names):
        return True
    if asking.by_name and not called:
        return False
    return ordered(world, asking.verbs, called if asking.by_name else (*asking.about, *called))


@lru_cache(maxsize=1)
def _askings() -> dict[str, Asking]:
    return load("speech/asked_for", _AskedFor).kinds
