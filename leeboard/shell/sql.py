"""Statements for a database that take more away than one row: as far as their words tell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from leeboard.model.text import lazy

_LONGEST = 65_536
_TEXTS = lazy(r"'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/|\$\$.*?\$\$", re.DOTALL)
_NAME = r"[`\"\[]?(?P<name>[\w.\-]{1,120})"
_WHOLE = (
    (r"\s*drop\s+(?P<what>table|database|schema|view|index|role|user|column)\s+(?:if\s+exists\s+)?", "drop"),
    (r"\s*truncate\s+(?:table\s+)?(?:only\s+)?", "truncate"),
)
_COLUMN = lazy(
    rf"\s*alter\s+table\s+{_NAME}\S*\s+drop\s+(?:column\s+)?(?!constraint|index|default|not)\w", re.IGNORECASE
)
_PATTERNS = (
    *((lazy(head + _NAME, re.IGNORECASE), verb) for head, verb in _WHOLE),
    (_COLUMN, "alter table drop"),
)
_ROWS = (
    (lazy(rf"\s*delete\s+from\s+{_NAME}", re.IGNORECASE), "delete from"),
    (lazy(rf"\s*update\s+{_NAME}\S*\s+set\b", re.IGNORECASE), "update"),
)
_LIMITED = lazy(r"\bwhere\b|\blimit\b|\bjoin\b|\busing\b", re.IGNORECASE)
_TAKEN_BACK = lazy(r"\brollback\b", re.IGNORECASE)
_LESSER = frozenset({"view", "index"})
"""What is made anew from what stays."""
_CREATED = lazy(rf"\bcreate\s+(?:temp\s+|temporary\s+)?table\s+(?:if\s+not\s+exists\s+)?{_NAME}", re.IGNORECASE)
_SHELL_OF_MONGO = lazy(
    r"\bdb\.dropDatabase\(\)|\.(?:drop|dropIndexes)\(\)|\.(?:deleteMany|remove)\(\s*\{\s*\}\s*\)|\.updateMany\(\s*\{\s*\}"
)


def sweeping(text: str) -> Iterator[tuple[str, str]]:
    """Each such statement in few words, and the name of what it takes away."""
    text = text[:_LONGEST]
    if _TAKEN_BACK.search(text):
        return
    made = {found["name"].lower() for found in _CREATED.finditer(text)}
    for statement in _TEXTS.sub("''", text).split(";"):
        found = _found(statement)
        if found and found[1].lower() not in made:
            yield found
    for call in _SHELL_OF_MONGO.finditer(text):
        yield call[0][:60], ""


def _found(statement: str) -> tuple[str, str] | None:
    for pattern, verb in _PATTERNS:
        if (match := pattern.match(statement)) and match.groupdict().get("what", "").lower() not in _LESSER:
            kind = match.groupdict().get("what")
            return f"{verb} {kind.lower()} {match['name']}" if kind else f"{verb} {match['name']}", match["name"]
    for pattern, verb in _ROWS:
        if (match := pattern.match(statement)) and not _LIMITED.search(statement):
            return f"{verb} {match['name']} without where", match["name"]
    return None
