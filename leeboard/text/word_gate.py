"""Which of many words a text may hold at all: a look that costs next to nothing, before anything dear is tried.

Whether a word holds one of them is remembered: most words of a file were met in another one before. What is looked
through anew is what nobody met yet, each word once however often it stands there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from leeboard.model.text import lazy

_MOST = 20_000
"""Words that a gate remembers; it forgets all of them before it takes more."""
_SIGNS = "_+/-"


def _apart(signs: str) -> bytes:
    """A table by which all but letters, digits and these signs becomes blank."""
    return bytes(code if chr(code).isalnum() or chr(code) in signs else ord(" ") for code in range(128)).ljust(256)


_WORDS, _RUNS = _apart("_"), _apart(_SIGNS)


@lru_cache(maxsize=4)
def runs_in(text: str) -> frozenset[str]:
    """Each once, what stands between blanks and other signs: ASCII letters, digits and the signs that keys have too."""
    return frozenset(_split(text.encode("ascii", "replace"), _RUNS))


@lru_cache(maxsize=8)
def words_in(text: str) -> frozenset[str]:
    """Its words of ASCII letters, digits and underscores, each once."""
    return frozenset(_split(" ".join(runs_in(text)).encode(), _WORDS))


def ascii_words(text: bytes) -> list[str]:
    """The same in their order, again where they stand again."""
    return _split(text, _WORDS)


def _split(text: bytes, apart: bytes) -> list[str]:
    return text.translate(apart).decode("ascii").split()


@lru_cache(maxsize=4)
def joined_runs(text: str) -> str:
    """The runs of a text with a blank before and behind each: what is made of their signs stands here or nowhere."""
    return f" {' '.join(runs_in(text))} "


EDGE = "\n"
"""In a part: where a word has to begin or to end."""
_WORD = lazy(r"\w+", re.ASCII)
_TELLING = 3
"""A word of fewer letters begins or ends too many others."""


def parts_of(literal: str) -> tuple[str, ...]:
    """What has to stand in words of a text that holds the literal: its words, as far as they are whole in it."""
    found = sorted(_WORD.finditer(literal), key=lambda word: -len(word[0]))
    kept = [word for place, word in enumerate(found) if place == 0 or len(word[0]) >= _TELLING]
    return tuple(dict.fromkeys(_whole(word) for word in kept))


def _whole(word: re.Match[str]) -> str:
    begins = EDGE if word.start() > 0 else ""
    ends = EDGE if word.end() < len(word.string) else ""
    return f"{begins}{word[0]}{ends}"


class WordGate:
    """Tells which of its parts stand in the words of a text."""

    def __init__(self, parts: Iterable[str], read: Callable[[str], str] = str) -> None:
        """`read`: what of words counts, each sign at its place, as `str.lower` gives it."""
        self._parts = tuple(dict.fromkeys(parts))
        self._read = read
        self._telling: dict[str, list[str]] = {}
        self._idle: set[str] = set()

    def held(self, words: frozenset[str]) -> set[str]:
        """Those that stand in one of the words."""
        found: set[str] = set()
        unknown: list[str] = []
        for word in words - self._idle:
            parts = self._telling.get(word)
            if parts is None:
                unknown.append(word)
            else:
                found.update(parts)
        return found.union(*self._learn(unknown)) if unknown else found

    def _learn(self, words: list[str]) -> Iterable[list[str]]:
        """The parts of each of these words that has some."""
        if len(self._idle) + len(self._telling) > _MOST:
            self._idle, self._telling = set(), {}
        joined = f"{EDGE}{EDGE.join(words)}{EDGE}"
        read = self._read(joined)
        telling: dict[str, list[str]] = {}
        for part in [part for part in self._parts if part in read]:
            for first, last in _words_with(part, read):
                telling.setdefault(joined[first:last], []).append(part)
        self._telling.update(telling)
        self._idle.update(word for word in words if word not in telling)
        return telling.values()


def _words_with(part: str, words: str) -> Iterator[tuple[int, int]]:
    """Where the words begin and end that it stands in, each once."""
    at = words.find(part)
    while at >= 0:
        within = at + part.startswith(EDGE)
        end = words.index(EDGE, within)
        yield words.rindex(EDGE, 0, within) + 1, end
        at = words.find(part, end)
