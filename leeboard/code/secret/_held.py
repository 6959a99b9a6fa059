"""Which of many keywords a text holds at all: most hold few, and each look through a long text costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from leeboard.code.vocabulary import vocabulary

_SHORT = 2_000
"""A text of this size is looked through sooner than its words are told apart."""
_LIKE_ASCII = ("\u0130", "\u212a")
"""Letters beyond ASCII that become ASCII ones in lower case."""


def held(keywords: Iterable[str], text: str, lowered: str) -> tuple[str, ...]:
    """Those of these keywords, letters in lower case, that stand in the text; `lowered` is the text in lower case."""
    if len(text) <= _SHORT or any(letter in text for letter in _LIKE_ASCII):
        words = lowered
    else:
        words = vocabulary(text).lower()
    return tuple([word for word in keywords if word in words])


def occurrences(lowered: str, stems: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Where each of them stands, and how long it is."""
    for stem in stems:
        at = lowered.find(stem)
        while at >= 0:
            yield at, len(stem)
            at = lowered.find(stem, at + len(stem))
