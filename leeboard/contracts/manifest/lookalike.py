"""Names of packages that are one slip away from another one that many use, or that the project uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

import msgspec

from leeboard.contracts.manifest.gain import packages
from leeboard.contracts.manifest.package import Package
from leeboard.data import load
from leeboard.model.lookup import Files
from leeboard.model.text import lazy

LEAST = 5
"""Shorter names are near to too many others."""
_SEPARATORS = lazy(r"[-_.]")
_DECLARED = {
    "pypi": (
        "requirements.txt requirements-dev.txt dev-requirements.txt requirements/base.txt requirements/dev.txt"
        " pyproject.toml poetry.lock uv.lock pdm.lock Pipfile Pipfile.lock setup.cfg setup.py"
    ),
    "npm": "package.json package-lock.json pnpm-lock.yaml yarn.lock bun.lock",
    "cargo": "Cargo.toml Cargo.lock",
    "go": "go.mod go.sum",
    "gem": "Gemfile Gemfile.lock",
    "composer": "composer.json composer.lock",
}


class _Known(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    targets: dict[str, int]
    names: dict[str, str]


@lru_cache(maxsize=1)
def _known() -> _Known:
    return load("packages/known", _Known)


@lru_cache(maxsize=4)
def _names(ecosystem: str) -> tuple[str, ...]:
    return tuple(_known().names.get(ecosystem, "").split())


@lru_cache(maxsize=4)
def _all(ecosystem: str) -> frozenset[str]:
    return frozenset(_names(ecosystem))


def looks_like(ecosystem: str, name: str, files: Files) -> str:
    """The package it may be meant for; empty where it is one that is known, or like none."""
    key = Package(ecosystem, name).key[1]
    if key in _all(ecosystem) or len(key) < LEAST:
        return ""
    declared = frozenset(_declared(ecosystem, files))
    if key in declared or _is_of_own_scope(key, declared):
        return ""
    popular = _names(ecosystem)[: _known().targets.get(ecosystem, 0)]
    return next(_near(key, (*popular, *sorted(declared))), "")


def _is_of_own_scope(key: str, declared: Iterable[str]) -> bool:
    scope, slash, _ = key.partition("/")
    return bool(slash) and scope.startswith("@") and any(one.startswith(f"{scope}/") for one in declared)


def _declared(ecosystem: str, files: Files) -> Iterator[str]:
    for path in _DECLARED.get(ecosystem, "").split():
        text = files.text(path)
        read = packages(path, text) if text else None
        yield from (entry.key[1] for entry in read.entries) if read else ()


def _near(key: str, others: Iterable[str]) -> Iterator[str]:
    squashed = _SEPARATORS.sub("", key)
    for other in others:
        if len(other) < LEAST or abs(len(other) - len(key)) > 1:
            continue
        if _is_one_slip(key, other) or _SEPARATORS.sub("", other) == squashed:
            yield other


def _is_one_slip(name: str, other: str) -> bool:
    """One letter more, less or another, or two that changed places."""
    start = next((at for at, (a, b) in enumerate(zip(name, other, strict=False)) if a != b), min(len(name), len(other)))
    left, right = name[start:], other[start:]
    swapped = left[1::-1] == right[:2] and len(left) > 1 and left[2:] == right[2:]
    return swapped or left[1:] == right or left == right[1:] or left[1:] == right[1:]
