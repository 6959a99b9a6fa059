"""Values that look like live secrets, made when they are needed: nothing in the repository looks like one."""

from __future__ import annotations

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def live_key(number: int) -> str:
    """A payment provider's live key; every number gives another."""
    return "_".join(("sk", "live", random_text(24, number)))


def random_text(length: int, number: int, letters: str = _LETTERS) -> str:
    """The same for the same number, and without a pattern."""
    state = (number + 1) * 0x9E3779B97F4A7C15
    found = []
    for _ in range(length):
        state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        found.append(letters[(state >> 33) % len(letters)])
    return "".join(found)
