"""Values that nobody drew: one character over and over, a run along the alphabet or the keyboard, bytes that count."""

from __future__ import annotations

from itertools import pairwise

from leeboard.model.text import lazy

_ROWS = ("abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "9876543210", "fedcba")
_NEIGHBOURS = frozenset(one + other for row in _ROWS for one, other in pairwise(row))
_HEX = lazy(r"[0-9a-f]+")
_LOOKED_AT = 600
"""Characters of a value that tell what it is."""


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
    if counts_bytes(plain):
        return True
    letters, digits = "".join(filter(str.isalpha, plain)), "".join(filter(str.isdigit, plain))
    if min(len(letters), len(digits)) >= 4 and _walks(letters) and _walks(digits):
        return True  # `a1b2c3d4e5`
    steps = sum(map(_NEIGHBOURS.__contains__, map(str.__add__, plain, plain[1:])))
    return len(plain) >= 5 and steps >= 0.7 * (len(plain) - 1)


def counts_bytes(plain: str) -> bool:
    """`000102030405`: one more from byte to byte."""
    if len(plain) < 16 or len(plain) % 2 or not _HEX.fullmatch(plain):
        return False
    codes = bytes.fromhex(plain)
    return sum(other - one == 1 for one, other in pairwise(codes)) >= 0.7 * (len(codes) - 1)


def _repeats(lowered: str) -> bool:
    """A short piece over and over: `deadbeefdeadbeef`, `abcabcabc`, `testtest`."""
    return any(
        len(lowered) >= 2 * size and (lowered[:size] * (len(lowered) // size + 1))[: len(lowered)] == lowered
        for size in range(1, min(13, len(lowered) // 2 + 1))
    )
