"""How much of a plan says again what was said before: by sentences, whose words may come in another order.

Sequences of words do not serve: an evident repetition in other words has too few of them in common.
"""

from __future__ import annotations

from collections.abc import Iterable

from leeboard.model.registry import Entry

SAME = 85
"""From 0 to 100: how alike the words of two sentences are to be one."""
_FEWEST_WORDS = 5
"""A shorter sentence is part of many others."""
_SHARED = 0.6


def repeated_share(said: Iterable[Entry], before: Iterable[Entry]) -> tuple[float, tuple[Entry, ...]]:
    """The share of characters in sentences that were said before, and where they were."""
    from rapidfuzz.fuzz import token_set_ratio  # noqa: PLC0415 - for long messages only

    older = [(entry, frozenset(entry.key.split())) for entry in before]
    older = [(entry, words) for entry, words in older if len(words) >= _FEWEST_WORDS]
    total = repeated = 0
    sources: list[Entry] = []
    for sentence in said:
        total += len(sentence.text)
        words = frozenset(sentence.key.split())
        if len(words) < _FEWEST_WORDS:
            continue
        likely = (it for it, known in older if len(words & known) >= _SHARED * max(len(words), len(known)))
        source = next((it for it in likely if token_set_ratio(sentence.key, it.key) >= SAME), None)
        if source is not None:
            repeated += len(sentence.text)
            sources.append(source)
    return (repeated / total if total else 0.0), tuple(sources)
