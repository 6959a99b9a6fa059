"""Does a request ask for the whole repository? Then no part of it is foreign to the work."""

from __future__ import annotations

import re

from leeboard.model.text import lazy

_ALL = lazy(
    r"\b(?:tidy|clean|polish|refactor|moderni[sz]e|reformat|format|lint|audit|harden|simplify)\w{0,3}\s+(?:up\s+)?"
    r"(?:(?:the|our|this|my|all)\s+)?(?:(?:whole|entire|full)\s+)?"
    r"(?:code\s?base|code|project|repo|repository|tree|sources?)\s*(?:[.!?]|$|\band\b)"
    r"|\b(?:whole|entire)\s+(?:code\s?base|project|repo|repository|tree)\b"
    r"|\b(?:all|every|any)\b[^.!?\n]{0,40}\s(?:in|across|of)\s+(?:the|this|our)\s+(?:code\s?base|project|repo|repository)\b"
    r"|\b(?:across|throughout)\s+(?:the|this|our)\s+(?:code\s?base|project|repo|repository|code)\b"
    r"|\b(?:code\s?base|code|project|repo|repository)\s+throughout\b"
    r"|\b(?:upgrade|migrate|port|convert|move|update)\w{0,3}\s+(?:the|this|our)\s+(?:code\s?base|project|repo|repository)\s+(?:to|from)\b"
    r"|\b(?:get\s+rid\s+of|remove|delete|find)\s+(?:all\s+|any\s+|the\s+)?(?:unused|dead|obsolete|orphaned)\s+(?:files?|code|modules?|"
    r"imports?|dependenc\w+)\s*(?:[.!?]|$)",
    re.IGNORECASE,
)


def asks_for_all(text: str) -> bool:
    """True for "tidy up the code base": no part of the repository is foreign to it."""
    return bool(_ALL.search(text))
