"""The red-flag phrases as expressions over plain text."""

from __future__ import annotations

import re

import msgspec

from leeboard.data import load
from leeboard.model.pattern import filled, lazy


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    flag: str
    hints: tuple[str, ...]
    pattern: str
    alias: str = ""
    may_deny: bool = False


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    parts: dict[str, str]
    phrases: tuple[_Row, ...]


class Phrase(msgspec.Struct, frozen=True):
    flag: str
    hints: tuple[str, ...]
    """Words of which one occurs."""
    pattern: re.Pattern[str]
    may_deny: bool
    """Its own words deny something."""


_TABLE = load("speech/red_flags", _Table)
PHRASES = tuple(
    Phrase(row.alias or row.flag, row.hints, lazy(filled(row.pattern, _TABLE.parts)), row.may_deny)
    for row in _TABLE.phrases
)
"""All of them; one that is another under a second name bears that one's flag."""
