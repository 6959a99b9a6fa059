"""What an agent claims of its own work when it ends: that tests pass, that something is fixed, committed, verified.

A sentence that hopes, plans, asks or doubts claims nothing, and neither does code or a quotation.
"""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy
from leeboard.speech.red_flags import spoken
from leeboard.text.words import sentences

_READ = 6_000
_LONGEST = 240
_SHOWN = 100
_NAMED_CODE = lazy(r"`([\w ./:@-]{1,40})`")
"""A name in code, which is a word of the sentence: `pytest` passes."""


class _Patterns(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: str
    patterns: tuple[str, ...]


class _Hedges(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    sentence: str
    message: str
    failing: str


class _Claims(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    claims: tuple[_Patterns, ...]
    hedges: _Hedges


class Claim(msgspec.Struct, frozen=True):
    kind: str
    text: str
    """The sentence, cut."""


@lru_cache(maxsize=1)
def _table() -> tuple[tuple[str, re.Pattern[str]], ...]:
    table = load("speech/claims", _Claims)
    return tuple((one.kind, re.compile("|".join(f"(?:{pattern})" for pattern in one.patterns))) for one in table.claims)


@lru_cache(maxsize=1)
def _hedges() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    hedges = load("speech/claims", _Claims).hedges
    return re.compile(hedges.sentence), re.compile(hedges.message), re.compile(hedges.failing)


def claims_of(text: str) -> tuple[Claim, ...]:
    """The first of each kind; none where the message itself says that nobody could look."""
    words = spoken(_NAMED_CODE.sub(r"\1", text[-_READ:]))
    lowered = words.lower().replace("’", "'")
    hedged, honest, _failing = _hedges()
    if not any(pattern.search(lowered) for _kind, pattern in _table()) or honest.search(lowered):
        return ()
    found: dict[str, Claim] = {}
    for _at, sentence in sentences(words):
        bare = " ".join(sentence.lower().replace("’", "'").replace("*", "").replace("_", " ").split()).lstrip("-•✅✓☑ ")
        if len(bare) > _LONGEST or hedged.search(bare):
            continue
        for kind, pattern in _table():
            if kind not in found and pattern.search(bare):
                found[kind] = Claim(kind, " ".join(sentence.split())[:_SHOWN])
    return tuple(found.values())


def tells_of_failure(text: str) -> bool:
    """Whether the message says anywhere that something fails: then it hides nothing."""
    return bool(_hedges()[2].search(text.lower()))
