"""Kinds of things an order may list without naming a file: the nouns people use, and the paths such things live in."""

from __future__ import annotations

import re
from functools import cache

import msgspec

from leeboard.code.area import areas_of_path, is_manifest, is_test
from leeboard.data import load
from leeboard.model.pattern import lazy


class _Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    nouns: tuple[str, ...]
    places: str
    sole: bool = False


class _Kinds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kinds: dict[str, _Kind]
    nouns_only: dict[str, tuple[str, ...]]


@cache
def _kinds() -> _Kinds:
    return load("speech/listed_kinds", _Kinds)


@cache
def _places(kind: str) -> re.Pattern[str]:
    return lazy(_kinds().kinds[kind].places)


@cache
def _by_noun() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    table = _kinds()
    for name, nouns in (*((name, kind.nouns) for name, kind in table.kinds.items()), *table.nouns_only.items()):
        for noun in nouns:
            found[noun] = (*found.get(noun, ()), name)
    return found


def kinds_of_noun(noun: str) -> tuple[str, ...]:
    """By a noun in the singular, or two joined by a hyphen."""
    return _by_noun().get(noun, ())


def is_sole(kind: str) -> bool:
    """A project has one or few such files, so that asking for the kind is asking for the file."""
    return kind == "deps" or (kind in _kinds().kinds and _kinds().kinds[kind].sole)


def lives_in(kind: str, path: str) -> bool:
    """Whether things of the kind live in such a path."""
    if kind == "tests":
        return is_test(path)
    if kind == "deps":
        return is_manifest(path)
    return bool(_places(kind).search(path.lower())) if kind in _kinds().kinds else kind in areas_of_path(path)


def is_called(kind: str, path: str) -> bool:
    """Whether the file's own name says so, not its folder or its extension."""
    bare = path.lower().rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return kind in _kinds().kinds and bool(_places(kind).search(bare))
