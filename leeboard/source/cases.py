"""The tests of a text: their names and places, whether they run, and what they assert. Told by syntax, in the languages
that `leeboard/data/verify/cases.toml` knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import msgspec
from ast_grep_py import SgNode

from leeboard.data import load
from leeboard.model.text import lazy
from leeboard.source.hollow import is_hollow
from leeboard.source.syntax import SyntaxTree, parse
from leeboard.source.unheard import is_caught, unreached

EXACT = 3
_LARGEST = 300_000
_MOST = 400
_ROOM = 400
_ABOVE = ("@", "#[", "[", "/**", "*", "*/", "//")
"""What a line above a test starts with that belongs to it."""
_CALLS = {"ruby": ("call",), "php": ("function_call_expression",)}
_HEAD, _CALLEE = 400, 60
_QUOTED = lazy(r"\"(?:[^\"\\\n]|\\.){0,400}\"|'(?:[^'\\\n]|\\.){0,400}'|`[^`\n]{0,400}`")


class _Language(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kinds: tuple[str, ...]
    asserts: str
    skips: str
    names: str = ""
    marks: str = ""
    blocks: str = ""
    groups: str = ""
    alone: str = ""
    only_where: str = ""
    whole: str = ""
    """A line of the file itself that keeps all its tests from running."""


class _Strength(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    strength: int
    pattern: str


class _Cases(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    languages: dict[str, _Language]
    strengths: tuple[_Strength, ...]
    mocks: dict[str, str]


class TestedCase(msgspec.Struct, frozen=True, kw_only=True):
    """One test. Its name is that of its function, or the words it is given."""

    name: str
    start: int
    end: int
    text: str
    skipped: str = ""
    """What keeps it from running, as it is written; empty where nothing does."""
    condition: bool = False
    """It is kept from running only somewhere, or sometimes."""
    alone: bool = False
    """It keeps all others from running."""
    asserts: tuple[str, ...] = ()
    caught: tuple[str, ...] = ()
    """Assertions whose failure nobody hears of, since something around them catches it."""
    unreached: tuple[str, ...] = ()
    """Assertions that nothing gets to."""


@lru_cache(maxsize=1)
def case_table() -> _Cases:
    return load("verify/cases", _Cases)


def silencing(language: str) -> str:
    """What a line that keeps tests from running has in it."""
    table = case_table().languages[_same(language)]
    return "|".join(filter(None, (table.skips, table.alone, table.whole)))


def whole_file_marks(language: str) -> str:
    return case_table().languages[_same(language)].whole


def asserts_in(node: SgNode, language: str) -> tuple[str, ...]:
    """What any function asserts."""
    table = case_table().languages[_same(language)]
    return tuple(said for said, _unheard in _asserts(node, table, ()))


def knows(language: str) -> bool:
    return _same(language) in case_table().languages


def _same(language: str) -> str:
    return "javascript" if language in {"typescript", "tsx"} else language


@lru_cache(maxsize=8)
def cases_of(text: str, language: str) -> tuple[TestedCase, ...]:
    """In the order of the text; none where it can not be parsed."""
    table = case_table().languages.get(_same(language))
    tree = parse(text, language) if table and len(text) <= _LARGEST else None
    if table is None or tree is None:
        return ()
    found = [*_defined(tree, table), *_called(tree, table)]
    return tuple(sorted(found, key=lambda case: (case.start, -case.end))[:_MOST])


def _defined(tree: SyntaxTree, table: _Language) -> Iterator[TestedCase]:
    lines = tree.text.split("\n")
    for definition in tree.definitions if table.names or table.marks else ():
        start = _first_line(lines, definition.start)
        head = "\n".join(lines[start - 1 : definition.start + 3])[:_HEAD]
        named = bool(table.names) and re.search(table.names, definition.name) is not None
        marked = bool(table.marks) and re.search(table.marks, head) is not None
        if named or marked:
            if definition.kind == "class" and not re.search(
                table.skips, "\n".join(lines[start - 1 : definition.start])
            ):
                continue
            yield _case(tree, table, definition.name, (start, definition.end), definition.node)


def _first_line(lines: list[str], start: int) -> int:
    while start > 1 and lines[start - 2].strip().startswith(_ABOVE):
        start -= 1
    return start


def _called(tree: SyntaxTree, table: _Language) -> Iterator[TestedCase]:
    """Blocks: `it("adds", () => ...)`."""
    if not table.blocks:
        return
    kinds = _CALLS.get(tree.language, ("call_expression",))
    wanted = re.compile(f"{table.blocks}|{table.groups}" if table.groups else table.blocks)
    for node in tree.root.find_all(any=[{"kind": kind} for kind in kinds]):
        callee = node.field("method" if tree.language == "ruby" else "function")
        called = callee.text()[:_CALLEE].partition("(")[0].strip() if callee is not None else ""
        if not wanted.search(called) or "\n" in called:
            continue
        arguments = node.field("arguments")
        name = _title(arguments)
        if not name:
            continue
        place = node.range()
        group = bool(table.groups) and re.search(table.groups, called) is not None
        first = node.text()[:_HEAD].split("\n", 1)[0]
        if group and not (re.search(table.skips, first) or (table.alone and re.search(table.alone, first))):
            continue
        yield _case(tree, table, name, (place.start.line + 1, place.end.line + 1), node, group=group)


def _title(arguments: SgNode | None) -> str:
    if arguments is None:
        return ""
    first = next(iter(arguments.named_children()), None)
    if first is None:
        return ""
    text = first.text()
    return text.strip("'\"`")[:120] if text[:1] in "'\"`" else ""


def _case(
    tree: SyntaxTree, table: _Language, name: str, span: tuple[int, int], node: SgNode, *, group: bool = False
) -> TestedCase:
    lines = tree.text.split("\n")[span[0] - 1 : span[1]]
    text = "\n".join(lines)
    skip = _skip(lines, table, group=group)
    asserted = () if group else tuple(_asserts(node, table, unreached(node, text, tree.language)))
    return TestedCase(
        name=name,
        start=span[0],
        end=span[1],
        text=text,
        skipped=skip[0],
        condition=skip[1],
        alone=bool(table.alone) and re.search(table.alone, lines[0].strip()) is not None,
        asserts=tuple(said for said, unheard in asserted if not unheard),
        caught=tuple(said for said, unheard in asserted if unheard == "caught"),
        unreached=tuple(said for said, unheard in asserted if unheard == "unreached"),
    )


def _skip(lines: list[str], table: _Language, *, group: bool) -> tuple[str, bool]:
    pattern = re.compile(table.skips)
    before = ""
    for line in lines[:1] if group else lines[:200]:
        bare = line.strip()
        if bare.startswith(("#", "//", "*")) and not bare.startswith("#["):
            continue
        match = pattern.search(bare)
        if match is not None:
            conditional = (
                bool(re.match(r"(?:\}\s*)?(?:if|unless|when|else)\b", before)) or " if " in bare or " unless " in bare
            )
            limited = bool(table.only_where) and re.search(table.only_where, bare) is not None
            return bare[:80], conditional or limited
        before = bare or before
    return "", False


def _asserts(node: SgNode, table: _Language, dead: tuple[tuple[int, int], ...]) -> Iterator[tuple[str, str]]:
    """The outermost ones, in one line each, and why nobody would hear of their failure."""
    pattern, end = re.compile(table.asserts), -1
    for one in node.find_all(any=[{"kind": kind} for kind in table.kinds]):
        place = one.range()
        at = place.start.index
        if at < end:
            continue
        text = " ".join(one.text().split())
        if pattern.search(text[:_ROOM]):
            end = place.end.index
            is_dead = any(first <= at < last for first, last in dead)
            unheard = "unreached" if is_dead else "caught" if is_caught(one, node) else ""
            yield text.rstrip(";")[:_ROOM], unheard


@lru_cache(maxsize=1)
def _strengths() -> tuple[tuple[int, re.Pattern[str]], ...]:
    return tuple((one.strength, re.compile(one.pattern)) for one in case_table().strengths)


@lru_cache(maxsize=512)
def strength_of(assertion: str) -> int:
    """How much it says: 0 nothing, 3 exactly what is expected."""
    if is_hollow(assertion):
        return 0
    bare = _QUOTED.sub('""', assertion)
    return next((strength for strength, pattern in _strengths() if pattern.search(bare)), EXACT)
