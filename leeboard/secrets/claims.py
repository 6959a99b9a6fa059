"""What a signed token says: whether it lets somebody in, or only tells who somebody is."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from math import inf

from leeboard.model.text import lazy

_PUBLIC_KEYS = lazy(r"(?i)(?:rs|es|ps)\d{3}|ed(?:dsa|25519|448)")
"""Algorithms whose signatures everybody can check, and one can make."""
_LETS_IN = lazy(
    r"(?i)exp|aud|azp|scopes?|scp|roles?|perm\w*|grants?|\w*session\w*|sid|email|authorities|entitlements|access\w*|"
    r"\w*serviceaccount\w*|client_?id|app_?id|user_?(?:id|name)?|(?:is_?)?(?:admin\w*|root|staff|superuser)|groups?|"
    r"rights|privileges?|capabilit\w+|tenant\w*|upn|preferred_username|login|nonce|auth_time|acr|amr"
)
_MADE_UP = lazy(r"(?i)(?<![a-z])(?:test_?data|emulated|mock(?:ed)?|fake|dummy)(?![a-z])|(?-i:testData|[a-z]Emulated)")
_OF_ALL = lazy(r"(?i)(?<![a-z])(?:admin\w*|root|superuser|service_?role|system:serviceaccount\S*|\*|true)(?![a-z])")
_DEEPEST, _DAY = 3, 86_400


def why_open(token: str) -> str:
    """Why nobody has to hide it; empty where it may let somebody in.

    A statement that is signed with a key pair, about an operator, an account or a package, is handed around, and proves
    nothing of who shows it.
    """
    pieces = [*token.split("."), "", ""]
    header, claims = map(read_claims, pieces[:2])
    if not header or not claims:
        return "a signed text, which claims nothing" if header and _is_prose(pieces[1]) else ""
    if any(_MADE_UP.search(word) for word in _words(claims)):
        return "test data, as it says itself"
    if not _PUBLIC_KEYS.match(str(header.get("alg", ""))) or any(map(_LETS_IN.fullmatch, _names(claims, _DEEPEST))):
        return ""
    if "sub" in claims and str(claims.get("iss", "")).startswith("http"):
        return ""  # a server that people log in at says who it is
    return "a signed statement, which lets nobody in"


def lasts_days(token: str) -> float:
    """How long it lets somebody in, as it says itself; infinity where it does not say."""
    claims = read_claims([*token.split("."), "", ""][1])
    begins = next((claims[name] for name in ("iat", "nbf") if name in claims), None)
    ends = claims.get("exp")
    if not isinstance(begins, int | float) or not isinstance(ends, int | float) or not begins <= ends:
        return inf
    return (ends - begins) / _DAY


def rules_all(token: str) -> bool:
    """Whether it says that whoever shows it is an administrator or a service of the project's own."""
    claims = read_claims([*token.split("."), "", ""][1])
    given = (claims.get(name) for name in ("role", "roles", "scope", "scopes", "groups", "sub", "admin"))
    return any(_OF_ALL.search(json.dumps(one)) for one in given if one is not None)


def _is_prose(piece: str) -> bool:
    """Whether words were signed, and no claims."""
    try:
        text = urlsafe_b64decode(piece + "=" * (-len(piece) % 4)).decode()
    except ValueError:
        return False
    return " " in text.strip() and not text.lstrip().startswith("{") and text.replace("\n", "").isprintable()


def read_claims(piece: str) -> dict[str, object]:
    """What one part of a token says; nothing where it says nothing that can be read."""
    try:
        read = json.loads(urlsafe_b64decode(piece + "=" * (-len(piece) % 4)))
    except (ValueError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}


def _words(claims: dict[str, object]) -> Iterator[str]:
    """Its outer names, and what stands there as text."""
    yield from claims
    yield from (value for value in claims.values() if isinstance(value, str))


def _names(claims: dict[str, object], depth: int) -> Iterator[str]:
    for name, value in claims.items():
        yield from name.split("/")
        if isinstance(value, dict) and depth:
            yield from _names(value, depth - 1)
