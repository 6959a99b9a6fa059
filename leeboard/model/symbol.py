"""What is known of the code of a work tree: names, fingerprints, imports. Absent is *not analysed*, never clean."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Protocol

import msgspec

SymbolKind = Literal["function", "method", "class", "file"]


class Symbol(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    kind: SymbolKind
    path: str
    line: int = 0
    end: int = 0
    owner: str = ""
    """The class it belongs to."""


class Fingerprint(msgspec.Struct, frozen=True, kw_only=True):
    """A function so that copies of it are known again: hashes, sorted, of its shape and of what it refers to."""

    shingles: tuple[int, ...]
    anchors: tuple[int, ...]
    flow: str = ""
    """Its statements as lines, a character for each token: what it refers to by name, and roles for all else."""
    size: int
    """Tokens."""
    language: str
    signature: str = ""


class KnownFunction(msgspec.Struct, frozen=True):
    """A function of the work tree and its fingerprint."""

    symbol: Symbol
    fingerprint: Fingerprint


class Habit(msgspec.Struct, frozen=True, kw_only=True):
    """How the work tree does one thing: `usual` instead of `others`, in `support` of `users` files."""

    role: str
    """http client, orm, test framework, logger, wrapper of sqlite3, ..."""
    usual: str
    others: tuple[str, ...] = ()
    support: int = 0
    users: int = 0
    where: str = ""
    """The file that wraps it, or the text that demands it."""


class Symbols(Protocol):
    """A read-only look at the index of the work tree, under what was written since."""

    @property
    def complete(self) -> bool:
        """Whether every file was read; until then nothing that is not found is known to be absent."""

    def named(self, words: Iterable[str]) -> tuple[Symbol, ...]:
        """Symbols and files whose name, split at case and underscores, has one of these words (lower case, stemmed)."""

    def like(self, fingerprint: Fingerprint) -> tuple[KnownFunction, ...]:
        """Functions that may be copies: those that share enough hashes to be worth comparing."""

    def of_file(self, path: str) -> tuple[KnownFunction, ...]: ...

    def importers(self, path: str) -> tuple[str, ...]:
        """Files that import this one."""

    def imports(self, path: str) -> tuple[str, ...]:
        """Modules a file imports, as written."""

    def habits(self) -> tuple[Habit, ...]: ...
