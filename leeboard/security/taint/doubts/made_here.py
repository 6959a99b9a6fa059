"""Whether a value of which nobody knows where it comes from is one that the program itself makes.

A name that nothing in the file sets is anybody's. One that is set there, or a field of an object, comes from another
part of the program: its settings, its own tables, what another of its functions found.
"""

from __future__ import annotations

import re

from leeboard.model.text import lazy
from leeboard.security.taint.doubts.flow_doubt import TABLE

_QUOTES = lazy(TABLE.quotes_for_shell)
_STRINGS = lazy(r"'[^'\n]*'|\"[^\"\n]*\"")
_NAMES = lazy(r"(?<![\w.])[A-Za-z_]\w*(?!\w|\s*\()")
_NO_VALUES = lazy(r"\b\w+\s*=[^=,()]*|\b(?:if|else|in|not|and|or|for|is|None|True|False|str)\b")
_OBJECTS = frozenset({"self", "this"})
_NEAR = 25
"""Lines in front of a call in which its words are quoted one by one."""


def is_made_here(text: str, line: int) -> bool:
    """Whether each name in the call on this line is set in the file, or other words of it are quoted for a shell."""
    lines = text.split("\n")
    if _QUOTES.search("\n".join(lines[max(0, line - _NEAR) : line + 1])):
        return True
    given = _NO_VALUES.sub("", _STRINGS.sub("", _call(lines, line)))
    names = set(_NAMES.findall(given))
    return bool(names) and all(name in _OBJECTS or _is_set(text, name) for name in names)


def _call(lines: list[str], line: int) -> str:
    """What stands in its parentheses: on its line, or on the next where nothing does."""
    inside = "".join(lines[line - 1 : line]).partition("(")[2]
    return inside if inside.strip() else "".join(lines[line : line + 2])


def _is_set(text: str, name: str) -> bool:
    word = re.escape(name)
    found = rf"(?m)^[ \t]*[\w \t,$*]*\b{word}\b[\w \t,:)\[\]]*[+.|]?=(?!=)|\b(?:for|import|as)\s[^\n]*\b{word}\b"
    return re.search(found, text) is not None
