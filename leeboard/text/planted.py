"""Words that address the agent from a text it only reads: told by what they order, to whom, and how they hide.

A text about such words shows them and orders nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy

PlantedKind = Literal["order", "addressed", "hidden"]

READ = 60_000
_NEAR = 300
_COMMENT = 4_000
_UNSEEN = lazy(r"[\u200b-\u200f\u2060-\u2064\U000e0000-\U000e007f]{8,}")
_STYLED = lazy(
    r"(?:display\s*:\s*none|font-size\s*:\s*0|visibility\s*:\s*hidden|color\s*:\s*(?:white|#fff(?:fff)?)\b)"
    r"[^>]{0,200}>([^<]{10,2000})<"
)
_STYLES = ("display", "font-size", "visibility", "color")

_BY_CLIENT = lazy(r"<system-reminder>(?:(?!</system-reminder>).){0,4000}</system-reminder>\s*\Z", re.DOTALL)
"""What a client adds at the end of a result."""


class _Phrase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    heads: tuple[str, ...]
    pattern: str
    needs: tuple[str, ...] = ()


class _Planted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    orders: tuple[_Phrase, ...]
    addressed: tuple[_Phrase, ...]
    acts: str
    about: str
    own: str


class Planted(msgspec.Struct, frozen=True):
    kind: PlantedKind
    line: int


class _Phrases(NamedTuple):
    """All that begins with one of the heads and goes on as the pattern says, in a text that has what it needs."""

    heads: tuple[str, ...]
    pattern: re.Pattern[str]
    needs: tuple[str, ...]


class _Words(msgspec.Struct, frozen=True):
    orders: tuple[_Phrases, ...]
    addressed: tuple[_Phrases, ...]
    acts: re.Pattern[str]
    about: re.Pattern[str]
    own: re.Pattern[str]


@lru_cache(maxsize=1)
def _words() -> _Words:
    table = load("verify/planted", _Planted)
    return _Words(
        _phrases(table.orders), _phrases(table.addressed), lazy(table.acts), lazy(table.about), lazy(table.own)
    )


def _phrases(table: tuple[_Phrase, ...]) -> tuple[_Phrases, ...]:
    return tuple(_Phrases(phrase.heads, lazy(phrase.pattern), phrase.needs) for phrase in table)


def is_own_text(path: str) -> bool:
    """A file the project keeps to instruct agents."""
    return bool(_words().own.search(path))


def planted_in(text: str) -> Planted | None:
    """The first place where a text orders the agent to do something; None for one that is about such orders."""
    text = text[:READ]
    text = (_BY_CLIENT.sub("", text) if "<system-reminder>" in text else text).lower()
    words = _words()
    orders, addressed = _found(words.orders, text), _found(words.addressed, text)
    if not orders and not addressed and text.isascii():
        return None
    if (hidden := _hidden(text, orders, addressed)) is not None:
        return Planted("hidden", _line(text, hidden))
    order = next((match for match in orders if not _is_shown(text, match)), None)
    told = order or next((match for match in addressed if _wants_something(text, match)), None)
    if told is None or words.about.search(text):
        return None
    return Planted("order" if order else "addressed", _line(text, told.start()))


def _found(phrases: tuple[_Phrases, ...], text: str) -> list[re.Match[str]]:
    """Every such phrase, in the order of the text. Looking for how they begin costs a tenth of looking for them."""
    found: list[re.Match[str]] = []
    for heads, pattern, needs in phrases:
        if not needs or any(word in text for word in needs):
            found += (match for head in heads for at in _places(head, text) if (match := pattern.match(text, at)))
    return sorted(found, key=lambda match: match.start())


def _places(head: str, text: str) -> Iterator[int]:
    at = text.find(head)
    while at >= 0:
        yield at
        at = text.find(head, at + 1)


def _wants_something(text: str, addressed: re.Match[str]) -> bool:
    act = _words().acts.search(text, addressed.start(), addressed.end() + _NEAR)
    return act is not None and not _is_shown(text, addressed)


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _hidden(text: str, orders: list[re.Match[str]], addressed: list[re.Match[str]]) -> int | None:
    """Where orders stand that people who look at the page do not see."""
    acts = _words().acts
    for start, stop in _unshown(text):
        if any(start <= match.start() < stop for match in orders):
            return start
        if any(start <= match.start() < stop for match in addressed) and acts.search(text, start, stop):
            return start
    for match in () if text.isascii() else _UNSEEN.finditer(text):
        spelled = _spelled(match[0])
        if _found(_words().orders, spelled) or (_found(_words().addressed, spelled) and acts.search(spelled)):
            return match.start()
    return None


def _unshown(text: str) -> Iterator[tuple[int, int]]:
    """Comments of a page, and what its style hides."""
    at = text.find("<!--")
    while at >= 0:
        stop = text.find("-->", at + 4, at + 4 + _COMMENT + 3)
        if stop >= 0:
            yield at + 4, stop
        at = text.find("<!--", max(at + 4, stop))
    if any(style in text for style in _STYLES):
        yield from (match.span(1) for match in _STYLED.finditer(text))


def _spelled(signs: str) -> str:
    """What letters of the tag block spell."""
    return "".join(chr(ord(sign) - 0xE0000) for sign in signs if "\U000e0020" <= sign <= "\U000e007e")


def _is_shown(text: str, match: re.Match[str]) -> bool:
    """In quotes or as code: it is shown to somebody, as in a list of patterns."""
    start = text.rfind("\n", 0, match.start()) + 1
    before, after = text[start : match.start()], text[match.end() : match.end() + 200].partition("\n")[0]
    quoted = any(before.count(quote) % 2 and quote in after for quote in "\"'`")
    return quoted or before.rstrip().endswith(('r"', "r'", "/", "\\b"))
