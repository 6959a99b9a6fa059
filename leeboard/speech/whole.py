"""Does a request ask for the whole repository? Then no part of it is foreign to the work."""

from __future__ import annotations

import re

from leeboard.model.text import lazy

_ALL = lazy(
    r"\b(?:tidy|clean|polish|refactor|moderni[sz]e|reformat|format|lint|audit|harden|simplify)\w{0,3}\s+(?:up\s+)?"
    r"(?:(?:the|our|this|my|all)\s+)?(?:(?:whole|entire|full)\s+)?"
    r"(?:code\s?base|code|project|repo|repository|tree|sources?)\s*(?:[.!?]|$|\band\b)"
    r"|\b(?:whole|entire)\s+(?:code\s?base|project|repo|repository|tree)\b",
    re.IGNORECASE,
)


def asks_for_all(text: str) -> bool:
    """True for "tidy up the code base": no part of the repository is foreign to it."""
    return bool(_ALL.search(text))
