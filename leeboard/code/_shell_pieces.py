"""Cuts a shell text that is too long for the grammar into parts that are not.

The cuts are where one statement ends and the next begins, outside of quotes, brackets and compound statements. A
statement that is too long by itself is cut at its operators, and a compound one loses its frame: its commands are then
read one after the other, which tells what they touch though not when.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from leeboard.code._shell_expansion import closing
from leeboard.model.pattern import lazy

_TOGETHER = 1_024
"""Short statements are given to the grammar together: each call of it costs."""
_MARK = lazy(
    r"\\.|'[^']*'|[\"`]|\$?\(\(|\$\(|[<>]\(|\$\{|[()]|&&|\|\||&>>?|[<>]&|;;&?|;&|[;&|\n]|(?<![^\s;&|(])[A-Za-z{}!]+(?=[\s;&|()]|$)",
)
_OPENS = frozenset({"if", "for", "while", "until", "select", "case", "{"})
_CLOSES = frozenset({"fi", "done", "esac", "}"})
_LEADS = frozenset({"if", "then", "else", "elif", "while", "until", "do", "{", "!", "time", *_CLOSES})
_LEAD = lazy(
    r"\s*(?:(?:if|then|else|elif|while|until|do|time|[{}!]|fi|done|esac)(?=\s)"
    r"|(?:case\s[^;&|\n]{1,200}?\sin\s{1,9})?\(?[^\s()'\"$=]{1,200}\)(?=\s))"
)
"""What stands before a command in a compound one, the pattern of a case too."""
_DEEPEST = 40
_HEADS = frozenset({"for", "select", "case", "function"})
_ENDS = frozenset({"\n", ";", "&", ";;", ";;&", ";&"})
_OPERATORS = frozenset({*_ENDS, "&&", "||", "|"})


class Piece(msgspec.Struct, frozen=True):
    text: str
    whole: bool = True
    """False for what was taken out of its statement."""


def pieces_of(text: str, longest: int) -> Iterator[Piece]:
    """In order. What can not be cut is longer than `longest` still."""
    together = ""
    for statement in _statements(text):
        if len(together) + len(statement) > _TOGETHER and together.strip():
            yield Piece(together)
            together = ""
        if len(statement) <= longest:
            together += statement
        else:
            yield from (Piece(part, whole=False) for part in _parts(statement))
    if together.strip():
        yield Piece(together)


def _statements(text: str) -> Iterator[str]:
    """Each with what ends it."""
    depth, start, is_first = 0, 0, True
    for mark, _, end in _marks(text):
        if is_first and mark in _OPENS:
            depth += 1
        elif is_first and mark in _CLOSES:
            depth = max(depth - 1, 0)
        if mark in _ENDS and not depth:
            yield text[start:end]
            start = end
        is_first = mark in _OPERATORS or mark in _LEADS or mark == ")"
    yield text[start:]


def _parts(statement: str, depth: int = 0) -> Iterator[str]:
    """Its commands, without what frames them."""
    start = 0
    for mark, at, end in (*_marks(statement), ("\n", len(statement), len(statement))):
        if mark in _OPERATORS:
            part = _unframed(statement[start:at])
            start = end
            if part.startswith("(") and depth < _DEEPEST and closing(part, 0) == len(part):
                yield from _parts(part[1:-1], depth + 1)
            elif part:
                yield part


def _unframed(part: str) -> str:
    at = 0
    while lead := _LEAD.match(part, at):
        at = lead.end()
    rest = part[at:].strip()
    return "" if rest.split(None, 1)[:1] and rest.split(None, 1)[0] in _HEADS | _LEADS else rest


def _marks(text: str) -> Iterator[tuple[str, int, int]]:
    """What may end a statement or frame one; quotes and brackets are passed over whole."""
    at = 0
    while found := _MARK.search(text, at):
        mark, begin, at = found[0], found.start(), found.end()
        if mark in {'"', "`"} or (mark[-1] in "({" and mark != "{"):
            opener = begin + len(mark) - 1 - mark.endswith("((")
            end = closing(text, opener)
            if end < 0:
                return  # it has no end: nothing behind it stands by itself
            at = end
        else:
            yield mark, begin, at
