"""What a signed token says: whether it lets somebody in, or only tells who somebody is."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from collections.abc import Iterator

from leeboard.model.text import lazy

_PUBLIC_KEYS = lazy(r"(?i)(?:rs|es|ps)\d{3}|ed(?:dsa|25519|448)")
"""Algorithms whose signatures everybody can check, and one can make."""
_LETS_IN = lazy(
    r"(?i)exp|aud|azp|scopes?|scp|roles?|perm\w*|grants?|\w*session\w*|sid|email|authorities|entitlements|access\w*|"
    r"\w*serviceaccount\w*|client_?id|app_?id|user_?(?:id|name)?"
)
_DEEPEST = 3


def only_states(token: str) -> bool:
    """Whether it is signed with a key pair and claims nothing by which a service would let its bearer in.

    Such a statement about an operator, an account or a package is handed around, and proves nothing of who shows it.
    """
    header, claims = (_part(piece) for piece in [*token.split("."), "", ""][:2])
    if not header or not claims or not _PUBLIC_KEYS.match(str(header.get("alg", ""))):
        return False
    return not any(_LETS_IN.fullmatch(name) for name in _names(claims, _DEEPEST))


def _part(piece: str) -> dict[str, object]:
    try:
        read = json.loads(urlsafe_b64decode(piece + "=" * (-len(piece) % 4)))
    except (ValueError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}


def _names(claims: dict[str, object], depth: int) -> Iterator[str]:
    for name, value in claims.items():
        yield from name.split("/")
        if isinstance(value, dict) and depth:
            yield from _names(value, depth - 1)
