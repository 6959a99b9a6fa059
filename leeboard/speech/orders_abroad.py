"""Orders in other languages than English, said in English, so that one reading of orders serves all.

Less is read into them than into English ones: a verb in the form of an order, what the clause is about by the words of
the table, and its other words as they stand, among which are the names of files and branches.
"""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy

_SENTENCE_END = lazy(r"(?<=[.!?])\s+|[。！？；;\n]+")
_CLAUSE_END = lazy(r"[,，、:：]\s*|\s(?:aber|sondern|mais|pero|sino|mas|ma|но|а)\s")
_NOT_IN_ENGLISH = lazy(r"\b(?:not|never|without|neither|nor|cannot|\w+n't)\b", re.IGNORECASE)
"""Some verbs are spelled as in English (`delete`, `remove`): what English rules out is no order in another language."""
_LONGEST = 2_000


class _Tongue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    never: str
    asks: str
    verbs: tuple[tuple[str, str], ...]
    nouns: tuple[tuple[str, str], ...]


class _Orders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tongues: tuple[_Tongue, ...]


@lru_cache(maxsize=1)
def _tongues() -> tuple[_Tongue, ...]:
    return load("speech/orders_abroad", _Orders).tongues


@lru_cache(maxsize=1)
def _negators() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{tongue.never})" for tongue in _tongues()), re.IGNORECASE)


def is_ruled_out_abroad(sentence: str, at: int) -> bool:
    """Whether the clause around this place has a word that negates, in any of the languages."""
    starts = [0, *(found.end() for found in _CLAUSE_END.finditer(sentence))]
    first = max(start for start in starts if start <= at)
    end = _CLAUSE_END.search(sentence, at)
    return bool(_negators().search(sentence[first : end.start() if end else len(sentence)]))


@lru_cache(maxsize=16)
def orders_abroad(text: str) -> tuple[str, ...]:
    """What the text orders, each as an English sentence: the verbs, the things, and the clause as it stands."""
    sentences = [part for part in _SENTENCE_END.split(text[:_LONGEST].replace("’", "'")) if part.strip()]
    clauses = [_CLAUSE_END.split(sentence) for sentence in sentences]
    return tuple(
        order
        for tongue in _tongues()
        for sentence, parts in zip(sentences, clauses, strict=True)
        if (orders := _in_clauses(parts, tongue)) and not re.match(tongue.asks, sentence, re.IGNORECASE)
        for order in orders
    )


def _in_clauses(clauses: list[str], tongue: _Tongue) -> list[str]:
    """A list of things may go on behind the comma; a clause that rules something out is left alone."""
    found: list[str] = []
    meant: list[str] = []
    any_verb = _any_verb(tongue.name)
    for clause in clauses:
        has_verb = any_verb.search(clause) is not None
        if not has_verb and not meant:
            continue  # most clauses, since few texts are in the language
        if re.search(tongue.never, clause, re.IGNORECASE) or _NOT_IN_ENGLISH.search(clause):
            meant = []
            continue
        if has_verb:
            meant = [english for verb, english in tongue.verbs if re.search(verb, clause, re.IGNORECASE)]
        things = [english for noun, english in tongue.nouns if re.search(noun, clause, re.IGNORECASE)]
        found += [f"{verb} {' '.join(things)} {clause}" for english in meant for verb in _each(english)]
    return found


@lru_cache(maxsize=16)
def _any_verb(name: str) -> re.Pattern[str]:
    """All verbs of a language in one pattern, kept because every prompt in it is searched for them."""
    verbs = next(tongue.verbs for tongue in _tongues() if tongue.name == name)
    return re.compile("|".join(f"(?:{verb})" for verb, _english in verbs), re.IGNORECASE)


def _each(english: str) -> list[str]:
    return [english] if english == "force push" else english.split()
