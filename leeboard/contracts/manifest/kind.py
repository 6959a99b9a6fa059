"""Which kind of manifest or lock file a path is, told by its name alone, at any depth."""

from __future__ import annotations

import posixpath
from functools import lru_cache

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy
from leeboard.text import language


class _Kinds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    patterns: tuple[tuple[str, str], ...]
    """Kind, and a pattern of the whole path."""
    names: dict[str, tuple[str, ...]]
    main: dict[str, tuple[str, ...]]


_KINDS = load("manifest/kinds", _Kinds)
_BY_NAME = {name: kind for kind, names in _KINDS.names.items() for name in names}
_PATTERNS = tuple((kind, lazy(source)) for kind, source in _KINDS.patterns)
_LOCKED = {"package_blocks", "pylock", "bun_binary"}
_SAMPLE = lazy(r"(?i)(?:^|/)(?:fixtures?|__fixtures__|test-?fixtures|testdata|test[-_]data|__snapshots__|snapshots)/")

MAIN = _KINDS.main
"""Where a package of each ecosystem is likely to be declared already."""


@lru_cache(maxsize=4_096)
def kind_of(path: str) -> str:
    """The name of its reader; empty for a file that declares no packages."""
    plain = path.lower()
    found = _BY_NAME.get(posixpath.basename(plain))
    return found or next((kind for kind, pattern in _PATTERNS if pattern.search(plain)), "")


def is_lock(kind: str) -> bool:
    return kind.endswith(("_lock", "_sum", "_resolved")) or kind in _LOCKED


def is_foreign(path: str) -> bool:
    """Whether it came with somebody else's code: what that declares is not ours."""
    return language.lies_in(path, "foreign")


def is_sample(path: str) -> bool:
    """Whether it is material for tests, not what anything here is built with."""
    return bool(_SAMPLE.search(path))


def is_lock_file(path: str) -> bool:
    """Whether a program wrote it to lock packages, so that no size of it is odd."""
    return is_lock(kind_of(path))
