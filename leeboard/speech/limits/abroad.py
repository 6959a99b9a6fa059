"""The commonest limits in other languages than English.

Less is read into them than into English ones: a verb the language forbids with, and an object that is nothing but paths
or one of the things its table has a word for. What it means is said in English, so that one reading serves all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

import msgspec

from leeboard.data import load
from leeboard.model.text import filled, lazy
from leeboard.speech.limits.clause import Limit

Form = Literal["forbid", "only", "without", "no"]


class _Tongue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    trigger: str
    forms: tuple[tuple[Form, str], ...]
    nouns: tuple[tuple[str, str], ...]
    verbs: dict[str, dict[str, str]]
    """By what they mean, in the forms they take: `order`, `plain`, `noun`."""


class _Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    parts: dict[str, str]
    tongues: tuple[_Tongue, ...]


_LIMITS = load("speech/limits_abroad", _Limits)
_TRIGGERS = tuple(lazy(tongue.trigger, re.IGNORECASE) for tongue in _LIMITS.tongues)
_QUESTION = ("?", "？", "か", "吗", "嗎", "까", "나요")
_TAKEN = "·"


class _Spoken:
    """The expressions of one language."""

    def __init__(self, tongue: _Tongue) -> None:
        kinds = dict.fromkeys(kind for forms in tongue.verbs.values() for kind in forms)
        verbs = {kind: _verbs(tongue, kind) for kind in kinds}
        parts = {**verbs, **_LIMITS.parts}
        self.forms = tuple((form, lazy(filled(said, parts), re.IGNORECASE)) for form, said in tongue.forms)
        self.nouns = tuple((lazy(noun, re.IGNORECASE), english) for noun, english in tongue.nouns)

    def meaning(self, what: str) -> str:
        """An object in English; empty where the language has no word for it here."""
        bare = what.strip(" \t.!,;`'\"")
        for noun, english in self.nouns:
            if match := noun.fullmatch(bare):
                return match.expand(english)
        return ""


def _verbs(tongue: _Tongue, kind: str) -> str:
    """One group for each thing that is forbidden."""
    groups = (f"(?P<{kind}_{verb}>{forms[kind]})" for verb, forms in tongue.verbs.items() if kind in forms)
    return f"(?:{'|'.join(groups)})"


@lru_cache(maxsize=16)
def _spoken(number: int) -> _Spoken:
    return _Spoken(_LIMITS.tongues[number])


def limits(sentence: str) -> Iterator[Limit]:
    """Limits in other languages than English. A question sets none; what one form has read no other reads again."""
    if sentence.rstrip().endswith(_QUESTION):
        return
    plain = sentence.replace("'", "’")
    for number, trigger in enumerate(_TRIGGERS):
        if not trigger.search(plain):
            continue
        found = list(_limits_in(plain, _spoken(number)))
        yield from found
        if found:
            return


def _limits_in(sentence: str, spoken: _Spoken) -> Iterator[Limit]:
    left = sentence
    for form, pattern in spoken.forms:
        for match in pattern.finditer(left):
            limit = _limit(form, match, spoken)
            if limit is not None:
                yield limit
                left = f"{left[: match.start()]}{_TAKEN * (match.end() - match.start())}{left[match.end() :]}"


def _limit(form: Form, match: re.Match[str], spoken: _Spoken) -> Limit | None:
    groups = match.groupdict()
    verb = next((name.partition("_")[2] for name, said in groups.items() if said is not None and "_" in name), "change")
    what = (groups.get("what") or "").replace("’", "'")
    meant = spoken.meaning(what) or ("" if what or verb in {"push", "commit", "deploy"} else "anything")
    if form == "no" and not groups.get("none"):
        return Limit("no", "change", what, match.start(), match.end(), meant=meant) if meant else None
    form = "forbid" if form == "no" else form
    return Limit(form, verb, what, match.start(), match.end(), meant=meant)
