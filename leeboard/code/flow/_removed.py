"""For which kinds of sink a text is harmless when something was taken out of it."""

from __future__ import annotations

from leeboard.code.flow.table import Kind
from leeboard.code.flow.value import NONE
from leeboard.model.pattern import lazy

PATHS: frozenset[Kind] = frozenset({"path", "upload"})
QUOTED: frozenset[Kind] = frozenset({"sql", "xpath", "ldap", "code", "command", "nosql"})
LINES: frozenset[Kind] = frozenset({"log", "header"})
_MARKUP: frozenset[Kind] = frozenset({"html"})
_ONLY = lazy(r"^/?\(?(?:\[\^[\w\s\-@+,:=]*(?:\\[wds\-.][\w\-]*)*\]|\\W|\\D)[+*]?\)?(?:/[gimu]*)?$")


def without_text(text: str) -> frozenset[Kind]:
    """Of a value that does not contain this text."""
    if ".." in text or text in {"/", "\\"}:
        return PATHS
    if text in {"'", '"', ";", "`"}:
        return QUOTED
    if text in {"\n", "\r", "\r\n"}:
        return LINES
    return _MARKUP if text in {"<", ">"} else NONE


def without_pattern(pattern: str) -> frozenset[Kind] | None:
    """Of a value from which this pattern was removed. None: all kinds, only named characters are left."""
    if _ONLY.match(pattern[:200]):
        return None
    found: frozenset[Kind] = NONE
    if r"\n" in pattern or r"\r" in pattern or "\n" in pattern:
        found |= LINES
    if r"\.\." in pattern:
        found |= PATHS
    if "<" in pattern:
        found |= _MARKUP
    return found
