"""How sure we are of a value under a name: what it is not, and what speaks for it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy
from leeboard.secrets.hit import Promise, SecretHit, Share, words_of
from leeboard.secrets.placeholder import (
    class_count,
    entropy,
    evidence,
    is_hex,
    is_mock,
    is_monotonous,
    is_placeholder,
    is_random,
    is_strong,
    is_uuid,
    unleet,
)

Weight = tuple[float, str]
"""Confidence, and why it is at most logged."""
PLACEHOLDER: Weight = (0.3, "placeholder")
SURE, LIKELY, POSSIBLE = 0.92, 0.80, 0.60


class _OtherThings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    beginnings: tuple[str, ...]
    """How something else begins: names of resources, hashes, what a vault holds, media types, patterns."""
    file_endings: tuple[str, ...]
    words: frozenset[str]


@cache
def _other_things() -> _OtherThings:
    return load("secrets/other_things", _OtherThings)


_OTHER_THING = lazy(
    r"[A-Za-z][A-Za-z0-9+.\-]{1,20}://|[\w.\-+]{1,60}@[\w\-]{1,60}\.[\w.\-]{1,60}\Z|#[0-9A-Fa-f]{3,8}\Z|"
    r"\.[a-z][\w\-]*\Z|"
    r"[0-9]+(?:px|em|rem|ms|s|mb|gb|kb|d|h|m)\Z|v?\d+\.\d+|\d{4}-\d\d-\d\d|\d+x\d+\Z|0x[0-9a-fA-F]{1,8}\Z|"
    r"[\w.]{1,60}::[\w.:]{1,60}\Z|@[a-z][\w.\-]{0,60}/[\w.\-]{1,60}\Z|[a-z]{2}[-_][A-Z]{2}\Z|"
    r"\[[a-zA-Z0-9]-[a-zA-Z0-9]|[)\]][+*?]|"
    r"(?:aes|hmac|sha|rsa|ecdsa|pbkdf2)[\w\-/]{1,30}\Z|"
    r"(?:[a-z_]{2,20}(?::[\w,]{1,20})?\|){1,8}[a-z_]{2,20}(?::[\w,]{1,20})?\Z"
)
_PATH = lazy(
    r"(?i)(?:[.~]{0,2}/|[a-z]:\\|\\\\)[\w.:\-/\\@]{0,200}\Z|(?:[\w.\-@]{1,60}/){1,9}[\w\-@]{0,60}\.[a-z]{1,5}\Z"
)
_DOTTED = lazy(r"[A-Za-z_$][\w$\-]*(?:(?:\.|->|::|/|:)[A-Za-z_$][\w$\-]*){1,8}(?:\(\))?\Z")
_CALL = lazy(r"[\w.$]{1,80}\([^()]{0,200}\)?;?\Z|[\w.$]{1,60}\[[^\]]{0,80}\]\Z")
_CODE = lazy(r"[=!]=|&&|\|\||=>|[;{}]\s*\Z|\A[({\[,;<>=|+]|\)\s*\Z|</|/>|&[a-z]{2,6};|\Afunction\b")
_LOOKED_AT = 600
_TOLD_APART = frozenset("token tokens key keys secret id name cookie session".split())
_SURELY_CHANCE = -5.0
_ESCAPED = lazy(r"\\[ux][0-9a-fA-F]{2}|\\[0-7]{3}")
_BRACKET = lazy(r"[(){}\[\]]")
_POINTER = lazy(r"[*&][A-Za-z_]+\Z")
_PRINTED_FINGERPRINT = lazy(r"[0-9A-F]{40}\Z")
_SPACE = lazy(r"\s")
_FOREIGN = lazy(r"[^\x00-\x7f]")
_JOINED = lazy(r"[A-Za-z][A-Za-z0-9]*(?:[_\-][A-Za-z0-9]+)+\Z")
_SIGNS = lazy(r"[_\-]")
_CONSTANT = lazy(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\Z")


def weigh(name: str, value: str, promise: Promise, *, quoted: bool = True) -> Weight | None:
    """None: no secret at all."""
    if not _is_one_word(value) or is_other_thing(value) or _names_something(name, value, quoted=quoted):
        return None
    if is_placeholder(value):
        return PLACEHOLDER if promise != "key" else None
    if _is_joined_words(value):
        return None
    if promise == "password":
        weight = _password(value)
        return weight if quoted or weight is None or not weight[1] else None
    return _secret(value) if promise == "secret" else _key(value)


def _is_one_word(value: str) -> bool:
    """Plain characters without a space or an escaped byte."""
    if not 3 <= len(value) <= 4000 or _SPACE.search(value):
        return False
    return not _FOREIGN.search(value) and not _ESCAPED.search(value)


def is_other_thing(value: str) -> bool:
    """It has the look of something else: an address, a path, a file, a colour, a hash, a pattern."""
    lowered = value.lower()
    if lowered in _other_things().words or lowered.startswith(_other_things().beginnings) or _OTHER_THING.match(value):
        return True
    return (lowered.endswith(_other_things().file_endings) or bool(_PATH.match(value))) and not is_strong(value)


def _names_something(name: str, value: str, *, quoted: bool) -> bool:
    """The value is a reference, a call, a piece of code, or repeats the name."""
    if _CALL.match(value) or (_CODE.search(value) and not (quoted and is_random(value) and class_count(value) >= 3)):
        return True
    if not quoted and (_BRACKET.search(value) or _POINTER.match(value)):
        return True
    if _DOTTED.match(value) and not is_random(value):
        return True
    words, own = set(words_of(value[:_LOOKED_AT])), words_of(name)
    if not words or any(map(str.isdigit, value)):
        return False
    return words <= set(own) or (len(words) == 1 and _is_spelled_by(own, next(iter(words))))


def _is_spelled_by(own: tuple[str, ...], word: str) -> bool:
    """`_csrftoken` under `CSRF_SESSION_KEY`: a word of the name, then one that says what it is."""
    return any(word.startswith(part) and word[len(part) :] in _TOLD_APART for part in own)


def _is_joined_words(value: str) -> bool:
    """`jwks_uri`, `RSAES_OAEP_SHA_256`: joined by signs, and no piece that chance alone explains."""
    if not _JOINED.match(value) or not (value.isupper() or value.islower() or "_" in value):
        return False
    pieces = [piece for piece in _SIGNS.split(value) if len(piece) > 4]
    if any(any(map(str.isdigit, piece)) and not piece.isdigit() for piece in pieces) and not _CONSTANT.match(value):
        return False
    return (not any(len(piece) >= 9 and is_random(piece) for piece in pieces) and sum(map(evidence, pieces)) > -6) or (
        bool(_CONSTANT.match(value)) and not any(len(piece) >= 12 and is_random(piece) for piece in pieces)
    )


def _password(value: str) -> Weight | None:
    classes, size = class_count(value), len(value)
    if value.isdigit():
        return (POSSIBLE, "") if size >= 6 and not value.startswith(("19", "20")) else None
    if is_mock(unleet(value)):
        return LIKELY, ""
    if is_random(value):
        return (SURE if size >= 8 and (classes >= 2 or size >= 10) else LIKELY), ""
    return _weak_password(value)


def _weak_password(value: str) -> Weight | None:
    """Words with something added; a word alone is as often a label."""
    size = len(value)
    has_digit = any(map(str.isdigit, value))
    has_sign = any(not char.isalnum() and char not in "_-. " for char in value)
    if size >= 5 and (has_digit or has_sign):
        return (SURE if size >= 8 and has_digit and has_sign else LIKELY), ""
    if size >= 4 and evidence(value) < _SURELY_CHANCE:
        return POSSIBLE, ""
    return (0.45, "a plain word") if size >= 5 else None


def _secret(value: str) -> Weight | None:
    size = len(value)
    if size < 6 or value.isdigit():
        return None
    if is_strong(value) or is_uuid(value) or (is_random(value) and size >= 16):
        return SURE, ""
    if is_random(value):
        return (LIKELY if size >= 8 else POSSIBLE), ""
    if is_hex(value) and size >= 8 and class_count(value) > 1:
        return POSSIBLE, ""
    has_sign = any(not char.isalnum() and char not in "_-. /:" for char in value)
    return (
        (POSSIBLE, "") if size >= 8 and class_count(value) >= 3 and has_sign and any(map(str.isdigit, value)) else None
    )


def _key(value: str) -> Weight | None:
    size = len(value)
    if size < 8 or value.isdigit() or not is_random(value) or is_uuid(value):
        return None
    if _PRINTED_FINGERPRINT.match(value):
        return 0.5, "as long as a fingerprint"
    if is_strong(value):
        return LIKELY, ""
    return (POSSIBLE, "") if size >= 16 or class_count(value) >= 3 else (0.5, "short")


def looks_generated(value: str) -> bool:
    """A literal that entropy alone makes worth a line in the log: the seed's limits, after what it can not be."""
    return (
        len(value) > 16
        and not _SPACE.search(value)
        and entropy(value) > 4.0
        and is_random(value)
        and class_count(value) >= 3
        and not (is_other_thing(value) or _FOREIGN.search(value) or _CODE.search(value) or is_placeholder(value))
        and not (is_monotonous(value) or is_uuid(value) or evidence(value) > -6)
    )


# Literals that nothing but their entropy speaks for: worth a line in the log, never more.


CONFIDENCE = 0.50

_LITERAL = lazy(r"""["'`](?P<value>[A-Za-z0-9+/=_\-.!@#%^*~]{17,200})["'`]""")
_DIGESTED = lazy(
    r"(?i)sha\d|md5|digest|integrity|checksum|hash|fingerprint|etag|commit|revision|public|cert|ssh-|"
    r"alphabet|charset|chars|base64|encod|mapping|import|require\(|color|regex|data:|font|icon|version|"
    r"signature|expected|assert|test|url|href|src=|uuid|guid|_id\b|Id\b"
)


def by_entropy(text: str) -> Iterator[SecretHit]:
    """Literals above the limits, on lines that do not speak of digests and the like."""
    done, share = 0, Share(text)
    for match in _LITERAL.finditer(text):
        value = match["value"]
        if match.start() < done:
            continue
        if share.is_spent(match.start()):
            yield (unread := share.rest(match.start()))
            done = unread.end
            continue
        if not looks_generated(value):
            continue
        line_start = max(text.rfind("\n", 0, match.start()) + 1, match.start() - 200)
        if not _DIGESTED.search(text, line_start, match.start()):
            yield SecretHit(kind="entropy", value=value, start=match.start("value"), confidence=CONFIDENCE)
