"""What a text defines: the names, ranges and owners of its functions and classes."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from ast_grep_py import SgNode

from leeboard.code._syntax_exported import Exports
from leeboard.code._syntax_kinds import DEFINES, DefinitionKind
from leeboard.code._syntax_name import name_of, owner_of
from leeboard.code._syntax_params import params_of


class Definition(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    kind: DefinitionKind
    start: int
    """First line, decorators included."""
    end: int
    owner: str = ""
    """The class it belongs to; the object, for a method of an object literal."""
    params: tuple[str, ...] = ()
    exported: bool = False
    """Whether others may use it, by what the language says or its people are used to."""
    node: SgNode


class _Open(msgspec.Struct):
    """A definition that has not ended yet."""

    name: str
    is_class: bool
    last: int
    is_trait: bool = False


def read_definitions(found: Iterable[tuple[str, SgNode]], language: str, text: str) -> tuple[Definition, ...]:
    return tuple(_Reader(language, text).read(found))


class _Reader:
    def __init__(self, language: str, text: str) -> None:
        self.language = language
        self.kinds = DEFINES.get(language, {})
        self.exports = Exports(language, text)
        self.open: list[_Open] = []

    def read(self, found: Iterable[tuple[str, SgNode]]) -> Iterable[Definition]:
        for node_kind, node in found:
            if node_kind in self.kinds and (read := self.definition(node_kind, node)) is not None:
                yield read

    def definition(self, node_kind: str, node: SgNode) -> Definition | None:
        place = node.range()
        first, last = place.start, place.end
        while self.open and self.open[-1].last <= first.index:
            self.open.pop()
        if len(self.open) >= _DEEPEST:
            return None
        name = name_of(self.language, node_kind, node)
        if not name or (node_kind in _MAY_LACK_BODY and not _has_body(self.language, node)):
            return None
        within = self.open[-1] if self.open else None
        is_class = self.kinds[node_kind] == "class"
        is_trait = node_kind == "impl_item" and node.field("trait") is not None
        self.open.append(_Open(name, is_class, last.index, is_trait))
        if node_kind == "impl_item":
            return None
        owner = owner_of(self.language, node_kind, node) or (within.name if within and within.is_class else "")
        name, owner = _apart(name, owner)
        exported = self.exports.has(name, owner, node, node_kind, within.name if within and within.is_class else "")
        return Definition(
            name=name,
            kind="class" if is_class else "method" if owner or self.kinds[node_kind] == "method" else "function",
            start=self.first_line(node, first.line) + 1,
            end=last.line + 1,
            owner=owner,
            params=() if is_class else params_of(self.language, node),
            exported=exported or bool(within and within.is_trait),
            node=node,
        )

    def first_line(self, node: SgNode, line: int) -> int:
        if self.language != "python":
            return line
        parent = node.parent()
        return parent.range().start.line if parent is not None and parent.kind() == "decorated_definition" else line


_DEEPEST = 40
"""Definitions inside each other: to look around from a node costs its depth, and nobody writes such a text by hand."""
_MAY_LACK_BODY = frozenset({"method_declaration", "constructor_declaration", "function_declaration"})


def _has_body(language: str, node: SgNode) -> bool:
    if language == "kotlin":
        return any(child.kind() == "function_body" for child in node.children()[-2:])
    return node.field("body") is not None


def _apart(name: str, owner: str) -> tuple[str, str]:
    """`Stack<T>::push` to push, Stack."""
    head, joined, tail = name.rpartition("::")
    if not joined or "operator" in tail:
        return name, owner
    return tail.strip(), head.rpartition("::")[2].partition("<")[0].strip() or owner
