"""Names that so many functions use that sharing one says little: by how often they occur in public code."""

from __future__ import annotations

import msgspec

from leeboard.data import load


class _FrequentNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    frequent: frozenset[str]
    common: frozenset[str]


_NAMES = load("source/frequent_names", _FrequentNames)
FREQUENT = _NAMES.frequent
COMMON = _NAMES.common
