"""The syntax tree of a text: what it defines and imports, and where the parser could not follow.

The only door to the grammars: an unknown language would end the thread that asks for it, some texts would cost more
memory than there is. All lines count from one.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

from ast_grep_py import SgNode, SgRoot

from leeboard.code._syntax_definition import Definition, read_definitions
from leeboard.code._syntax_import import Import, read_imports
from leeboard.code._syntax_kinds import DEFINES, LANGUAGES, rule_of
from leeboard.model.diff import Span

__all__ = ["Definition", "Import", "Tree", "parse"]

MAX_TEXT = 2_000_000
_MAX_SHELL = 256_000
_MAX_BRANCHES = 500
"""Pipes or redirections in one line: the grammar of the shell needs their square in time and memory."""
_LONG_LINE = 20_000
_MAX_BRACKETS = 2_000
_GENERICS = frozenset({"java", "csharp", "kotlin", "cpp", "typescript", "tsx", "rust"})
"""Where `a<b<c` may be types or comparisons, the grammar tries both for each."""
_PHP_OPEN = "<?php "


class Tree:
    """One text. `offset` characters stand before it in the parsed source: only positions in the first line move."""

    def __init__(self, text: str, language: str, root: SgNode, offset: int = 0) -> None:
        self.text = text
        self.language = language
        self.root = root
        self.offset = offset

    @cached_property
    def _found(self) -> list[tuple[str, SgNode]]:
        """Errors, definitions and imports in the order of the text, from one search."""
        if self.language not in DEFINES:
            return []
        rule = rule_of(self.language, self.text)
        return [(node.kind(), node) for node in self.root.find_all(**rule)]

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        return read_definitions(self._found, self.language, self.text)

    @cached_property
    def imports(self) -> tuple[Import, ...]:
        return read_imports(self._found, self.language)

    @cached_property
    def errors(self) -> tuple[Span, ...]:
        """Lines the parser could not follow; empty where all is well. What lies there is not analysed."""
        broken = [node.range() for kind, node in self._found if kind == "ERROR"]
        return tuple((place.start.line + 1, place.end.line + 1) for place in broken)

    def definition_at(self, line: int) -> Definition | None:
        """The innermost definition that holds a line."""
        holding = [it for it in self.definitions if it.start <= line <= it.end]
        return min(holding, key=lambda it: it.end - it.start) if holding else None


@lru_cache(maxsize=8)
def parse(text: str, language: str) -> Tree | None:
    """The tree of a text; None where the language is not supported or the text can not be parsed."""
    if language not in LANGUAGES or not _is_bearable(text, language):
        return None
    before = _PHP_OPEN if language == "php" and "<?" not in text else ""
    root = _root(before + text, language)
    return Tree(text, language, root, len(before)) if root is not None else None


def _root(source: str, language: str) -> SgNode | None:
    try:
        return SgRoot(source, language).root()
    except (ValueError, RuntimeError):
        # Lone surrogates.
        return None
    except BaseException as error:
        # A panic of the native side is no Exception.
        if type(error).__name__ == "PanicException":
            return None
        raise


def _is_bearable(text: str, language: str) -> bool:
    if len(text) > MAX_TEXT:
        return False
    if len(text) > _LONG_LINE and any(_is_crowded(line) for line in text.split("\n")):
        return False
    if language in _GENERICS and text.count("<") > _MAX_BRANCHES:
        return max(line.count("<") for line in text.split("\n")) <= _MAX_BRANCHES
    return language != "bash" or _is_bearable_shell(text)


def _is_crowded(line: str) -> bool:
    """To tell the column of a node costs the length of its line: a minified file would take minutes."""
    return len(line) > _LONG_LINE and sum(line.count(opener) for opener in "({[") > _MAX_BRACKETS


def _is_bearable_shell(text: str) -> bool:
    if len(text) > _MAX_SHELL:
        return False
    if text.count("|") <= _MAX_BRANCHES and text.count("<") <= _MAX_BRANCHES:
        return True
    lines = text.replace("\\\n", " ").replace("|\n", "| ").split("\n")
    return max(max(line.count("|"), line.count("<")) for line in lines) <= _MAX_BRANCHES
