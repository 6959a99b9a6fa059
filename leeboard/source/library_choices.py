"""Libraries of which a project takes one: for each role the members, each with the modules that show it is used."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from leeboard.data import load


class _Libraries(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    families: dict[str, str]
    weights: dict[str, int]
    roles: dict[str, dict[str, dict[str, tuple[str, ...]]]]
    """By role, family and library: the modules that show it is used."""


class Choice(msgspec.Struct, frozen=True):
    role: str
    family: str
    members: tuple[tuple[str, tuple[str, ...]], ...]


@lru_cache(maxsize=1)
def _libraries() -> _Libraries:
    return load("source/libraries", _Libraries)


def family_of(language: str) -> str:
    """Languages that share libraries share a family."""
    return _libraries().families.get(language, language)


def weight_of(role: str) -> int:
    """What a second member costs: 5 where everything hangs on it, 3 where it is a matter of few calls, else 4."""
    return _libraries().weights.get(role.partition(" ")[2], 4)


@lru_cache(maxsize=16)
def choices(family: str) -> tuple[Choice, ...]:
    return tuple(
        Choice(role, family, tuple(families[family].items()))
        for role, families in _libraries().roles.items()
        if family in families
    )


@lru_cache(maxsize=16)
def _by_module(family: str) -> dict[str, tuple[tuple[str, str], ...]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for choice in choices(family):
        for name, modules in choice.members:
            for module in modules:
                found.setdefault(module, []).append((choice.role, name))
    return {module: tuple(pairs) for module, pairs in found.items()}


@lru_cache(maxsize=16_384)
def members_shown(module: str, family: str) -> tuple[tuple[str, str], ...]:
    """Role and member an import of this module shows; several where a library plays several roles."""
    known = _by_module(family)
    ends = [at for at, char in enumerate(module) if char in "./:\\" and at] + [len(module)]
    return tuple(dict.fromkeys(pair for end in ends for pair in known.get(module[:end], ())))
