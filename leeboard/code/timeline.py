"""Questions about what lies between two turns of one agent, answered from the context registry.

Turns are counted by agent, so what another agent did has no place between them: where it matters, it may be anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable

from leeboard.code.words import content_words
from leeboard.model.lookup import Registry
from leeboard.model.registry import Entry

WINDOW = 200
"""Rows of a kind that are looked through."""


def asked_in(registry: Registry, agent: str) -> int:
    """The turn in which the human spoke last; zero where nobody did."""
    return next((entry.turn for entry in registry.find("research", ("asked",)) if entry.agent == agent), 0)


def marked(registry: Registry, agent: str, keys: Iterable[str], first: int, last: int) -> bool:
    """Whether one of these marks lies between two turns, both included."""
    return any(first <= entry.turn <= last for entry in registry.find("research", tuple(keys)) if entry.agent == agent)


def failed_between(registry: Registry, agent: str, first: int, last: int) -> tuple[Entry, ...]:
    """The failures of these turns, newest first."""
    failures = registry.newest("error", WINDOW)
    return tuple(entry for entry in failures if entry.agent == agent and first <= entry.turn <= last)


def names(failure: Entry, path: str) -> bool:
    """Whether a failure is about a file: the call was, or what came back names it."""
    name = path.rsplit("/", 1)[-1]
    return bool(name) and (failure.path == path or name in failure.text)


def flagged(registry: Registry, agent: str, ids: Iterable[str], first: int, last: int) -> tuple[Entry, ...]:
    """The red flags of these turns, newest first."""
    found = registry.find("flag", tuple(ids))
    return tuple(entry for entry in found if entry.agent == agent and first <= entry.turn <= last)


def learned(registry: Registry, agent: str, words: frozenset[str], first: int, last: int) -> str:
    """What could be new information on a subject from turn `first` up to the words of turn `last`; empty: nothing."""
    if marked(registry, agent, ("asked", "forgot"), first, last):
        return "the user spoke, or the context was compacted"
    if failed_between(registry, agent, first, last - 1):
        return "something failed"
    for entry in (*registry.newest("read", WINDOW), *registry.newest("fetched", WINDOW)):
        if entry.agent == agent and first <= entry.turn < last and words & set(content_words(entry.key)):
            return f"{entry.key} was looked at"
    return ""
