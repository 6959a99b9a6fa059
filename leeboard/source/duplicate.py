"""Which functions of the work tree and of this session a new one repeats, and whether anybody looked for them first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

import msgspec

from leeboard.model.ledger import Entry
from leeboard.model.lookup import Files, Registry
from leeboard.model.symbol import Fingerprint, KnownFunction, Symbol, Symbols
from leeboard.model.text import lazy
from leeboard.model.verdict import Finding
from leeboard.source.counterpart import is_exempt, why_alike
from leeboard.source.fingerprint import unpack
from leeboard.source.likeness import SAME, similarities
from leeboard.source.new_code import NewFunction, defines
from leeboard.speech.build_intent import BuildIntent, telling_words
from leeboard.text.language import language_of
from leeboard.text.likeness import shared_words
from leeboard.text.words import split_name, stem

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
    known: tuple[KnownFunction, ...]


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
    """Best first, namesakes before equals; none that is alike for a good reason, is gone, or is of the same call."""
    session = around.built
    here = (new.path, new.name.lower())
    known: list[tuple[tuple[str, str], KnownFunction]] = []
    left_out: list[Fingerprint] = []
    for one in (*_indexed(new, around.symbols), *session.known):
        place = (one.symbol.path, one.symbol.name.lower())
        if place == here:
            continue
        if place not in session.own and are_comparable(new.fingerprint.size, one.fingerprint.size):
            known.append((place, one))
        else:
            left_out.append(one.fingerprint)
    likeness = similarities(new.fingerprint, [one.fingerprint for _place, one in known], left_out)
    found: dict[tuple[str, str], Twin] = {}
    for (place, one), alike in zip(known, likeness, strict=True):
        if alike > SAME and place not in found and not why_alike(symbol_of(new), one.symbol, new.fingerprint.size):
            found[place] = Twin(
                symbol=one.symbol, fingerprint=one.fingerprint, similarity=alike, in_session=place in session.earlier
            )
    ranked = sorted(
        found.values(),
        key=lambda twin: (-twin.similarity, twin.symbol.name != new.name, twin.symbol.path, twin.symbol.name),
    )
    return tuple(twin for twin in ranked if around.is_live(twin.symbol))


def are_comparable(size: int, other: int) -> bool:
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


def _indexed(new: NewFunction, symbols: Symbols | None) -> tuple[KnownFunction, ...]:
    return symbols.like(new.fingerprint) if symbols is not None else ()


def _from_session(built: Iterable[Entry], call: str) -> Iterator[KnownFunction]:
    for entry in built:
        made = unpack(entry.data) if entry.call != call and entry.data else None
        if made is not None:
            yield KnownFunction(built_symbol(entry), made)


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


# What an agent says it will build, held against the names of what is there.


ALIKE = 85
_RARE = 6
"""Symbols that may have a word for it to be rare."""
_MOST = 400
_ROOT = 5
"""Letters in which two forms of a word agree."""
_PLANNED = 200
_AWARE = lazy(
    r"\b(?:existing|already|reus\w{0,4}|extend\w{0,3}|wrap\w{0,5}|on top of|based on|built on|same as|similar to|"
    r"like the|follow\w{0,3}|mirror\w{0,3}|instead of|missing|stub|calls?|uses?|using)\b"
)


class Namesake(msgspec.Struct, frozen=True, kw_only=True):
    """What the thing may already be."""

    symbol: Symbol
    shared: tuple[str, ...]
    in_session: bool = False


def namesakes(
    intent: BuildIntent, registry: Registry, symbols: Symbols | None, named_by_user: str
) -> tuple[Namesake, ...]:
    """Best first. None where the agent shows that it knows, or the user named that very symbol."""
    if _AWARE.search(intent.sentence.lower()):
        return ()
    found = [*_in_session(intent, registry), *_indexed_names(intent, symbols)]
    kept = [one for one in found if not is_exempt(one.symbol.path) and one.symbol.name not in named_by_user]
    touched = {entry.path for entry in registry.find("change", {one.symbol.path for one in kept})}
    open_files = touched - {one.symbol.path for one in kept if one.in_session}
    kept = [one for one in kept if one.symbol.path not in open_files]
    return tuple(sorted(kept, key=lambda one: (-len(one.shared), not one.in_session, one.symbol.path, one.symbol.line)))


def _in_session(intent: BuildIntent, registry: Registry) -> Iterator[Namesake]:
    for entry in registry.newest("built", _PLANNED):
        symbol = built_symbol(entry)
        shared = _shared(intent, symbol)
        if len(shared) > 1 or (shared and shared == intent.words):
            yield Namesake(symbol=symbol, shared=shared, in_session=True)


def _indexed_names(intent: BuildIntent, symbols: Symbols | None) -> Iterator[Namesake]:
    if symbols is None:
        return
    by_word = {word: symbols.named((word,)) for word in intent.words}
    rare = {word for word, found in by_word.items() if len(found) <= _RARE}
    several = [symbol for found in by_word.values() for symbol in found][:_MOST]
    for symbol in dict.fromkeys(several):
        shared = _shared(intent, symbol)
        if len(shared) > 1 or (len(shared) == 1 and shared[0] in rare and shared == intent.words):
            yield Namesake(symbol=symbol, shared=shared)


def _shared(intent: BuildIntent, symbol: Symbol) -> tuple[str, ...]:
    """The words of the plan that the name has, also in another form: `verification` and `verify`."""
    words = telling_words(symbol.name.partition(".")[0] if symbol.kind == "file" else symbol.name)
    forms = {word: next((other for other in words if _are_forms(word, other)), "") for word in intent.words}
    spoken_of = " ".join(forms[word] or word for word in intent.words)
    if shared_words(spoken_of, " ".join(words)) < ALIKE:
        return ()
    return tuple(word for word in intent.words if forms[word])


def _are_forms(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) >= _ROOT and one[:_ROOT] == other[:_ROOT])
