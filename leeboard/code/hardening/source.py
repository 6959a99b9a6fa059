"""One file as the signs of hardening are looked for in it: its code without comments and literals, and its branches."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from leeboard.code.hardening._grammar import BODIES, CALLS, DECISIONS, HANDLERS, LOOPS, NOT_CODE
from leeboard.model.pattern import lazy

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from leeboard.code.syntax import Tree

_ON_FAILURE = {"field": "function", "regex": r"\.\s*catch$"}
_NOT_BLANK = lazy(r"[^\s]")
_INNER = lazy(r"[^\s\"'`]")


class Source:
    """`text` is what was parsed: offsets of nodes count in it. `code` is the same, comments and literals blanked."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.language = tree.language
        self.text = "<?php " + tree.text if tree.offset else tree.text
        self.starts = [0, *accumulate(len(line) for line in self.text.split("\n"))]
        self.starts = [at + number for number, at in enumerate(self.starts)]
        self._nodes: dict[str, list[SgNode]] = defaultdict(list)
        tables = [table.get(self.language, ()) for table in (NOT_CODE, HANDLERS, LOOPS, DECISIONS)]
        wanted: list[Any] = [{"kind": kind} for kinds in tables for kind in kinds]
        if ".catch" in self.text:
            wanted += [{"kind": kind, "has": _ON_FAILURE} for kind in CALLS.get(self.language, ())]
        for node in tree.root.find_all(any=wanted):
            self._nodes[node.kind()].append(node)
        self.code = self._blanked()

    def _blanked(self) -> str:
        """The quotes stay, so that a literal is still one."""
        parts, at = [], 0
        literals = sorted(self.span(node) for kind in NOT_CODE[self.language] for node in self._nodes[kind])
        for start, end in literals:
            if start < at:
                continue
            written = self.text[start:end]
            is_quoted = written[-1:] in {'"', "'", "`"}
            parts += [self.text[at:start], (_INNER if is_quoted else _NOT_BLANK).sub(" ", written)]
            at = end
        return "".join((*parts, self.text[at:]))

    def span(self, node: SgNode) -> tuple[int, int]:
        place = node.range()
        return place.start.index, place.end.index

    def code_of(self, node: SgNode) -> str:
        start, end = self.span(node)
        return self.code[start:end]

    def line_at(self, offset: int) -> int:
        return bisect_right(self.starts, offset)

    def line_of(self, node: SgNode) -> int:
        return self.line_at(node.range().start.index)

    def lines_of(self, node: SgNode) -> range:
        start, end = self.span(node)
        return range(self.line_at(start), self.line_at(max(start, end - 1)) + 1)

    @cached_property
    def handlers(self) -> list[SgNode]:
        return self._of(HANDLERS)

    @cached_property
    def loops(self) -> list[SgNode]:
        return self._of(LOOPS)

    @cached_property
    def decisions(self) -> list[SgNode]:
        return self._of(DECISIONS)

    @cached_property
    def calls(self) -> list[SgNode]:
        return self._of(CALLS)

    def _of(self, table: dict[str, tuple[str, ...]]) -> list[SgNode]:
        return [node for kind in table.get(self.language, ()) for node in self._nodes[kind]]


def body_of(node: SgNode) -> SgNode | None:
    """The statements of a branch: the last block right under it."""
    blocks = [child for child in node.children() if child.kind() in BODIES]
    return blocks[-1] if blocks else None
