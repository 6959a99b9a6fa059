"""What is extra among the features of a session: announced as such, or beside the ones the user named.

Made once for an event, however many features its call writes: what does not differ between two of them is found out
once.
"""

from __future__ import annotations

from functools import cached_property

from leeboard.code.feature import Unit, words_of
from leeboard.code.requirement import is_asked, is_literal
from leeboard.code.timeline import WINDOW, asked_in
from leeboard.model.lookup import Registry
from leeboard.model.registry import Entry
from leeboard.model.world import World

FLAGS = ("RF-D2", "RF-D3")
_MEANS = frozenset({"setting", "column", "dependency"})
_NAMED = frozenset({"flag", "route"})
"""Kinds that users call by their very names."""


class Extras:
    """The features and the announcements of the main agent's session, as of one event."""

    def __init__(self, world: World, registry: Registry) -> None:
        self._world = world
        self._registry = registry
        self._named: dict[str, bool] = {}

    def said_of(self, unit: Unit) -> Entry | None:
        """The words in which the agent called this an extra, in this turn or the one before."""
        words = unit.words
        return next((flag for flag in self._lately if _speaks_of(flag, words, unit.kind)), None)

    def was_enumerated(self, kind: str) -> bool:
        """Whether the user named features of this kind by their very names, of which at least one was written."""
        if kind not in self._named:
            written = {entry.text for entry in self._written if entry.data == kind} if kind in _NAMED else set()
            self._named[kind] = any(is_literal(self._world, _literal(kind, name)) for name in written)
        return self._named[kind]

    def besides(self, unit: Unit) -> tuple[int, tuple[Entry, ...]]:
        """How many other extras the session has, and the first few of them."""
        key, others = unit.key, self._all
        return len(others) - (key in others), tuple(entry for entry in self._first if entry.key != key)[:5]

    @cached_property
    def _written(self) -> tuple[Entry, ...]:
        return self._registry.newest("feature", WINDOW)

    @cached_property
    def _flags(self) -> dict[int, list[Entry]]:
        """By turn, newest first."""
        by_turn: dict[int, list[Entry]] = {}
        for flag in self._registry.find("flag", FLAGS):
            if not flag.agent:
                by_turn.setdefault(flag.turn, []).append(flag)
        return by_turn

    @cached_property
    def _lately(self) -> tuple[Entry, ...]:
        turn = self._world.agent.turn
        first = max(turn - 1, asked_in(self._registry, ""))
        return tuple(flag for at in range(turn, first - 1, -1) for flag in self._flags.get(at, ()))

    @cached_property
    def _all(self) -> dict[str, Entry]:
        """The distinct features nobody asked for that were announced or beside the point, by key, oldest first."""
        found: dict[str, Entry] = {}
        for entry in reversed(self._written):
            if entry.key not in found and self._is_extra(entry):
                found[entry.key] = entry
        return found

    @cached_property
    def _first(self) -> tuple[Entry, ...]:
        return tuple(self._all.values())[:6]

    def _is_extra(self, entry: Entry) -> bool:
        words = words_of(entry.text)
        if entry.agent or entry.amount or entry.turn > self._world.agent.turn or is_asked(self._world, words):
            return False
        flags = (*self._flags.get(entry.turn, ()), *self._flags.get(entry.turn - 1, ()))
        return any(_speaks_of(flag, words, entry.data) for flag in flags) or self.was_enumerated(entry.data)


def _speaks_of(flag: Entry, words: tuple[str, ...], kind: str) -> bool:
    """A setting, a column or a package is a means, unless the words offer it as a choice."""
    return (kind not in _MEANS or flag.key == "RF-D3") and not set(words).isdisjoint(words_of(flag.text))


def _literal(kind: str, name: str) -> str:
    return f"--{name}" if kind == "flag" else name if kind == "route" and len(name) > 1 else ""
