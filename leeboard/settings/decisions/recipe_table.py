"""The keys and words in files of builds and hooks that decide whether a step runs."""

from __future__ import annotations

from functools import cache

import msgspec

from leeboard.data import load


class Recipes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What their keys and words mean."""

    conditions: frozenset[str]
    harmless: frozenset[str]
    steps: frozenset[str]
    needs: frozenset[str]
    runs_by: frozenset[str]
    checkout: frozenset[str]
    control: frozenset[str]


@cache
def table() -> Recipes:
    return load("contracts/recipes", Recipes)
