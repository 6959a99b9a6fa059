"""A part of an address, joined to the one that it belongs to: `url.resolve(base, "/read?id=" + id)`."""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.model.text import lazy
from leeboard.security.taint.use import Use
from leeboard.security.taint.values import OPEN, Val, held

_JOINS = ("url.resolve", "urllib.parse.urljoin", "urlparse.urljoin")
"""Given the base first."""
_MAKES = frozenset({"URL", "url.URL", "node:url.URL"})
"""Given the base behind the part."""
_STAYS = lazy(r"/?[\w.-]+[/?#=]|/?[?#]")
"""How a part begins that names no other host: two slashes would, and so would a word and a colon."""


def joined_address(use: Use) -> Val | None:
    """What it begins with is what the base begins with; None where the part may name a host."""
    if len(use.args) != 2 or not (use.path.endswith(_JOINS) or use.path in _MAKES):
        return None
    base, part = map(held, use.args if use.path not in _MAKES else use.args[::-1])
    if base.taints or not part.taints or not _STAYS.match(part.text):
        return None
    return replace(part, text=f"{base.text or OPEN}{part.text}", path=f"{use.path}()")
