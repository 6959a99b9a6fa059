"""For which kinds of sink a text is harmless when something was taken out of it."""

from __future__ import annotations

from leeboard.model.text import lazy
from leeboard.security.taint.table import Kind
from leeboard.security.taint.values import ALL, NONE

PATHS: frozenset[Kind] = frozenset({"path", "upload"})
QUOTED: frozenset[Kind] = frozenset({"sql", "xpath", "ldap", "code", "command", "nosql"})
LINES: frozenset[Kind] = frozenset({"log", "header"})
_MARKUP: frozenset[Kind] = frozenset({"html"})
_ONLY = lazy(r"^/?\(?(?:\[\^[\w\s\-@+,:=]*(?:\\[wds\-.][\w\-]*)*\]|\\W|\\D)[+*]?\)?(?:/[gimu]*)?$")
_ONLY_AND_DOTS = lazy(r"^/?\(?\[\^[\w\s\-@+,:=.]*(?:\\[wds\-.][\w\-.]*)*\][+*]?\)?(?:/[gimu]*)?$")
_LEAVES_LINES = lazy(r"\\[snr]|\n")
"""Blanks and ends of lines stay: words can be added to a command or a query, and lines to a program."""
_OF_WORDS: frozenset[Kind] = frozenset({"sql", "xpath", "command", "code", "log", "header"})
_ADDRESSED: frozenset[Kind] = frozenset({"url", "redirect"})
NAMED_TAG = lazy(r"(?i)<(?:[\s/]|\\[s/]|[*?+]|\(\?:){0,8}[a-z]{2}")
"""Without this one tag there are all the others."""


def without_text(text: str) -> frozenset[Kind]:
    """The kinds for which a value without this text is harmless."""
    if ".." in text or r"\.\." in text or text in {"/", "\\"}:
        return PATHS
    if text in {"'", '"', ";", "`"}:
        return QUOTED
    if text in {"\n", "\r", "\r\n"}:
        return LINES
    return _MARKUP if text in {"<", ">"} else NONE


def without_pattern(pattern: str) -> frozenset[Kind] | None:
    """The kinds for which a value without this pattern is harmless. None: all, as only named characters are left."""
    worded = _OF_WORDS if _LEAVES_LINES.search(pattern) else NONE
    if _ONLY.match(pattern[:200]):
        return ALL - worded if worded else None
    found: frozenset[Kind] = NONE
    if _ONLY_AND_DOTS.match(pattern[:200]):
        return ALL - PATHS - _ADDRESSED - worded
    if r"\n" in pattern or r"\r" in pattern or "\n" in pattern:
        found |= LINES
    if r"\.\." in pattern:
        found |= PATHS
    if "<" in pattern and not NAMED_TAG.search(pattern):
        found |= _MARKUP
    return found
