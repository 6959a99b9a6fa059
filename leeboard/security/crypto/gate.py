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
from leeboard.text.word_gate import WordGate, words_in

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
        return _telling_part(self._words)

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
    words = words_in(text)
    met = (_whole().held(words), _around().held(words))
    if not any(met):
        return ()
    gate = gate_of(text)
    found = [family for family, clues in _clues().items() if gate.has(_met_of(clues, met))]
    if "randomness" in found and not _GUARDED.search(gate.lower):
        found.remove("randomness")
    if "digests" in found and not gate.has(BROKEN_HASHES) and not gate.has(_TABLE.hashed_words):
        found.remove("digests")
    return tuple(found)


@cache
def _whole() -> WordGate:
    """Of all families: what has to stand in a word where the clue stands in the text."""
    return WordGate((_core(clue) for clues in _clues().values() for clue in clues if isinstance(clue, str)), str.lower)


@cache
def _around() -> WordGate:
    """Of all families: words that count only with something around them."""
    placed = (clue[0] for clues in _clues().values() for clue in clues if not isinstance(clue, str))
    return WordGate(placed, lambda words: _telling_part(words.lower()))


def _met_of(clues: tuple[Clue, ...], met: tuple[set[str], set[str]]) -> tuple[Clue, ...]:
    """Those of a family's clues that may be there."""
    whole, around = met
    return tuple([clue for clue in clues if (_core(clue) in whole if isinstance(clue, str) else clue[0] in around)])


@cache
def _core(clue: str) -> str:
    """The longest word in it."""
    found: list[str] = _WORD.findall(clue)
    return max(found, key=len)


def _telling_part(words: str) -> str:
    """Without the parts of ordinary words that mislead; what is left stays at its place."""
    blanked: str = _MISLEADING.sub(lambda found: " " * len(found[0]), words)
    return blanked


@lru_cache(maxsize=512)
def _sorted(
    clues: tuple[Clue, ...],
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, str], ...], tuple[tuple[str, re.Pattern[str]], ...]]:
    """Plain words, those that start one, those with other characters and their longest part, those with a pattern."""
    written = [clue for clue in clues if isinstance(clue, str)]
    whole = [clue for clue in written if _WORD.fullmatch(clue.removeprefix("~"))]
    plain = tuple(word for word in whole if word[0] != "~")
    starting = tuple(word[1:] for word in whole if word[0] == "~")
    cut = tuple((_core(word), word) for word in written if word not in whole)
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
