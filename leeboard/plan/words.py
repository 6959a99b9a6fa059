"""The words of the workflow, explained where somebody meets them for the first time."""

from __future__ import annotations

import msgspec

from leeboard.data import load


class _Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: dict[str, str]
    first: dict[str, tuple[str, ...]]


_TABLE = load("plan/words", _Words)
WORDS = _TABLE.words
"""Each with its explanation."""


def explained(*words: str) -> str:
    """The words of the workflow with what they mean, for somebody who meets them for the first time."""
    return "; ".join(f"{word}: {WORDS[word]}" for word in words)


def new_words(action: str) -> tuple[str, ...]:
    """Those that appear for the first time with an action."""
    return _TABLE.first.get(action, ())
