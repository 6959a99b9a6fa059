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


def is_made_here(text: str, line: int) -> bool:
    """Whether each name in the call on this line is set in the file, or other words of it are quoted for a shell."""
    lines = text.split("\n")
    if _QUOTES.search("\n".join(lines[line - 1 : line + 1])):
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
    if re.search(rf"\b(?:for|import|as)\s[^\n]*\b{word}\b", text):
        return True
    assigned = re.compile(rf"[ \t]*[\w \t,$*]*\b{word}\b[\w \t,:)\[\]]*[+.|]?=(?!=)[ \t]*([^\n]*)")
    naming = (line for line in text.split("\n") if name in line)  # as few lines do
    given = [match[1] for line in naming if (match := assigned.match(line)) is not None]
    return bool(given) and not any(_is_fetched(text, value) for value in given)


def _is_fetched(text: str, value: str) -> bool:
    """Whether it is what a call yields of which the file shows nothing: neither itself nor what it is given."""
    call = _CALLED.match(value)
    if call is None or _KNOWN_CALL.match(call[1]):
        return False
    return re.search(rf"\b(?:def|function|func|sub|class)\s+{re.escape(call[1].rpartition('.')[2])}\b", text) is None


_CALLED = lazy(r"(?:await\s+)?([A-Za-z_][\w.]*)\([^()]*\)[ \t;]*(?:#|//|$)")
_KNOWN_CALL = lazy(
    r"(?:(?:self|this|cls)\.\w+|(?:os|sys|shlex|re|platform|sysconfig|tempfile|site|path|textwrap)\..*|"
    r"str|list|sorted|repr|format|input|getattr|config\..*|settings\..*|options?\..*|args\..*)$"
)
