"""A `for` over words that stand in the line: its body is read once for each of them."""

from __future__ import annotations

import re

from leeboard.code._shell_expansion import UNKNOWN, Lookup
from leeboard.code._shell_words import split
from leeboard.model.pattern import lazy
from leeboard.model.touch import Started

MAX_WORDS = 20
_SUBSTITUTES = lazy(r"\$\(|`|[<>]\(")
_LIST = lazy(r"for\s+[A-Za-z_]\w*\s+in\s", re.ASCII)
_SETS_NAMES = lazy(
    r"\b(?:IFS|alias|declare|enable|eval|getopts|let|local|mapfile|read|readarray|source|trap|typeset)\b"
    r"|\bprintf\s+-v|\bexport\s+[^A-Za-z_\s]|(?<![^\s;&|(])\.\s"
)
"""What may give a name another value than the line shows, or split its value elsewhere than at blanks."""


def literal_words(head: str, lookup: Lookup, kept: list[str]) -> list[str]:
    """The words a loop goes through, from `for` up to its body; empty where not all of them can be told."""
    start = _LIST.match(head)
    if start is None or _SUBSTITUTES.search(head):
        return []
    listed = "in " + head[start.end() :].rstrip("; \t\n")  # the first word is no assignment, whatever it looks like
    simple = split(listed, lookup, kept)
    if simple is None or simple.redirects or len(simple.words) > MAX_WORDS + 1:
        return []
    return [] if any(UNKNOWN in word for word in simple.words) else simple.words[1:]


def keeps_its_value(name: str, body: str) -> bool:
    """Whether a name only ever stands in the body for what the loop gave it."""
    if _SETS_NAMES.search(body):
        return False
    return not re.search(rf"(?<![\w$])(?<!\$\{{)(?<!\s-){re.escape(name)}(?!\w)", body, re.ASCII)


def bends_names(started: Started) -> bool:
    """Whether what follows in the shell may see other values than the line gives to its names."""
    program, *given = started.words
    if program in {"declare", "local", "typeset"}:
        return any(word.startswith("-") and "n" in word for word in given)
    if program in {".", "source"}:
        return not (given and given[0].endswith("bin/activate"))
    return program in {"alias", "enable", "trap"} or (program == "eval" and any(UNKNOWN in word for word in given))
