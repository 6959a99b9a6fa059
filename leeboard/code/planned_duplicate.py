"""What an agent says it will build, held against the names of what is there."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from rapidfuzz.fuzz import token_set_ratio

from leeboard.code.build_intent import BuildIntent, telling_words
from leeboard.code.counterpart import is_exempt
from leeboard.code.duplicate import built_symbol
from leeboard.model.lookup import Registry
from leeboard.model.pattern import lazy
from leeboard.model.symbol import Symbol, Symbols

ALIKE = 85
_RARE = 6
"""Symbols that may have a word for it to be rare."""
_MOST = 400
_ROOT = 5
"""Letters in which two forms of a word agree."""
_BUILT = 200
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
    found = [*_in_session(intent, registry), *_indexed(intent, symbols)]
    kept = [one for one in found if not is_exempt(one.symbol.path) and one.symbol.name not in named_by_user]
    touched = {entry.path for entry in registry.find("change", {one.symbol.path for one in kept})}
    open_files = touched - {one.symbol.path for one in kept if one.in_session}
    kept = [one for one in kept if one.symbol.path not in open_files]
    return tuple(sorted(kept, key=lambda one: (-len(one.shared), not one.in_session, one.symbol.path, one.symbol.line)))


def _in_session(intent: BuildIntent, registry: Registry) -> Iterator[Namesake]:
    for entry in registry.newest("built", _BUILT):
        symbol = built_symbol(entry)
        shared = _shared(intent, symbol)
        if len(shared) > 1 or (shared and shared == intent.words):
            yield Namesake(symbol=symbol, shared=shared, in_session=True)


def _indexed(intent: BuildIntent, symbols: Symbols | None) -> Iterator[Namesake]:
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
    if token_set_ratio(spoken_of, " ".join(words)) < ALIKE:
        return ()
    return tuple(word for word in intent.words if forms[word])


def _are_forms(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) >= _ROOT and one[:_ROOT] == other[:_ROOT])
