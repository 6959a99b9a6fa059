"""The words by which libraries spell what they do, from `leeboard/data/crypto`: a family's when it is first asked."""

import re
from functools import cache

import msgspec

from leeboard.data import load


class ArgumentPlace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a function is told what matters."""

    place: int
    owner: str = ""
    """What the whole name must match (searched)."""

    def fits(self, name: str) -> bool:
        return not self.owner or re.search(self.owner, name) is not None


class Ciphers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    names: dict[str, str] = {}
    choosers: dict[str, ArgumentPlace] = {}


class Digests(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    keywords: tuple[str, ...] = ()
    libraries: frozenset[str] = frozenset()
    sums: frozenset[str] = frozenset()
    broken: dict[str, str] = {}
    choosers: dict[str, ArgumentPlace] = {}


class Comparison(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    bytewise: dict[str, str] = {}
    fixes: dict[str, str] = {}


class ConstantKinds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Kinds of nodes, and calls that keep a constant one."""

    strings: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    nulls: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    members: frozenset[str] = frozenset()
    lists: frozenset[str] = frozenset()
    passing: frozenset[str] = frozenset()
    ternaries: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    branches: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()
    not_variables: frozenset[str] = frozenset()
    encoders: frozenset[str] = frozenset()
    on_text: frozenset[str] = frozenset()
    allocators: frozenset[str] = frozenset()
    defaulted: frozenset[str] = frozenset()


class ContextWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    strong: frozenset[str] = frozenset()
    mild: frozenset[str] = frozenset()
    proofs: frozenset[str] = frozenset()
    sums: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()
    typed: frozenset[str] = frozenset()
    play: frozenset[str] = frozenset()
    language_models: frozenset[str] = frozenset()
    of_the_hash: frozenset[str] = frozenset()
    formats: frozenset[str] = frozenset()
    loose_formats: frozenset[str] = frozenset()
    wires: frozenset[str] = frozenset()


class RestRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A group of weaknesses that are only logged where they lie already; see `at_rest.toml`."""

    reason: str
    kinds: frozenset[str] = frozenset()
    """None: all. So with the languages."""
    what: str = ""
    """What the algorithm, size or option must match (searched)."""
    languages: frozenset[str] = frozenset()
    where: dict[str, frozenset[str]] = {}
    unless: dict[str, frozenset[str]] = {}


class RestRows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rows: tuple[RestRow, ...] = ()


class CryptoGrammar(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    calls: dict[str, tuple[str, ...]] = {}
    settings: dict[str, tuple[str, ...]] = {}
    fields: dict[str, tuple[str, str]] = {}
    compares: dict[str, tuple[str, ...]] = {}
    not_code: dict[str, tuple[str, ...]] = {}


class KeySizes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    size_keys: tuple[str, ...] = ()
    cost_keys: tuple[str, ...] = ()
    sized: dict[str, ArgumentPlace] = {}
    iterated: dict[str, int] = {}
    cost: dict[str, int] = {}
    short_token: dict[str, int] = {}


class MaterialCall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    places: dict[str, int]
    named: dict[str, str] = {}
    """Options, in lower case, and what they are."""
    owner: str = ""
    """What the whole name must match (searched)."""

    def fits(self, name: str) -> bool:
        return not self.owner or re.search(self.owner, name) is not None


class Material(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    fixes: dict[str, str] = {}
    keywords: dict[str, str] = {}
    members: dict[str, str] = {}
    other_places: dict[str, dict[str, int]] = {}
    calls: dict[str, MaterialCall] = {}


class Randomness(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    python: frozenset[str] = frozenset()
    php: frozenset[str] = frozenset()
    c: frozenset[str] = frozenset()
    seeds: frozenset[str] = frozenset()
    fixes: dict[str, str] = {}


class Transport(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Patterns are lists of their alternatives; see `pattern`."""

    false_options: frozenset[str] = frozenset()
    true_options: frozenset[str] = frozenset()
    versions: frozenset[str] = frozenset()
    off_hints: tuple[str, ...] = ()
    old_hints: tuple[str, ...] = ()
    check_hints: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    old_word: tuple[str, ...] = ()
    old_text: tuple[str, ...] = ()
    off_word: tuple[str, ...] = ()
    empty_check: tuple[str, ...] = ()
    callback: tuple[str, ...] = ()


@cache
def at_rest() -> RestRows:
    return load("crypto/at_rest", RestRows)


@cache
def ciphers() -> Ciphers:
    return load("crypto/ciphers", Ciphers)


@cache
def comparison() -> Comparison:
    return load("crypto/comparison", Comparison)


@cache
def constants() -> ConstantKinds:
    return load("crypto/constants", ConstantKinds)


@cache
def context() -> ContextWords:
    return load("crypto/context", ContextWords)


@cache
def digests() -> Digests:
    return load("crypto/digests", Digests)


@cache
def grammar() -> CryptoGrammar:
    return load("crypto/grammar", CryptoGrammar)


@cache
def key_sizes() -> KeySizes:
    return load("crypto/key_sizes", KeySizes)


@cache
def material() -> Material:
    return load("crypto/material", Material)


@cache
def randomness() -> Randomness:
    return load("crypto/randomness", Randomness)


@cache
def transport() -> Transport:
    return load("crypto/transport", Transport)


@cache
def pattern(alternatives: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(alternatives))
