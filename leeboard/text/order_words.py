"""The words without which no text orders an agent to do something: one pass over bytes, whatever script it is in."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from leeboard.data import load


class _OrderWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    telling: tuple[str, ...]
    """One of these is in every text that orders an agent in plain letters."""
    others: tuple[str, ...]
    """What else a phrase of the table `verify/planted` needs."""


@lru_cache(maxsize=1)
def looked_for() -> tuple[frozenset[bytes], frozenset[bytes]]:
    """The words of which every text that gives an order has one, and those with all others that its phrases need."""
    table = load("verify/order_words", _OrderWords)
    telling = frozenset(map(str.encode, table.telling))
    return telling, telling.union(map(str.encode, table.others))


_LETTERS = bytes(code if chr(code).isascii() and chr(code).isalpha() else 0x20 for code in range(256)).lower()
"""Letters in lower case, and all else made blanks."""


@lru_cache(maxsize=1)
def order_words(text: str) -> frozenset[bytes]:
    """Those of the words that are there: English ones, so that a text in another script can be made short first."""
    return looked_for()[1].intersection(text.encode("ascii", "replace").translate(_LETTERS).split())


@lru_cache(maxsize=1)
def hides_letters(text: str) -> bool:
    """Whether it has letters of the tag block, which spell words that nobody sees."""
    if text.isascii():
        return False
    written = text.encode("utf-8", "replace")
    return b"\xf3" in written and b"\xf3\xa0" in written  # one byte is found ten times faster than two


def may_order(text: str) -> bool:
    """A cheap look that spares most texts the costly one: False where no word in it could give an order."""
    return not looked_for()[0].isdisjoint(order_words(text)) or hides_letters(text)
