"""How a value looks: drawn by chance, a person's password, or words.

Letters are weighed by how usual their runs of three are in words; classes of characters that alternate faster than a
name's do speak for chance. Entropy alone can not tell: short keys have little of it, prose has a lot.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise
from math import log2

import msgspec

from leeboard.data import load
from leeboard.model.pattern import lazy


class _Trigrams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How usual each run of three letters is, two bits a run, three runs a character."""

    digits: str
    evidence: tuple[float, ...]
    table: str


@cache
def _trigrams() -> _Trigrams:
    return load("secrets/trigrams", _Trigrams)


@cache
def _worth() -> dict[str, int]:
    return {digit: index for index, digit in enumerate(_trigrams().digits)}


_PIECES = lazy(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_ALTERNATION = lazy(r"[A-Za-z][0-9]|[0-9][A-Za-z]")
_HEX = lazy(r"(?:[0-9a-f]+|[0-9A-F]+)\Z")
_UUID = lazy(r"(?i)\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?\Z")
_CHANCE = -1.0
"""Evidence below this speaks for chance."""
_LOOKED_AT = 400


def entropy(value: str) -> float:
    """Shannon's, in bits for each character."""
    size = len(value)
    return -sum(count / size * log2(count / size) for count in Counter(value).values()) if size else 0.0


def is_hex(value: str) -> bool:
    return bool(_HEX.match(value))


def is_uuid(value: str) -> bool:
    return bool(_UUID.match(value))


def word_evidence(letters: str) -> float:
    """Bits that speak for a word (above zero) or for chance, of plain letters in any case."""
    codes = [ord(letter) - 97 for letter in letters.lower()]
    table, bits, worth = _trigrams().table, _trigrams().evidence, _worth()
    total = 0.0
    for first, second, third in zip(codes, codes[1:], codes[2:], strict=False):
        place, part = divmod((first * 26 + second) * 26 + third, 3)
        total += bits[worth[table[place]] >> (2 * part) & 3]
    return total


def evidence(value: str) -> float:
    """Bits for words (above zero) or for chance (below): of a value's letters, and how its classes alternate."""
    value = value[:_LOOKED_AT]
    pieces = _PIECES.findall(value)
    letters = [piece for piece in pieces if piece[0].isalpha()]
    short = sum(len(piece) < 3 for piece in letters)
    turns = sum(one.isdigit() != other.isdigit() for one, other in pairwise(pieces)) // 2
    alternations = len(_ALTERNATION.findall(value)) + turns
    words = sum(map(word_evidence, letters), 0.0)
    return float(words - 1.2 * max(0, short - 1) - 1.5 * max(0, alternations - 1))


def is_random(value: str) -> bool:
    """Whether chance is the better explanation of at least six characters."""
    if len(value) < 6:
        return False
    if is_hex(value):
        return len(value) >= 16 and entropy(value) > 2.7 and not value.isdigit()
    return evidence(value) < _CHANCE


def is_strong(value: str) -> bool:
    """Random, long enough for its alphabet to be a generated key."""
    if is_hex(value):
        return len(value) >= 32 and entropy(value) > 3.0
    return len(value) >= 20 and entropy(value) > 3.7 and is_random(value)


def class_count(value: str) -> int:
    """How many of lower case, upper case, digits and signs it mixes."""
    signs = any(not char.isalnum() and not char.isspace() for char in value)
    return sum((any(map(str.islower, value)), any(map(str.isupper, value)), any(map(str.isdigit, value)), signs))
