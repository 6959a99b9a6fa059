"""Words of names and sentences so that they can be compared: split at case and underscores, without their endings."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from leeboard.model.text import visible
from leeboard.text.names import keywords, split_words

_SHORTEST = 3
"""Letters that must stay when an ending goes."""
_VOWELS = frozenset("aeiouy")
_LONGEST = 40
"""Nobody writes a longer word; what is longer is data."""


@lru_cache(maxsize=4_096)
def split_name(name: str) -> tuple[str, ...]:
    """`getUserToken`, `get_user_token` and `get-user-token` all to get, user, token."""
    return tuple(split_words(name)) or ((name.lower().strip("_-$"),) if name.strip("_-$") else ())


def content_words(text: str) -> tuple[str, ...]:
    """What a text is about: its words without the common ones, stemmed, each once, in order."""
    return tuple(dict.fromkeys(stem(word) for word in keywords(text)))


@lru_cache(maxsize=8_192)
def stem(word: str) -> str:
    """One form for the words of a family: validate, validates, validating, validation and validator all give valid.

    For comparing, not for reading: what comes out is often no word. Words that are not English stay as they are.
    """
    lowered = word.lower()
    if len(lowered) <= _SHORTEST or len(lowered) > _LONGEST or not (lowered.isascii() and lowered.isalpha()):
        return lowered
    acted = _without(_without_plural(lowered), ("ing", "ied", "ed"))
    agent = _without(acted, ("ization", "isation", "ment", "ion", "er", "or"))
    bare = _single(agent.removesuffix("e") if len(agent) > _SHORTEST else agent)
    if bare.endswith("at") and len(bare) > _SHORTEST + 1 and bare[-3] not in _VOWELS and _was_verb(lowered, bare):
        return bare[:-2]
    return bare


def singular(word: str) -> str:
    """A lower-case noun as a table of nouns has it; unlike a stem it can be read."""
    if word.endswith("ies") and len(word) > 5:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def _without_plural(word: str) -> str:
    if word.endswith("ies") and len(word) > _SHORTEST + 1:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without(word: str, endings: tuple[str, ...]) -> str:
    """Without the first ending that fits and leaves a word."""
    for ending in endings:
        rest = word.removesuffix(ending)
        if rest == word or len(rest) < _SHORTEST or not _VOWELS.intersection(rest):
            continue
        if ending in ("ization", "isation"):
            return rest + "iz"
        if ending == "ied":
            return rest + "y"
        if (ending == "ion" and rest[-1] not in "ts") or (ending == "or" and rest[-1] != "t"):
            continue
        if ending == "ment" and len(rest) == _SHORTEST:
            continue
        return rest
    return word


def _single(word: str) -> str:
    """`formatt` to format, `call` to cal: the doubled letter comes and goes with the ending."""
    return word[:-1] if len(word) > _SHORTEST and word[-1] == word[-2] and word[-1] not in _VOWELS else word


def _was_verb(word: str, bare: str) -> bool:
    """`validat` is what is left of validate, `format` of nothing."""
    following = word[len(bare) : len(bare) + 1]
    return following in ("e", "i", "o")


# Words for an agent: they fit, stand on their line, and say in an element of ours only what we say.


_TAG = "leeboard"


def cut(text: str, room: int) -> str:
    """At most `room` characters, cut at a word."""
    if len(text) <= room:
        return text
    return text[: room - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…" if room > 0 else ""


def counted(number: int, noun: str) -> str:
    """`1 hook`, `2 hooks`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def on_one_line(name: str) -> str:
    """The name of a file, in which anything may stand."""
    return visible(name.replace("\n", "\N{REPLACEMENT CHARACTER}"))


def untagged(text: str) -> str:
    """Text from outside that neither ends our element nor begins another, however often the signs are doubled."""
    if f"<{_TAG}" not in text and f"/{_TAG}" not in text:
        return text
    *before, last = text.split(_TAG)
    return _TAG.join((*map(_without_bracket, before), last))


def _without_bracket(text: str) -> str:
    bare = text.rstrip("</")
    return bare + text[len(bare) :].partition("<")[0]


def element(body: str, attributes: Mapping[str, str] | None = None) -> str:
    """What an agent reads: the words in the element by which it knows who speaks."""
    told = "".join(f' {name}="{value}"' for name, value in (attributes or {}).items())
    return f"<{_TAG}{told}>\n{untagged(body)}\n</{_TAG}>"
