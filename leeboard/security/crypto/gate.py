"""Which families of signatures may hit a text at all: a cheap look, so that ordinary files cost next to nothing.

A clue is a word in lower case, or one with what must stand around it. `~` before a word: no letter may stand there.
"""

from __future__ import annotations

import re
from functools import cache, cached_property, lru_cache

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy
from leeboard.text.names import vocabulary
from leeboard.text.word_gate import WordGate, parts_of, words_in

Clue = str | tuple[str, re.Pattern[str]]
_MOST_PLACES, _BEFORE, _BEHIND = 200, 60, 100
_WORD = lazy(r"\w+")


class _Family(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: tuple[str, ...] = ()
    placed: dict[str, tuple[str, ...]] = {}
    """By the pattern that must be found around them."""


class _Gates(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    broken_hashes: tuple[str, ...]
    hashed_words: tuple[str, ...]
    guarded: tuple[str, ...]
    misleading: tuple[str, ...]
    patterns: dict[str, tuple[str, ...]]
    families: dict[str, _Family]


_TABLE = load("crypto/gate", _Gates)
BROKEN_HASHES = _TABLE.broken_hashes
_GUARDED, _MISLEADING = lazy("|".join(_TABLE.guarded)), lazy("|".join(_TABLE.misleading))


@cache
def _clues() -> dict[str, tuple[Clue, ...]]:
    """By family."""
    patterns = {name: lazy("|".join(alternatives)) for name, alternatives in _TABLE.patterns.items()}
    placed = {
        name: [(word, patterns[of]) for of, words in family.placed.items() for word in words]
        for name, family in _TABLE.families.items()
    }
    return {name: (*placed[name], *family.words) for name, family in _TABLE.families.items()}


class Gate:
    """One text. Most clues are looked for among its distinct words: those are a small part of it."""

    def __init__(self, text: str) -> None:
        self.lower = text.lower()
        self._words = vocabulary(text).lower()

    @cached_property
    def _telling(self) -> str:
        told: str = _MISLEADING.sub(" ", self._words)
        return told

    def has(self, clues: tuple[Clue, ...]) -> bool:
        """Whether one of these is there."""
        plain, starting, cut, placed = _sorted(clues)
        words = self._words
        for word in plain:
            if word in words:
                return True
        for word in starting:
            if word in words and _starts(words, word):
                return True
        for core, word in cut:
            if core in words and self._stands(word):
                return True
        telling = self._telling
        return any(_stands_in(self.lower, word, pattern) for word, pattern in placed if word in telling)

    def names(self, name: str) -> bool:
        """Whether something may be called by this name (lower case): it is one of its words, or a part of one."""
        return name in self._words

    def _stands(self, word: str) -> bool:
        return _starts(self.lower, word[1:]) if word[0] == "~" else word in self.lower


@lru_cache(maxsize=4)
def gate_of(text: str) -> Gate:
    return Gate(text)


@lru_cache(maxsize=4)
def families_of(text: str) -> tuple[str, ...]:
    """The families that may hit; none for most files."""
    met = _cores().held(words_in(text))
    if not met:
        return ()
    gate = gate_of(text)
    found = [
        family
        for family, clues in _by_core().items()
        if any(gate.has((clue,)) for core in met & clues.keys() for clue in clues[core])
    ]
    if "randomness" in found and not _GUARDED.search(gate.lower):
        found.remove("randomness")
    if "digests" in found and not gate.has(BROKEN_HASHES) and not gate.has(_TABLE.hashed_words):
        found.remove("digests")
    return tuple(found)


@cache
def _cores() -> WordGate:
    """Of the clues of all families: what has to stand in a word where the clue stands in the text."""
    return WordGate((core for clues in _by_core().values() for core in clues), str.lower)


@cache
def _by_core() -> dict[str, dict[str, list[Clue]]]:
    """The clues of each family by the longest word in them."""
    found: dict[str, dict[str, list[Clue]]] = {}
    for family, clues in _clues().items():
        of_family = found.setdefault(family, {})
        for clue in clues:
            word = clue if isinstance(clue, str) else clue[0]
            of_family.setdefault(parts_of(word.removeprefix("~"))[0], []).append(clue)
    return found


@lru_cache(maxsize=512)
def _sorted(
    clues: tuple[Clue, ...],
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, str], ...], tuple[tuple[str, re.Pattern[str]], ...]]:
    """Plain words, those that start one, those with other characters and their longest part, those with a pattern."""
    written = [clue for clue in clues if isinstance(clue, str)]
    whole = [clue for clue in written if _WORD.fullmatch(clue.removeprefix("~"))]
    plain = tuple(word for word in whole if word[0] != "~")
    starting = tuple(word[1:] for word in whole if word[0] == "~")
    cut = tuple((max(_WORD.findall(word), key=len), word) for word in written if word not in whole)
    return plain, starting, cut, tuple(clue for clue in clues if isinstance(clue, tuple))


def _starts(text: str, word: str) -> bool:
    """Whether it stands somewhere without a letter before it."""
    at = text.find(word)
    while at > 0 and text[at - 1].isalpha():
        at = text.find(word, at + 1)
    return at >= 0


def _stands_in(lower: str, word: str, pattern: re.Pattern[str]) -> bool:
    """Whether the pattern is found around one of the places where the word stands; yes where they are too many."""
    at = lower.find(word)
    for _ in range(_MOST_PLACES):
        if at < 0:
            return False
        if pattern.search(lower, max(0, at - _BEFORE), at + _BEHIND):
            return True
        at = lower.find(word, at + _BEHIND // 2)
    return True
