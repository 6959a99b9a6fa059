"""Values that stand for one: examples, templates, references, stars."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import msgspec

from leeboard.data import load
from leeboard.model.pattern import lazy
from leeboard.model.text import digest
from leeboard.secrets.name import words_of
from leeboard.secrets.randomness import class_count, is_random

_TEMPLATE = lazy(
    r"\$\{|\{\{|\$\(|#\{|<%|%>|\{%|%\(\w{1,60}\)|\{[\w.\[\]'\":!,>^<+\-]{0,60}\}|"
    r"%[\d.]{0,4}[sdvqr@](?![A-Za-z0-9])|\$[A-Za-z_][\w.:]{0,60}\Z|"
    r"<[^<>]{1,80}>|\[[A-Za-z][\w \-]{0,60}\]\Z|%[A-Za-z_]\w{0,40}%|@[A-Za-z_]\w{0,40}@|__[A-Z][A-Z_]{2,40}__|"
    r"\*{3,}|\.{3}|\u2026|\u2022|-{5,}|_{4,}|(?i:x{4,}|x{3,}\Z)|\[redacted\]|\\[()]"
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
