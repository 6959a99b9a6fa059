"""The commonest limits in other languages than English.

Less is read into them than into English ones: only an object that is nothing but paths, tests or the schema counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

import msgspec

from leeboard.data import load
from leeboard.model.text import filled, lazy
from leeboard.speech.limits.clause import Limit

Form = Literal["forbid", "only", "without", "commit"]


class _Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    trigger: str
    forms: tuple[tuple[Form, str], ...]
    """What a limit does, and how it is said."""
    parts: dict[str, str]


_LIMITS = load("speech/limits_abroad", _Limits)
_TRIGGER = lazy(_LIMITS.trigger, re.IGNORECASE)
_FORMS = tuple((form, lazy(filled(said, _LIMITS.parts), re.IGNORECASE)) for form, said in _LIMITS.forms)


def limits(sentence: str) -> Iterator[Limit]:
    """Limits in other languages than English. A question sets none."""
    if not _TRIGGER.search(sentence) or sentence.rstrip().endswith(("?", "？", "か", "吗")):
        return
    for form, pattern in _FORMS:
        for match in pattern.finditer(sentence):
            if form == "commit":
                yield Limit("forbid", "commit", "", match.start(), match.end())
            else:
                yield Limit(form, "change", match["what"], match.start(), match.end())
