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
from leeboard.text.order_words import hides_letters, order_words

PlantedKind = Literal["order", "addressed", "hidden"]

READ = 60_000
_NEAR = 300
_COMMENT = 4_000
_UNSEEN = lazy(r"[\u200b-\u200f\u2060-\u2064\U000e0000-\U000e007f]{8,}")
_STYLED = lazy(
    r"(?:display\s*:\s*none|font-size\s*:\s*0|visibility\s*:\s*hidden|color\s*:\s*(?:white|#fff(?:fff)?)\b)"
    r"[^>]{0,200}>([^<]{10,2000})<"
)
_WORD = lazy(r"[a-z]+")
_BLANKS = ("\u00a0", "\u2003", "\u2009", "\u202f", "\u3000")
_STYLES = ("display", "font-size", "visibility", "color")

_BY_CLIENT = lazy(r"<system-reminder>(?:(?!</system-reminder>).){0,4000}</system-reminder>\s*\Z", re.DOTALL)
"""What a client adds at the end of a result."""


class _Phrase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    heads: tuple[str, ...]
    pattern: str
    needs: tuple[tuple[str, ...], ...]


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
    """All that begins with one of the heads and goes on as the pattern says, in a text with a word of each it needs."""

    heads: tuple[tuple[str, frozenset[bytes]], ...]
    """Each with the words that may begin with it; without any it is always looked for."""
    pattern: re.Pattern[str]
    needs: tuple[frozenset[bytes], ...]


class _Words(msgspec.Struct, frozen=True):
    orders: tuple[_Phrases, ...]
    addressed: tuple[_Phrases, ...]
    acts: re.Pattern[str]
    about: re.Pattern[str]
    own: re.Pattern[str]


@lru_cache(maxsize=1)
def _words() -> _Words:
    table = load("verify/planted", _Planted)
    orders, addressed = _phrases(table.orders), _phrases(table.addressed)
    return _Words(
        orders=orders,
        addressed=addressed,
        acts=lazy(table.acts),
        about=lazy(table.about),
        own=lazy(table.own),
    )


def _phrases(table: tuple[_Phrase, ...]) -> tuple[_Phrases, ...]:
    phrases = []
    for phrase in table:
        needs = tuple(frozenset(map(str.encode, words)) for words in phrase.needs)
        heads = tuple((head, _begun_by(head, needs)) for head in phrase.heads)
        phrases.append(_Phrases(heads, lazy(phrase.pattern), needs))
    return tuple(phrases)


def _begun_by(head: str, needs: tuple[frozenset[bytes], ...]) -> frozenset[bytes]:
    word = _WORD.search(head)
    first = word[0].encode() if word else b""
    return frozenset(word for words in needs for word in words if first and word.startswith(first))


def is_own_text(path: str) -> bool:
    """A file the project keeps to instruct agents."""
    return bool(_words().own.search(path))


def planted_in(text: str) -> Planted | None:
    """The first place where a text orders the agent to do something; None for one that is about such orders."""
    text = text[:READ]
    written = _BY_CLIENT.sub("", text) if "<system-reminder>" in text else text
    words, there = _words(), order_words(written)
    unseen = tuple(_UNSEEN.finditer(written)) if hides_letters(written) else ()
    if not unseen and not any(_may_be_in(phrases, there) for phrases in (*words.orders, *words.addressed)):
        return None
    text = _in_ascii(written).lower()
    orders, addressed = _found(words.orders, text, there), _found(words.addressed, text, there)
    if not orders and not addressed and not unseen:
        return None
    if (hidden := _hidden(text, orders, addressed, unseen)) is not None:
        return Planted("hidden", _line(text, hidden))
    order = next((match for match in orders if not _is_shown(text, match)), None)
    told = order or next((match for match in addressed if _wants_something(text, match)), None)
    if told is None or words.about.search(text):
        return None
    return Planted("order" if order else "addressed", _line(text, told.start()))


def _may_be_in(phrases: _Phrases, there: frozenset[bytes]) -> bool:
    return not any(words.isdisjoint(there) for words in phrases.needs)


def _found(phrases: tuple[_Phrases, ...], text: str, there: frozenset[bytes]) -> list[re.Match[str]]:
    """Every such phrase, in the order of the text. Looking for how they begin costs a tenth of looking for them."""
    found: list[re.Match[str]] = []
    for phrase in phrases:
        if _may_be_in(phrase, there):
            likely = [head for head, begun in phrase.heads if not begun or not begun.isdisjoint(there)]
            found += (
                match for head in likely for at in _places(head, text) if (match := phrase.pattern.match(text, at))
            )
    return sorted(found, key=lambda match: match.start())


def _places(head: str, text: str) -> Iterator[int]:
    at = text.find(head) if head[0] in text else -1  # one sign is looked for many times faster than two
    while at >= 0:
        yield at
        at = text.find(head, at + 1)


def _wants_something(text: str, addressed: re.Match[str]) -> bool:
    act = _words().acts.search(text, addressed.start(), addressed.end() + _NEAR)
    return act is not None and not _is_shown(text, addressed)


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _in_ascii(text: str) -> str:
    """With a sign in place of each other one: phrases are in English, and wide text costs several times more."""
    if text.isascii():
        return text
    for blank in _BLANKS:
        text = text.replace(blank, " ")
    return text.encode("ascii", "replace").decode("ascii")


def _hidden(
    text: str, orders: list[re.Match[str]], addressed: list[re.Match[str]], unseen: tuple[re.Match[str], ...]
) -> int | None:
    """Where orders stand that people who look at the page do not see."""
    acts = _words().acts
    for start, stop in _unshown(text):
        if any(start <= match.start() < stop for match in orders):
            return start
        if any(start <= match.start() < stop for match in addressed) and acts.search(text, start, stop):
            return start
    for match in unseen:
        spelled = _spelled(match[0])
        there = order_words(spelled)
        if _found(_words().orders, spelled, there):
            return match.start()
        if _found(_words().addressed, spelled, there) and acts.search(spelled):
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
