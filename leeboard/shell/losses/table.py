"""By what programs and calls a line may take files away: the table `shell/losses`, and expressions made of it."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from leeboard.data import load

_OPENS = r"\s{0,3}[(\[]?\s{0,3}"


class LossWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    programs: frozenset[str]
    removers: frozenset[str]
    read_out: frozenset[str]
    removing_calls: tuple[str, ...]
    writing_calls: tuple[str, ...]
    placing_calls: tuple[str, ...]
    listing_calls: tuple[str, ...]
    ending_calls: tuple[str, ...]

    @property
    def removing(self) -> str:
        """An expression for the name of a function that removes."""
        return rf"\b(?:{'|'.join(self.removing_calls)})"

    @property
    def writing(self) -> str:
        return rf"\b(?:{'|'.join(self.writing_calls)})"

    @property
    def placing(self) -> str:
        return rf"\b(?:{'|'.join(self.placing_calls)})"


@lru_cache(maxsize=1)
def loss_words() -> LossWords:
    return load("shell/losses", LossWords)


@lru_cache(maxsize=1)
def acts_in_code() -> re.Pattern[str]:
    """Fits code of any language that may remove or write over files."""
    words = loss_words()
    others = r"\b(?:remove\w{0,9}|write\w{0,9}|truncate|open|system|exec\w{0,8}|spawn\w{0,4})\b"
    return re.compile(rf"{words.removing}\b|{words.writing}\b|{words.placing}\b|{others}")


@lru_cache(maxsize=1)
def listed_in_code() -> re.Pattern[str]:
    """Fits a call that names files by a folder or a pattern, in `path`; perl's `<*.md>` too."""
    calls = "|".join(loss_words().listing_calls)
    quoted = r"(?:[A-Za-z_]{1,20},\s{0,3})?[\"'](?P<path>[^\"'$\n]{1,300})[\"']"
    return re.compile(rf"\b(?:{calls}){_OPENS}{quoted}|<(?P<angled>[^<>\s]{{0,200}}[*?][^<>\s]{{0,200}})>")


@lru_cache(maxsize=1)
def endings_in_code() -> re.Pattern[str]:
    """Fits what names must end with to be meant, in `end`."""
    calls = "|".join(loss_words().ending_calls)
    compared = r"(?:\([\w.\s]{0,60}\))?\s{0,3}(?:\(|[=!]==?)\s{0,3}"
    return re.compile(rf"\b(?:{calls}){compared}[\"'](?P<end>[^\"'\n]{{1,40}})[\"']|\\\.(?P<dotted>\w{{1,12}})\$")
