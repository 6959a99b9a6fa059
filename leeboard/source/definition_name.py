"""The name a definition goes by, and the type or object it belongs to where its own text says so."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property

from ast_grep_py import SgNode

from leeboard.model.text import lazy

_NAMED_BY = {
    "variable_declarator": "name",
    "pair": "key",
    "field_definition": "property",
    "public_field_definition": "name",
    "assignment_expression": "left",
}
"""What gives a name to the function right inside it, and the field that holds the name."""
_C_KINDS = frozenset({"struct_specifier", "enum_specifier", "union_specifier", "class_specifier"})
_EXPRESSIONS = frozenset({"function_expression", "generator_function", "class"})
"""Others call it by what it is bound to, not by the name it has for itself."""
_LONGEST = 200
_DEEPEST = 12
_FEW = 4


def name_of(language: str, node_kind: str, node: SgNode) -> str:
    """Empty where it has none."""
    if language == "kotlin":
        return _child_text(node, ("simple_identifier", "type_identifier"))
    if node_kind == "impl_item":
        implemented = node.field("type")
        return implemented.text().partition("<")[0].strip() if implemented is not None else ""
    if node_kind == "function_definition" and language in {"c", "cpp"}:
        return _declared(node)
    if node_kind in _EXPRESSIONS and (given := _name_given(node)):
        return given
    named = node.field("name")
    if named is not None:
        return named.text()[:_LONGEST].strip("\"'")
    return _typedef_name(node) if node_kind in _C_KINDS else _name_given(node)


def _child_text(node: SgNode, kinds: tuple[str, ...]) -> str:
    return next((child.text() for child in node.children() if child.kind() in kinds), "")


def declarators(node: SgNode) -> Iterator[SgNode]:
    """From the outside in: a declarator of C says around the name what it is, `*(*name)(int)`."""
    inner = node.field("declarator")
    for _ in range(_DEEPEST):
        if inner is None:
            break
        yield inner
        # A reference and a parenthesis hold their declarator without a field.
        unnamed = inner.kind() in {"reference_declarator", "parenthesized_declarator"}
        inner = inner.child(1) if unnamed else inner.field("declarator")


def _declared(node: SgNode) -> str:
    *_around, name = (None, *declarators(node))
    return name.text()[:_LONGEST] if name is not None else ""


def _typedef_name(node: SgNode) -> str:
    parent = node.parent()
    declarator = parent.field("declarator") if parent is not None and parent.kind() == "type_definition" else None
    return declarator.text()[:_LONGEST] if declarator is not None else ""


def _name_given(node: SgNode) -> str:
    """The name an anonymous function is bound to."""
    parent = node.parent()
    if parent is not None and parent.kind() == "arguments":
        call = parent.parent()
        parent = call.parent() if call is not None else None
    if parent is None:
        return ""
    kind = parent.kind()
    if kind == "export_statement":
        return "default"
    if kind == "expression_list":
        return _of_list(parent, node)
    named = parent.field(_NAMED_BY[kind]) if kind in _NAMED_BY else None
    return _last_part(named) if named is not None else ""


def _of_list(values: SgNode, node: SgNode) -> str:
    """Go binds several at once: `a, b := f, func() {}`. Beyond the first few nobody reads the names either."""
    at = next((place for place in range(_FEW) if values.child(2 * place) == node), None)
    statement = values.parent() if at is not None else None
    names = statement.field("left") or statement.field("name") if statement is not None else None
    listed = names.text()[:_LONGEST].split(",") if names is not None else []
    return listed[at].strip().rpartition(".")[2] if at is not None and at < len(listed) else ""


def _last_part(named: SgNode) -> str:
    """`module.exports.load` to load, `$load` to load; a computed or unpacked name is none."""
    kind = named.kind()
    if kind == "member_expression":
        inner = named.field("property")
        return inner.text() if inner is not None else ""
    if kind not in {"identifier", "property_identifier", "private_property_identifier", "string", "variable_name"}:
        return ""
    return named.text()[:_LONGEST].strip("\"'$")


def owner_of(language: str, node_kind: str, node: SgNode) -> str:
    """The owner as far as the definition itself names one, or stands in an object that has a name."""
    if language == "go" and node_kind == "method_declaration":
        receiver = node.field("receiver")
        return _receiver(receiver.text()) if receiver is not None else ""
    if language in {"javascript", "typescript", "tsx"} and node_kind not in {
        "function_declaration",
        "class_declaration",
    }:
        return _object_name(node)
    if language == "kotlin" and node_kind == "function_declaration":
        return _child_text(node, ("receiver_type",)).partition("<")[0].rstrip("?")
    return ""


def _receiver(text: str) -> str:
    """`(s *Stack[T])` to Stack."""
    words = text.strip("() ").replace("*", " ").split()
    return words[-1].partition("[")[0] if words else ""


def _object_name(node: SgNode) -> str:
    holder = node.parent()
    if holder is not None and holder.kind() == "assignment_expression":
        target, _dot, method = _left(holder).rpartition(".")
        return target.removesuffix(".prototype") if method and target.endswith(".prototype") else ""
    if holder is not None and holder.kind() == "pair":
        holder = holder.parent()
    if holder is None or holder.kind() != "object":
        return ""
    binder = holder.parent()
    named = binder.field(_NAMED_BY[kind]) if binder is not None and (kind := binder.kind()) in _NAMED_BY else None
    return _last_part(named) if named is not None else ""


def _left(assignment: SgNode) -> str:
    target = assignment.field("left")
    return target.text()[:_LONGEST] if target is not None else ""


# Whether others may use a definition: by the keyword of its language, or by what its people are used to.


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
