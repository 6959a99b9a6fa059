"""Which functions of the work tree and of this session a new one repeats, and whether anybody looked for them first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

import msgspec

from leeboard.code.build_intent import telling_words
from leeboard.code.counterpart import why_alike
from leeboard.code.fingerprint import SAME, similarity, unpack
from leeboard.code.language import language_of
from leeboard.code.new_code import NewFunction, defines
from leeboard.code.words import split_name, stem
from leeboard.model.lookup import Files, Registry
from leeboard.model.registry import Entry
from leeboard.model.symbol import Fingerprint, Known, Symbol, Symbols
from leeboard.model.verdict import Finding

LOOKBACK = 10
"""Turns in which a search or a read counts as having looked."""
_BUILT = 200
_LOOKS = 60


class Twin(msgspec.Struct, frozen=True, kw_only=True):
    """A function that does what a new one does."""

    symbol: Symbol
    fingerprint: Fingerprint
    similarity: float
    in_session: bool = False


class Built(msgspec.Struct, frozen=True, kw_only=True):
    """What the session built: by this call, and before it."""

    own: frozenset[tuple[str, str]]
    earlier: frozenset[tuple[str, str]]
    known: tuple[Known, ...]


class Neighbourhood:
    """Where twins are looked for. `call` is the one that wrote the new function: what else it wrote is new as well."""

    def __init__(self, registry: Registry, symbols: Symbols | None, files: Files, call: str = "") -> None:
        self.registry = registry
        self.symbols = symbols
        self.files = files
        self.call = call

    @cached_property
    def built(self) -> Built:
        """Read once for all functions of a change."""
        rows = self.registry.newest("built", _BUILT)
        own, earlier = (
            {(row.path, row.key) for row in rows if (row.call == self.call) is mine} for mine in (True, False)
        )
        known = tuple(_from_session(rows, self.call))
        return Built(own=frozenset(own), earlier=frozenset(earlier), known=known)

    def is_live(self, symbol: Symbol) -> bool:
        """Whether the function is still there: a moved one is no duplicate."""
        text = self.files.text(symbol.path)
        if text is None:
            return self.files.exists(symbol.path) is not False
        return defines(text, symbol.name, language_of(symbol.path, text))

    def was_read(self, path: str) -> bool:
        """Whether the agent had looked at the file before this call wrote it."""
        return bool(self.call) and any(entry.call != self.call for entry in self.registry.find("read", (path,)))


def stands(finding: Finding, again: Iterable[Finding]) -> bool:
    """Whether what is found now is the finding of before, also under another name: renaming a copy repairs nothing."""
    here, _, old = finding.subject.partition("~")
    return any(
        one.fingerprint == finding.fingerprint or (bool(old) and _is_renamed(one.subject, here, old))
        for one in again
        if one.signal and not one.signal.log_only
    )


def _is_renamed(subject: str, here: str, old: str) -> bool:
    return subject.endswith(f"~{old}") and subject.startswith(f"{here.rpartition(':')[0]}:")


def twins(new: NewFunction, around: Neighbourhood) -> tuple[Twin, ...]:
    """Best first; none that is alike for a good reason, is gone, or was written by the same call."""
    session = around.built
    found: dict[tuple[str, str], Twin] = {}
    for known in (*_indexed(new, around.symbols), *session.known):
        place = (known.symbol.path, known.symbol.name.lower())
        if place in session.own or place in found or place == (new.path, new.name.lower()):
            continue
        if not _comparable(new.fingerprint.size, known.fingerprint.size):
            continue
        alike = similarity(new.fingerprint, known.fingerprint)
        if alike > SAME and not why_alike(symbol_of(new), known.symbol, new.fingerprint.size):
            found[place] = Twin(
                symbol=known.symbol,
                fingerprint=known.fingerprint,
                similarity=alike,
                in_session=place in session.earlier,
            )
    ranked = sorted(found.values(), key=lambda twin: (-twin.similarity, twin.symbol.path, twin.symbol.name))
    return tuple(twin for twin in ranked if around.is_live(twin.symbol))


def _comparable(size: int, other: int) -> bool:
    """One that is more than three times as large does more."""
    return size <= 3 * other and other <= 3 * size


def symbol_of(new: NewFunction) -> Symbol:
    return Symbol(
        name=new.name,
        kind="method" if new.owner else "function",
        path=new.path,
        line=new.line,
        end=new.end,
        owner=new.owner,
    )


def _indexed(new: NewFunction, symbols: Symbols | None) -> tuple[Known, ...]:
    return symbols.like(new.fingerprint) if symbols is not None else ()


def _from_session(built: Iterable[Entry], call: str) -> Iterator[Known]:
    for entry in built:
        made = unpack(entry.data) if entry.call != call and entry.data else None
        if made is not None:
            yield Known(built_symbol(entry), made)


def built_symbol(entry: Entry) -> Symbol:
    """The name as written where the row's signature shows it."""
    made = unpack(entry.data)
    name = made.signature.partition("(")[0] if made is not None else ""
    return Symbol(name=name or entry.key, kind="function", path=entry.path, line=entry.line, end=entry.amount)


def namesake(new: NewFunction, around: Neighbourhood) -> Symbol | None:
    """A function of the same name elsewhere, where the name is long enough to be no coincidence."""
    words = split_name(new.name)
    if around.symbols is None or len(words) < 2 or new.owner:
        return None
    here = language_of(new.path)
    for symbol in around.symbols.named([stem(word) for word in words]):
        same = symbol.name == new.name and symbol.path != new.path and symbol.kind == "function"
        if same and language_of(symbol.path) == here and not why_alike(symbol_of(new), symbol, new.fingerprint.size):
            return symbol if around.is_live(symbol) else None
    return None


def looked_for(words: Iterable[str], paths: Iterable[str], registry: Registry, turn: int) -> str:
    """The search or the read of the last turns that was about one of these words or files; empty where none was."""
    wanted, files = frozenset(words), frozenset(paths)
    looks = (*registry.newest("fetched", _LOOKS), *registry.newest("read", _LOOKS))
    for entry in looks:
        if entry.turn < turn - LOOKBACK:
            continue
        if entry.path in files or wanted & set(telling_words(f"{entry.key} {entry.path}".replace("/", " "))):
            return entry.key
    return ""
