"""Whether others may use a definition: by the keyword of its language, or by what its people are used to."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property

from ast_grep_py import SgNode

from leeboard.model.pattern import lazy

_EXPORT_LIST = lazy(r"\bexport\s{0,20}\{([^{}]{0,4000})\}|\bmodule\.exports\s{0,20}=\s{0,20}\{([^{}]{0,4000})\}")
_EXPORT_ONE = lazy(
    r"\bexport[ \t]{1,8}default[ \t]{1,8}(\w{1,100})"
    r"|\b(?:module\.)?exports(?:\.\w{1,100})?[ \t]{0,8}=[ \t]{0,8}(\w{1,100})"
)
_EXPORT_AS = lazy(r"\bexports\.(\w{1,100})[ \t]{0,8}=")
_WORD = lazy(r"[A-Za-z_$][\w$]*")
_RUBY_MARK = lazy(r"^[ \t]{0,80}(private|protected|public)[ \t]*(?:\#[^\n]*)?$", re.MULTILINE)
_MODIFIERS = frozenset(
    {"modifiers", "modifier", "visibility_modifier", "accessibility_modifier", "storage_class_specifier"}
)
_HIDING = ("private", "protected", "internal")
_FIRST_CHILDREN = 6
"""Modifiers stand before the name."""


class Exports:
    def __init__(self, language: str, text: str) -> None:
        self.language = language
        self.text = text

    def has(self, name: str, owner: str, node: SgNode, node_kind: str, within: str) -> bool:
        """`within` is the class around it, empty where it stands alone."""
        match self.language:
            case "javascript" | "typescript" | "tsx":
                exported = self._script(name, owner, node)
            case "go":
                exported = name[:1].isupper()
            case "python" | "bash":
                exported = not name.startswith("_") or (name.startswith("__") and name.endswith("__"))
            case "ruby":
                exported = not (owner and node_kind == "method" and self._hidden_in_ruby(node))
            case "c" | "cpp":
                exported = bool(within) or "static" not in _modifiers(node).split()
            case _:
                exported = _by_modifiers(self.language, _modifiers(node))
        return exported

    def _script(self, name: str, owner: str, node: SgNode) -> bool:
        if owner:
            return not name.startswith(("#", "_")) and not any(word in _modifiers(node) for word in _HIDING)
        holder = node.parent()
        for _ in range(3):
            if holder is None or holder.kind() in {"program", "statement_block", "export_statement"}:
                break
            holder = holder.parent()
        return (holder is not None and holder.kind() == "export_statement") or name in self._listed

    @cached_property
    def _listed(self) -> frozenset[str]:
        """Names that are exported somewhere else than where they are defined."""
        if "export" not in self.text:
            return frozenset()
        lists = " ".join(group for found in _EXPORT_LIST.findall(self.text) for group in found)
        ones = {name for found in _EXPORT_ONE.findall(self.text) for name in found if name}
        assigned = {found[1] for found in _EXPORT_AS.finditer(self.text)}
        return frozenset({*_WORD.findall(lists), *ones, *assigned})

    @cached_property
    def _ruby_marks(self) -> tuple[list[int], list[str]]:
        """Places and words of the lines that say how visible the methods below them are."""
        marks = list(_RUBY_MARK.finditer(self.text))
        return [found.start() for found in marks], [found[1] for found in marks]

    def _hidden_in_ruby(self, node: SgNode) -> bool:
        parent = node.parent()
        if parent is not None and parent.kind() == "argument_list":
            call = parent.parent()
            return call is not None and call.text().startswith(_HIDING)
        owner = parent.parent() if parent is not None else None
        if owner is None:
            return False
        places, words = self._ruby_marks
        at = bisect_left(places, node.range().start.index) - 1
        return at >= 0 and places[at] > owner.range().start.index and words[at] != "public"


def _modifiers(node: SgNode) -> str:
    return " ".join(child.text() for child in node.children()[:_FIRST_CHILDREN] if child.kind() in _MODIFIERS)


def _by_modifiers(language: str, words: str) -> bool:
    if language in {"java", "csharp"}:
        return "public" in words
    if language == "rust":
        return words.startswith("pub")
    return not any(word in words for word in _HIDING)
