"""Words that are everywhere and therefore say nothing."""

from __future__ import annotations

import msgspec

from leeboard.data import load


class _CommonWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    stop_words: frozenset[str]
    identifiers: frozenset[str]
    path_words: frozenset[str]


_COMMON = load("speech/common_words", _CommonWords)
STOP_WORDS = _COMMON.stop_words
COMMON_IDENTIFIERS = _COMMON.identifiers
COMMON_PATH_WORDS = _COMMON.path_words
