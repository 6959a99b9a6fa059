"""Does a message ask for something everywhere? A rename, a migration or a clean-up has no one place."""

from __future__ import annotations

import re

from leeboard.model.pattern import lazy

_EVERYWHERE = lazy(
    r"\beverywhere\b|\b(?:across|throughout)\s+(?:the|all|our)\b|"
    r"\b(?:whole|entire|full)\s+(?:app|application|code\s?base|project|repo|repository|tree|site|package|library|test\s+suite)\b|"
    r"\ball\s+(?:the\s+|of\s+the\s+|our\s+|other\s+)?(?:files|modules|packages|apps|components|pages|places|usages|occurrences|references|"
    r"call\s?sites|services|tests|warnings|errors|features|endpoints|controllers|views|models|screens|crates|projects|callers)\b|"
    r"\b(?:every|each)\s+(?:file|module|package|app|component|page|place|usage|occurrence|service|feature|endpoint|screen|crate)\b|"
    r"\b(?:code\s?base|project|repo|app)-?\s?wide\b|\brename\s+\S+\s+(?:to|->|→)\s|\bmigrat(?:e|ion)\s+(?:from|to|all|everything|the\s+(?:whole|app))\b|"
    r"\bupgrade\s+(?:to\s+)?\S+\s+(?:from|to|\d|v\d)|\b(?:fix|clean)\s+(?:up\s+)?(?:all|the)\s+lint|"
    r"\büberall\b|\bpartout\b|\ben\s+tod[oa]s?\b|\bem\s+todos?\b|\bвезде\b|所有|全部|全て|すべて|everything\b",
    re.IGNORECASE,
)


def asks_everywhere(text: str) -> bool:
    """True for "rename X everywhere", "migrate the whole app", "fix all lint errors"."""
    return bool(_EVERYWHERE.search(text[:4_000]))
