"""Values that stand for one: examples, templates, references, stars."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise
from math import log2

import msgspec

from leeboard.data import load
from leeboard.model.text import digest, lazy
from leeboard.secrets.hit import words_of

_TEMPLATE = lazy(
    r"\$\{|\{\{|\$\(|#\{|<%|%>|\{%|%\(\w{1,60}\)|\{[\w.\[\]'\":!,>^<+\-]{0,60}\}|"
    r"%[\d.]{0,4}[sdvqr@](?![A-Za-z0-9])|\$[A-Za-z_][\w.:]{0,60}\Z|"
    r"<[^<>]{1,80}>|\[[A-Za-z][\w \-]{0,60}\]\Z|%[A-Za-z_]\w{0,40}%|@[A-Za-z_]\w{0,40}@|__[A-Z][A-Z_]{2,40}__|"
    r"\*{3,}|\.{3}|\u2026|\u2022|-{5,}|_{4,}|(?i:x{4,}|x{3,}\Z)|\[redacted\]|\\[()]|"
    r"\[[^\[\]]{0,80}(?:a-z|A-Z|0-9)[^\[\]]{0,80}\]"
)
_STANDS_FOR = lazy(
    r"(?i)your?[_\-. ]?|\byour|example|sample|dummy|placeholder|change[_\-]?(?:me|it|this)|changeme|"
    r"replace|insert[_\-]|redacted|"
    r"\bfake|fake[_\-]|\bmock|todo|fixme|tbd\b|lorem|foo[_\-]?bar|<.{0,60}>|my[_\-]?(?:api|secret|pass|"
    r"token|key|access)|"
    r"(?:some|any|put|enter|add|use)[_\-. ]?(?:your|my|a|the|here|secret|pass|token|key|value|random|long|strong)|"
    r"[_\-. ]here\b|not[_\-]?(?:a|set|real|used|needed|secret)|to[_\-]?be[_\-]?|secret[_\-]?(?:key|value|"
    r"token|string|name|id)\b|"
    r"super[_\-]?secret|top[_\-]?secret|(?:api|access|auth|private|client|secret)[_\-]?(?:key|token|secret|id)\Z|"
    r"(?:abc|123|foo|bar|test|secret|pass(?:word)?|token|key)[_\-]?(?:abc|123|foo|bar|test|secret|"
    r"pass(?:word)?|token|key)\Z"
)


class _Placeholders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    mock_words: frozenset[str]
    says_example: tuple[str, ...]
    known_examples: frozenset[str]
    """Digests of the keys that vendors print in their documentation."""


@cache
def _placeholders() -> _Placeholders:
    return load("secrets/placeholders", _Placeholders)


_ROWS = ("abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "9876543210")
_NEIGHBOURS = frozenset(one + other for row in _ROWS for one, other in pairwise(row))
_LOOKED_AT = 600
"""Characters of a value that tell what it is."""
_LEET = str.maketrans("013457@$!", "oleastasi")


def is_placeholder(value: str) -> bool:
    """Whether it only shows where a secret would go."""
    if not value or digest(value) in _placeholders().known_examples:
        return True
    value = value[:_LOOKED_AT]
    if _TEMPLATE.search(value):
        return True
    if is_monotonous(value):
        return True
    if _STANDS_FOR.search(value) and not (
        len(value) >= 24 and is_random(value) and "_" not in value and "-" not in value
    ):
        return True
    lowered = value.lower()
    if "example" in lowered or lowered in _placeholders().mock_words:
        return True
    return ("password" in lowered and not is_random(value)) or is_mock(value)


def is_example(value: str) -> bool:
    """Whether a value in a provider's format says itself, or is known, to be an example."""
    lowered = value.lower()
    return digest(value) in _placeholders().known_examples or any(
        word in lowered for word in _placeholders().says_example
    )


def is_mock(value: str) -> bool:
    """Whether all its words are those of examples and stubs, with some digits at most: `test-token`, `secret123`."""
    words = words_of(value)
    return (
        all(
            word in _placeholders().mock_words or (len(word) < 2 and len(value) < 9 and class_count(value) < 3)
            for word in words
        )
        if words
        else _counts(value)
    )


def is_monotonous(value: str) -> bool:
    """Few different characters, one that is repeated, or a run along the alphabet, the digits or the keyboard."""
    value = value[:_LOOKED_AT]
    lowered = value.lower()
    if len(set(lowered)) <= max(2, min(6, len(value) // 9)):
        return True
    long_run = min(max(5, len(value) // 5 + 1), len(value) // 2 + 1)
    return any(char * long_run in lowered for char in set(lowered)) or _walks(lowered) or _repeats(lowered)


def _walks(lowered: str) -> bool:
    """`0123456789abcdef`, `abcdefgh12345678`, `qwertyuiop`: most neighbours are neighbours on a row."""
    plain = "".join(filter(str.isalnum, lowered))
    steps = sum(map(_NEIGHBOURS.__contains__, map(str.__add__, plain, plain[1:])))
    return len(plain) >= 5 and steps >= 0.7 * (len(plain) - 1)


def _repeats(lowered: str) -> bool:
    """A short piece over and over: `deadbeefdeadbeef`, `abcabcabc`, `testtest`."""
    return any(
        len(lowered) >= 2 * size and (lowered[:size] * (len(lowered) // size + 1))[: len(lowered)] == lowered
        for size in range(1, min(13, len(lowered) // 2 + 1))
    )


def _counts(value: str) -> bool:
    """Without letters: a short number, a version, a date, an address."""
    return len(value) < 6 or value.count(".") >= 2 or "/" in value or ":" in value or is_monotonous(value)


def unleet(value: str) -> str:
    """`P@ssw0rd` as a person reads it."""
    return value.translate(_LEET)


# How a value looks: drawn by chance, a person's password, or words.
#
# Letters are weighed by how usual their runs of three are in words; classes of characters that alternate faster than a
# name's do speak for chance. Entropy alone can not tell: short keys have little of it, prose has a lot.


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
_RANDOMNESS_LOOKED_AT = 400


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
    value = value[:_RANDOMNESS_LOOKED_AT]
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
