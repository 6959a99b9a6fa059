"""Whether anybody would hear of an assertion that fails: what catches it, and what keeps it from being reached.

Read from the syntax of one test. Only what nothing decides counts as an end: a `return` under a condition is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import msgspec
from ast_grep_py import SgNode

from leeboard.data import load
from leeboard.source.syntax import parse

_SCRIPTS = frozenset({"javascript", "typescript", "tsx"})
_DECLARES = re.compile(r"\bfunction\s+\w+\s*\(")
"""Functions of a script are there from its first line on."""

_NAME = re.compile(r"\$?\w+")


class _Catching(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    statements: frozenset[str]
    handlers: frozenset[str]
    catches: str
    fails: str


class _Reach(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hints: str
    ends: frozenset[str]
    calls: str
    wrappers: frozenset[str]
    blocks: frozenset[str]
    branches: frozenset[str]
    never: str
    loops: frozenset[str]
    loops_over: str
    empty: str
    filled: str


class _Unheard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    catching: _Catching
    reach: _Reach


@lru_cache(maxsize=1)
def _table() -> _Unheard:
    return load("verify/unheard", _Unheard)


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    reach = _table().reach
    return re.compile(reach.hints), re.compile(reach.calls), re.compile(reach.never), re.compile(reach.loops_over)


def is_caught(assertion: SgNode, case: SgNode) -> bool:
    """Whether something around it catches its failure and goes on."""
    table, inside = _table().catching, case.range()
    for above in assertion.ancestors():
        place = above.range()
        if place.start.index <= inside.start.index and place.end.index >= inside.end.index:
            return False
        if above.kind() in table.statements and _swallows(above, assertion, table):
            return True
    return False


def _swallows(statement: SgNode, assertion: SgNode, table: _Catching) -> bool:
    at = assertion.range().start.index
    for part in statement.children():
        if part.kind() in table.handlers and not part.range().start.index <= at < part.range().end.index:
            text = part.text()
            if re.search(table.catches, text) and not re.search(table.fails, text.partition("\n")[2] or text[6:]):
                return True
    return False


def unreached(case: SgNode, text: str, language: str) -> tuple[tuple[int, int], ...]:
    """The parts of a test that nothing gets to, as places in the parsed text. `text` is the test as it is written."""
    hints, calls, never, loops_over = _patterns()
    if not hints.search(text):
        return ()
    reach = _table().reach
    kinds = (*reach.ends, *reach.branches, *reach.loops, *(reach.wrappers if calls.search(text) else ()))
    found: list[tuple[int, int]] = []
    for node in case.find_all(any=[{"kind": kind} for kind in kinds if kind in _known_kinds(language)]):
        kind = node.kind()
        if kind in reach.ends or (kind in reach.wrappers and calls.match(node.text())):
            found += _behind(node, reach, language)
        elif kind in reach.branches and never.match(node.text()):
            found.append(_taken(node))
        elif kind in reach.loops and _is_over_nothing(node.text(), text, loops_over):
            found.append(_span(node))
    return tuple(found)


@lru_cache(maxsize=16)
def _known_kinds(language: str) -> frozenset[str]:
    """A grammar that does not know the name of a node refuses the whole question."""
    reach, tree = _table().reach, parse("", language)
    kinds = (*reach.ends, *reach.branches, *reach.loops, *reach.wrappers)
    return frozenset(kind for kind in kinds if tree is not None and _is_kind(tree.root, kind))


def _is_kind(root: SgNode, kind: str) -> bool:
    try:
        root.find_all(kind=kind)
    except (ValueError, RuntimeError):
        return False
    return True


def _span(node: SgNode) -> tuple[int, int]:
    place = node.range()
    return place.start.index, place.end.index


def _behind(end: SgNode, reach: _Reach, language: str) -> Iterator[tuple[int, int]]:
    """All that follows an end in its own block."""
    statement, block = end, end.parent()
    while block is not None and block.kind() in reach.wrappers:
        statement, block = block, block.parent()
    if block is None or block.kind() not in reach.blocks:
        return
    before = statement.prev()
    if before is not None and before.kind() == "attribute_item":
        return  # compiled somewhere only
    start, stop = _span(statement)[1], _span(block)[1]
    if language in _SCRIPTS and _DECLARES.search(block.text()[start - stop :]):
        return
    yield start, stop


def _taken(branch: SgNode) -> tuple[int, int]:
    """What a condition that never holds would lead to; all but the other way."""
    start, stop = _span(branch)
    other = branch.field("alternative")
    return start, min(stop, _span(other)[0]) if other is not None else stop


def _is_over_nothing(loop: str, text: str, loops_over: re.Pattern[str]) -> bool:
    head = loops_over.match(loop)
    if head is None:
        return False
    over = next((group.strip() for group in head.groups() if group), "")
    return _collections()[0].fullmatch(over) is not None or over in _empty_names(text)


@lru_cache(maxsize=1)
def _collections() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """One without anything in it, where a name is given such a one, and a name that something is put into."""
    reach = _table().reach
    return re.compile(reach.empty), re.compile(rf"=\s*(?:{reach.empty})"), re.compile(reach.filled)


@lru_cache(maxsize=8)
def _empty_names(text: str) -> frozenset[str]:
    """Collections of a test that stay empty."""
    _empty, given, filled = _collections()
    heads = (text[text.rfind("\n", 0, match.start()) + 1 : match.start()] for match in given.finditer(text))
    found = frozenset(words[-1] for head in heads if (words := _NAME.findall(head.partition(":")[0])))
    return found and found - {name for names in filled.findall(text) for name in names}
