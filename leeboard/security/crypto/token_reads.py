"""What is read of a token that nobody has verified yet: which key it wants, or who somebody is."""

from __future__ import annotations

import re

from leeboard.model.text import lazy
from leeboard.security.crypto.branch import around
from leeboard.security.crypto.source import CallSite, CryptoSource, Site

_HEADS = frozenset("header headers head kid alg typ jku x5u x5c x5t".split())
_CALL = lazy(r"(?is)\A[^\n(]{0,80}(?:decode|unverified)\w{0,12}\(")
_MADE = lazy(r"\s*(?:(?:const|let|var|final)\s+)?(?P<names>[^=()\n]{1,80}?)\s*:?=(?![=>])")
_WORD = lazy(r"(?<!\w)[A-Za-z]\w*")
_KEY = lazy(r"(?:[!?.\[\(]|->|\s|[\"':]|get\(|fetch\(|dig\(|\.last\b|\[1\])*(?P<key>\w+)")
_ROOM = 60


def reads_only_the_head(site: Site, source: CryptoSource) -> bool:
    """`jwt.decode(t, ...)["kid"]`, or a variable of which nothing but its head is read."""
    keys = _keys_read(site, source)
    return bool(keys) and keys <= _HEADS


def _keys_read(site: Site, source: CryptoSource) -> set[str]:
    end = _end_of_call(site)
    behind = source.text[end : end + _ROOM]
    if behind[:1] in set("[.!?"):
        return {_key_of(behind)}
    made = _MADE.match(source.text, source.text.rfind("\n", 0, site.start) + 1, end)
    names = _WORD.findall(made["names"]) if made is not None else []
    if not names:
        return set()
    if _HEADS.issuperset(name.lower() for name in names):
        return {"header"}
    rest = "\n".join(source.lines[site.line : source.function_lines(site)[1]])
    read = re.compile(rf"(?<![\w.!])(?<!\bif )(?<!\bif \()(?<!\bnot ){re.escape(names[0])}\b(?!\s*(?:[!=]==?|is\b))")
    return {_key_of(rest[found.end() : found.end() + _ROOM]) for found in read.finditer(rest)}


def _end_of_call(site: Site) -> int:
    nodes = [site.node, *around(site)] if isinstance(site, CallSite) else around(site)
    called = next((node for node in nodes if "call" in node.kind() and _CALL.match(node.text()[:200])), site.node)
    return max(called.range().end.index, site.end)


def _key_of(behind: str) -> str:
    """The first name that is read of it; of a value that is handed on whole, none of the head."""
    found = _KEY.match(behind) if behind[:1] in set("[.!?-") else None
    return found["key"].lower() if found is not None else "*"
