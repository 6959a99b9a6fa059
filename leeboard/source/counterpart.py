"""Whether two pieces of code may be alike for a good reason: tests, versions, platforms, packages, implementations."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache

import msgspec

from leeboard.data import load
from leeboard.model.symbol import Symbol
from leeboard.model.text import lazy
from leeboard.model.workspace import is_inside
from leeboard.text.language import is_generated, is_test_path, language_of

SUFFIXES = frozenset(
    "v new old ex copy alt alternative improved enhanced updated fixed refactored better optimized "
    "optimised extended revised modern custom advanced plus next bis".split()
)
"""What is put behind a name that is taken."""
_PREFIXES = frozenset("new improved better enhanced alt my custom updated".split())
_PART = lazy(r"[A-Z]{1,40}(?=[A-Z][a-z])|[A-Z]?[a-z]{1,60}|[A-Z]{1,40}|\d{1,20}")
_MIGRATION = lazy(
    r"(?:^|/)(?:migrations?|alembic|versions|db/migrate|schema_migrations)/|(?:^|/)(?:V?\d{3,}[_\-]|V\d+__)"
)
_VERSION_FOLDER = lazy(r"(?:^|[/_\-])(v\d{1,3}(?:alpha\d?|beta\d?)?|\d{4}-\d\d-\d\d)(?=[/_\-])", re.IGNORECASE)
_SHOWN_ONLY = lazy(
    r"(?:^|/)(?:examples?|samples?|demos?|docs?|tutorials?|snippets|templates?|scaffolds?|cookbook|benchmarks?)/"
)
_STORY = lazy(r"\.(?:stories|story|fixture|mock)\.\w{1,5}$|(?:^|/)(?:locales?|i18n|translations|lang)/")
_PLATFORM = lazy(
    r"(?:^|[/._\-])(linux|windows|win32|win64|darwin|macos|osx|posix|unix|freebsd|android|ios|wasm|arm64|amd64|x86|x64|cuda|"
    r"rocm|mysql|postgres|postgresql|sqlite|oracle|mssql)(?=[/._\-])|\.(web|native|browser|node|server|client|edge)(?=\.)",
    re.IGNORECASE,
)
_PACKAGE = lazy(r"^(?:.{0,80}/)?(?:packages|apps|crates|lambdas|cmd|workspaces|projects|plugins|extensions)/([^/]+)/")
_DOUBLE = lazy(r"^_?(?:fake|mock|stub|dummy|spy|noop|null|inmemory|test)(?=[A-Z_]|[a-z]*$)", re.IGNORECASE)
_SMALL = 150
"""Tokens: implementations of one interface that are alike."""


def is_exempt(path: str) -> bool:
    """Code that repeats other code by its nature: tests, migrations, examples, stories, what a tool made.

    And what lies outside the work tree: a file for trying something out is no part of the code base.
    """
    lowered = path.replace("\\", "/")
    return (
        not is_inside(lowered)
        or not language_of(lowered)
        or is_test_path(lowered)
        or is_generated(lowered, "")
        or bool(_MIGRATION.search(lowered) or _SHOWN_ONLY.search(lowered) or _STORY.search(lowered))
    )


def why_alike(new: Symbol, old: Symbol, size: int = 0) -> str:
    """The good reason for which a new function of `size` tokens resembles an old one; empty where there is none."""
    if is_exempt(new.path) or is_exempt(old.path):
        return "test, migration, example or generated code"
    if any(_DOUBLE.search(name) for name in (new.name, new.owner, old.name, old.owner) if name):
        return "test double"
    if new.path == old.path and new.name == old.name:
        return "overload"
    if new.name == old.name and new.owner and old.owner and size < _SMALL:
        return "implementation of the same interface"
    return apart(new.path, old.path)


def apart(one: str, other: str) -> str:
    """What keeps two files apart on purpose: version, platform, package; empty where nothing does."""
    if _marks(_VERSION_FOLDER, one) != _marks(_VERSION_FOLDER, other):
        return "another version of an interface"
    if _marks(_PLATFORM, one) != _marks(_PLATFORM, other):
        return "another platform"
    here, there = _PACKAGE.match(one), _PACKAGE.match(other)
    if here and there and here[1] != there[1]:
        return "another package"
    return ""


class _FixedNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    functions: frozenset[str]
    files: frozenset[str]


_FIXED = load("source/fixed_names", _FixedNames)


def is_called_by_name(name: str) -> bool:
    """Whether a runtime or a framework finds a function by this name: every file of that kind has one."""
    return name in _FIXED.functions


def are_parallel(one: str, other: str) -> bool:
    """Whether two files have the same part in two folders that lie beside each other: `app/a/form.ts`, `app/b/form.ts`.

    Top folders are no siblings of one kind, and a name that fits anything (`utils.py`) is no part.
    """
    here, there = posixpath.split(one), posixpath.split(other)
    above = posixpath.dirname(here[0])
    beside = bool(above) and above == posixpath.dirname(there[0]) and here[0] != there[0]
    return beside and here[1] == there[1] and stem_of(one).lower() not in _FIXED.files


def _marks(pattern: re.Pattern[str], path: str) -> set[str]:
    return {mark.group().strip("/._-").lower() for mark in pattern.finditer(path)}


def is_version_of(new: str, old: str) -> bool:
    """Whether the new name is the old one with something that only says "another one": `parse_date2`, `NewParser`."""
    words, known = parts_of(new), parts_of(old)
    if not known or words == known:
        return False
    tail = words[len(known) :] if words[: len(known)] == known else ()
    head = words[: -len(known)] if words[-len(known) :] == known else ()
    return (bool(tail) and all(word in SUFFIXES or word.isdigit() for word in tail)) or (
        bool(head) and all(word in _PREFIXES for word in head)
    )


def extends(new: str, old: str) -> bool:
    """Whether the new name is the old one and more words: `handle_refund_edge` and `handle_refund`."""
    longer, shorter = parts_of(new), parts_of(old)
    return len(shorter) >= 2 and len(longer) > len(shorter) and longer[: len(shorter)] == shorter


def may_follow(name: str) -> bool:
    """Whether a name has what makes it a version or an extension of some other name."""
    words = parts_of(name)
    if len(words) != 2:
        return len(words) > 2
    return words[0] in _PREFIXES or words[1] in SUFFIXES or words[1].isdigit()


@lru_cache(maxsize=4_096)
def parts_of(name: str) -> tuple[str, ...]:
    """The words and numbers of a name, in small letters."""
    return tuple(part.lower() for part in _PART.findall(name))


def stem_of(path: str) -> str:
    return posixpath.basename(path).partition(".")[0]
