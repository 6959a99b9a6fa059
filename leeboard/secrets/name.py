"""What the name in front of a value promises: a password, a secret, a key that has to look like one, or nothing."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import msgspec

from leeboard.data import load
from leeboard.model.pattern import lazy

Promise = Literal["password", "secret", "key", ""]
"""A password may be anything, a secret is no plain word, and what is called a key counts only when it looks drawn."""


class _Names(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    stems: tuple[str, ...]
    """What a name of interest has in it, in lower case."""
    passwords: frozenset[str]
    secrets: tuple[str, ...]
    keys: frozenset[str]
    open_tails: frozenset[str]
    neutral_tails: frozenset[str]
    open_keys: frozenset[str]
    open_tokens: frozenset[str]
    no_keys: frozenset[str]


_NAMES = load("secrets/names", _Names)
STEMS = _NAMES.stems
"""What a name of interest has in it, in lower case."""
_WORDS = lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_PASSWORD = lazy(
    r"passw(?:or)?d|password|passphrase|passphase|passcode|pwd|(?:\A|[^a-z]|db|user|my|sql|ftp|smtp|admin|"
    r"root|mail|key|store|http|require|master|bind|auth|redis|rpc|proxy|sudo|login|account|pg)pass\Z"
)


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name, in lower case, without numbers."""
    return tuple(word.lower() for word in _WORDS.findall(name) if not word.isdigit())


def is_open(name: str) -> bool:
    """Whether the last word says that the value is meant to be seen: an id, an address, a label."""
    words = words_of(name)
    return bool(words) and words[-1] in _NAMES.open_tails


@lru_cache(maxsize=2048)
def promise_of(name: str) -> Promise:
    """What a value under this name is by its name alone."""
    words = words_of(name)
    while len(words) > 1 and words[-1] in _NAMES.neutral_tails:
        words = words[:-1]
    if not words or words[-1] in _NAMES.open_tails:
        return ""
    joined = "".join(words)
    if _PASSWORD.search(joined) or _NAMES.passwords.intersection(words):
        return "" if {"hash", "hashed", "encrypted", "enc", "forgot", "reset", "no"}.intersection(words) else "password"
    return _promise_of_key(words, joined)


def _promise_of_key(words: tuple[str, ...], joined: str) -> Promise:
    before = words[-2] if len(words) > 1 else ""
    if "public" in words or "publishable" in words or "pubkey" in joined or "publickey" in joined:
        return ""
    if words[-1] in {"token", "tokens"} and before in _NAMES.open_tokens:
        return ""
    if words[-1] in {"key", "keys"} and before in _NAMES.open_keys:
        return ""
    if any(part in joined for part in _NAMES.secrets) or words[-1] in {"cred", "creds"}:
        return "" if joined.startswith("tokeni") else "secret"
    tail = words[-1]
    if tail in _NAMES.keys or _NAMES.keys.intersection(words[-3:]):
        return "key"
    return "key" if tail.endswith(("key", "salt", "nonce", "auth")) and tail not in _NAMES.no_keys else ""
