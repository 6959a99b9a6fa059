"""How long an agent has been looking around since it last built something, and where it looked.

A turn of research looks at files, searches or pages, writes nothing and runs nothing. Calls inside one turn count once.
A stretch ends where something was written, run or failed, where the user spoke and where a part of the work was done.
"""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from leeboard.code.names import path_words
from leeboard.code.relation import in_scope
from leeboard.code.timeline import asked_in
from leeboard.code.words import content_words, stem
from leeboard.model import folder
from leeboard.model.lookup import Registry
from leeboard.model.pattern import lazy
from leeboard.model.registry import Entry, Kind
from leeboard.model.workspace import is_inside
from leeboard.model.world import World

_WINDOW = 80
"""Rows of a kind that are looked through: several looks in each of many turns."""
_QUIET = 2
"""Turns without any call that a stretch may hold."""
_DOCUMENT = lazy(r"\.(?:md|mdx|rst|adoc)$", re.IGNORECASE)
_WEB = ("http://", "https://", "web: ")


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """Turns of research in a row, newest last."""

    turns: tuple[int, ...] = ()
    looks: tuple[Entry, ...] = ()
    after_failure: bool = False
    """Something failed right before: this is debugging."""
    after_rest: bool = False
    """A part of the work was done right before: this is the first look at the next."""
    built: bool = False
    """Something was written before it, since the user spoke last."""

    @property
    def start(self) -> int:
        return self.turns[0] if self.turns else 0


def stretch_at(registry: Registry, agent: str, turn: int, first: int) -> Stretch:
    """The stretch that ends with `turn`; nothing before turn `first` counts."""
    seen = (*_rows(registry, "read", agent), *_rows(registry, "fetched", agent))
    looks = [entry for entry in seen if entry.turn <= turn]
    if not any(entry.turn == turn for entry in looks):
        return Stretch()
    asked = asked_in(registry, agent)
    changes = {entry.turn for entry in _rows(registry, "change", agent) if entry.turn > asked}
    failures = {entry.turn for entry in _rows(registry, "error", agent)}
    marks = {entry.turn: entry.key for entry in _rows(registry, "research", agent) if entry.key != "asked"}
    ends = {*changes, *failures, *marks}
    looked = {entry.turn for entry in looks}
    turns, at, quiet = [], turn, 0
    while at >= max(first, asked + 1) and at not in ends and quiet <= _QUIET:
        quiet = 0 if at in looked else quiet + 1
        if at in looked:
            turns.append(at)
        at -= 1
    chosen = tuple(reversed(turns))
    return Stretch(
        turns=chosen,
        looks=tuple(entry for entry in looks if entry.turn in set(chosen)),
        after_failure=at in failures,
        after_rest=marks.get(at) in {"rested", "forgot"},
        built=any(change < (chosen[0] if chosen else 0) for change in changes),
    )


def _rows(registry: Registry, kind: Kind, agent: str) -> list[Entry]:
    return [entry for entry in registry.newest(kind, _WINDOW) if entry.agent == agent]


def lies_outside(look: Entry, world: World, worked_in: frozenset[str], *, exploring: bool = False) -> bool | None:
    """Whether a look leaves the work. None: nobody can tell.

    Pages, documents and packages do. Other code of the project may be needed for the next change; it leaves the work
    where the agent says that it is `exploring`.
    """
    if look.key.startswith(_WEB):
        return not _is_about_the_work(content_words(look.key.partition(":")[2]), world, worked_in)
    if look.kind != "read":
        return None
    path = look.path
    if path.rpartition("/")[0] in worked_in or in_scope(path, world.contract.scope) or _is_spoken_of(path, world):
        return False
    if exploring or not is_inside(path) or _DOCUMENT.search(path):
        return True
    return True if folder.lies_in(path, "reference", any_case=True) else None


def has_ended(registry: Registry, agent: str, turn: int) -> bool:
    """Whether this turn does more than look."""
    done = (*_rows(registry, "change", agent), *_rows(registry, "error", agent), *_rows(registry, "research", agent))
    return any(entry.turn >= turn for entry in done)


def _is_about_the_work(words: tuple[str, ...], world: World, worked_in: frozenset[str]) -> bool:
    """Whether a page shares a word with what the user said or with the folders of the work."""
    places = {stem(word) for folder in worked_in for word in path_words(f"{folder}/x")}
    wanted = _wanted(world)
    return any(word in places or word in wanted for word in words)


def _is_spoken_of(path: str, world: World) -> bool:
    """Whether the user's words name it or what it is about."""
    named = any(path.rsplit("/", 1)[-1].lower() in goal.text.lower() for goal in world.session.goals)
    wanted = _wanted(world)
    return named or any(stem(word) in wanted for word in path_words(path))


def _wanted(world: World) -> frozenset[str]:
    return _words_wanted(tuple(goal.text for goal in world.session.goals), world.contract.keywords)


@lru_cache(maxsize=32)
def _words_wanted(goals: tuple[str, ...], keywords: tuple[str, ...]) -> frozenset[str]:
    """Asked for every look of a session, whose goals change with a prompt."""
    return frozenset(stem(word) for word in (*keywords, *(word for goal in goals for word in content_words(goal))))
