"""The signs of hardening by their lasting names, and a file as it is searched for them."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from leeboard.source.syntax import SyntaxTree


RETRY = "retry"
FALLBACK = "fallback"
TIMEOUT = "timeout"
BROAD = "broad exception handling"
SWALLOWED = "swallowed error"
DEFAULT = "default on error"
GUARDS = "guard cluster"
FLAG = "feature flag"
GUARDRAIL = "guardrail"
"""Only where a text is read by its words: it calls itself so."""

SIGNALS = (RETRY, FALLBACK, TIMEOUT, BROAD, SWALLOWED, DEFAULT, GUARDS, FLAG, GUARDRAIL)


class _Clues(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A word that may tell, and the pattern that decides."""

    words: tuple[str, ...]
    clues: str


class _Gate(_Clues, frozen=True, forbid_unknown_fields=True):
    guard: str


class _Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: str
    signals: tuple[str, ...]


class HardeningWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words and patterns that signs of hardening are known by."""

    documents: frozenset[str]
    settings: frozenset[str]
    pipelines: str
    notes: frozenset[str]
    rust_optional: tuple[str, ...]
    rust_failing: tuple[str, ...]
    retry_libraries: frozenset[str]
    other_meanings: frozenset[str]
    switches: frozenset[str]
    signs: dict[str, str]
    gate: _Gate
    languages: dict[str, _Clues]
    asked: tuple[_Asked, ...]


WORDS = load("contracts/hardening", HardeningWords)


class Hardening(msgspec.Struct, frozen=True):
    """One sign of hardening in a text."""

    signal: str
    lines: tuple[int, ...]
    """Where it stands, from one, the line to show first: who writes one of them makes the sign."""
    what: str
    """The words it was known by, for people; nothing of a string or a comment."""

    @property
    def line(self) -> int:
        return self.lines[0]


# One file as the signs of hardening are looked for in it: its code without comments and literals, and its branches.


_ON_FAILURE = {"field": "function", "regex": r"\.\s*catch$"}
_NOT_BLANK = lazy(r"[^\s]")
_INNER = lazy(r"[^\s\"'`]")


class HardeningSource:
    """`text` is what was parsed: offsets of nodes count in it. `code` is the same, comments and literals blanked."""

    def __init__(self, tree: SyntaxTree) -> None:
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


# Which kinds of nodes handle an error, repeat something, decide something or are no code, language by language.


_QUOTED_C = ("string_literal", "raw_string_literal", "char_literal")
_ECMA = ("string", "template_string", "regex", "comment")
_ECMA_LOOPS = ("for_statement", "for_in_statement", "while_statement", "do_statement")
_C_LOOPS = ("for_statement", "while_statement", "do_statement")

NOT_CODE: dict[str, tuple[str, ...]] = {
    "python": ("string", "comment"),
    "javascript": (*_ECMA, "jsx_text"),
    "typescript": _ECMA,
    "tsx": (*_ECMA, "jsx_text"),
    "go": ("interpreted_string_literal", "raw_string_literal", "rune_literal", "comment"),
    "java": ("string_literal", "character_literal", "line_comment", "block_comment"),
    "ruby": ("string", "heredoc_body", "regex", "string_array", "comment"),
    "php": ("string", "encapsed_string", "heredoc", "nowdoc", "comment"),
    "rust": (*_QUOTED_C, "line_comment", "block_comment"),
    "csharp": (
        *("string_literal", "verbatim_string_literal", "raw_string_literal", "interpolated_string_expression"),
        *("character_literal", "comment"),
    ),
    "kotlin": ("string_literal", "character_literal", "line_comment", "multiline_comment"),
    "c": ("string_literal", "char_literal", "comment"),
    "cpp": (*_QUOTED_C, "comment"),
}
"""Comments and literals of characters: what stands in them is written, not done."""

HANDLERS: dict[str, tuple[str, ...]] = {
    "python": ("except_clause",),
    **dict.fromkeys(("javascript", "typescript", "tsx", "java", "csharp", "php", "cpp"), ("catch_clause",)),
    "ruby": ("rescue", "rescue_modifier"),
    "kotlin": ("catch_block",),
    "go": (),
    "rust": ("match_arm",),
    "c": (),
}
LOOPS: dict[str, tuple[str, ...]] = {
    "python": ("for_statement", "while_statement"),
    **dict.fromkeys(("javascript", "typescript", "tsx"), _ECMA_LOOPS),
    "go": ("for_statement",),
    "java": (*_C_LOOPS, "enhanced_for_statement"),
    "csharp": (*_C_LOOPS, "foreach_statement"),
    "php": (*_C_LOOPS, "foreach_statement"),
    "kotlin": ("for_statement", "while_statement", "do_while_statement"),
    "rust": ("for_expression", "while_expression", "loop_expression"),
    "ruby": ("while", "until", "for", "do_block", "while_modifier", "until_modifier"),
    "c": _C_LOOPS,
    "cpp": (*_C_LOOPS, "for_range_loop"),
}
DECISIONS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("python", "go", "java", "csharp", "php", "c", "cpp"), ("if_statement",)),
    **dict.fromkeys(("javascript", "typescript", "tsx"), ("if_statement",)),
    "kotlin": ("if_expression",),
    "rust": ("if_expression",),
    "ruby": ("if", "unless", "if_modifier", "unless_modifier"),
}
CALLS: dict[str, tuple[str, ...]] = dict.fromkeys(("javascript", "typescript", "tsx"), ("call_expression",))
"""Where a call may be given what to do when another one fails."""

BODIES = frozenset(
    {"block", "statement_block", "compound_statement", "statements", "then", "control_structure_body", "statement_list"}
)
