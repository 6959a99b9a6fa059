"""The distinct words of a text as one short text: to look for a word in it costs a tenth of a look through the text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from leeboard.model.pattern import lazy

Clue = tuple[str, str]
"""The longest word in a literal, and the literal."""

_WORD = lazy(r"\w+", re.ASCII)
_APART = bytes(code if chr(code).isalnum() or code == ord("_") else ord(" ") for code in range(128)).ljust(256)


@lru_cache(maxsize=8)
def vocabulary(text: str) -> str:
    """Its words of ASCII letters, digits and underscores, each once, in any order, with a blank between them."""
    return " ".join(set(text.encode("ascii", "replace").translate(_APART).decode("ascii").split()))


def clues(literals: Iterable[str]) -> tuple[Clue, ...]:
    """Literals, each with the word of it that the vocabulary of a text must hold where the text holds the literal."""
    return tuple((max(_WORD.findall(literal), key=len, default=""), literal) for literal in literals)


def held_of(text: str, wanted: tuple[Clue, ...]) -> list[str]:
    """The literals that may stand in the text: their word does."""
    words = vocabulary(text)
    return [literal for word, literal in wanted if word in words]
