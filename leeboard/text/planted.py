"""Words that address the agent from a text it only reads: told by what they order, to whom, and how they hide.

A text about such words shows them and orders nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy

PlantedKind = Literal["order", "addressed", "hidden"]

READ = 60_000
_NEAR = 300
_HIDING = lazy(
    r"<!--(.{1,4000}?)-->|[\u200b-\u200f\u2060-\u2064\U000e0000-\U000e007f]{8,}|(?:display\s*:\s*none|font-size\s*:\s*0"
    r"|visibility\s*:\s*hidden|color\s*:\s*(?:white|#fff(?:fff)?)\b)[^>]{0,200}>([^<]{10,2000})<",
    re.DOTALL | re.IGNORECASE,
)

_BY_CLIENT = lazy(r"<system-reminder>(?:(?!</system-reminder>).){0,4000}</system-reminder>\s*\Z", re.DOTALL)
"""What a client adds at the end of a result."""


class _Planted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    orders: tuple[str, ...]
    addressed: str
    acts: str
    about: str
    own: str


class Planted(msgspec.Struct, frozen=True):
    kind: PlantedKind
    line: int


@lru_cache(maxsize=1)
def _table() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    table = load("verify/planted", _Planted)
    every = "|".join(f"(?:{order})" for order in table.orders)
    patterns = (every, table.addressed, table.acts, table.about)
    orders, addressed, acts, about = (re.compile(pattern, re.IGNORECASE) for pattern in patterns)
    return orders, addressed, acts, about, re.compile(table.own)


def is_own_text(path: str) -> bool:
    """A file the project keeps to instruct agents."""
    return bool(_table()[4].search(path))


def planted_in(text: str) -> Planted | None:
    """The first place where a text orders the agent to do something; None for one that is about such orders."""
    text = _BY_CLIENT.sub("", text[:READ])
    orders, addressed, acts, about, _own = _table()
    hidden = _hidden(text)
    if about.search(text) and hidden is None:
        return None
    if hidden is not None:
        return hidden
    order = next((match for match in orders.finditer(text) if not _is_shown(text, match)), None)
    if order is not None:
        return Planted("order", text.count("\n", 0, order.start()) + 1)
    for match in addressed.finditer(text):
        act = acts.search(text, match.start(), match.end() + _NEAR)
        if act is not None and not _is_shown(text, match):
            return Planted("addressed", text.count("\n", 0, match.start()) + 1)
    return None


def _hidden(text: str) -> Planted | None:
    """Orders that people who look at the page do not see."""
    orders, addressed, acts, _about, _own = _table()
    for match in _HIDING.finditer(text):
        inside = match[1] or match[2] or _spelled(match[0])
        told = orders.search(inside) or (addressed.search(inside) and acts.search(inside))
        if told:
            return Planted("hidden", text.count("\n", 0, match.start()) + 1)
    return None


def _spelled(signs: str) -> str:
    """What letters of the tag block spell."""
    return "".join(chr(ord(sign) - 0xE0000) for sign in signs if "\U000e0020" <= sign <= "\U000e007e")


def _is_shown(text: str, match: re.Match[str]) -> bool:
    """In quotes or as code: it is shown to somebody, as in a list of patterns."""
    start = text.rfind("\n", 0, match.start()) + 1
    before, after = text[start : match.start()], text[match.end() : match.end() + 200].partition("\n")[0]
    quoted = any(before.count(quote) % 2 and quote in after for quote in "\"'`")
    return quoted or before.rstrip().endswith(('r"', "r'", "/", "\\b"))
