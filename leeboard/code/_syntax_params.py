"""The names of a function's parameters."""

from __future__ import annotations

from collections.abc import Iterator

from ast_grep_py import SgNode

from leeboard.code._syntax_name import declarators

_LISTS = frozenset({"function_value_parameters", "parameter_list", "formal_parameters", "parameters"})
_NAMES = frozenset(
    {
        "identifier",
        "simple_identifier",
        "variable_name",
        "shorthand_property_identifier_pattern",
        "field_identifier",
        "self",
        "self_parameter",
    }
)
_FIELDS = ("pattern", "name", "declarator", "left")
_DEEPEST = 8
_MOST = 64


def params_of(language: str, node: SgNode) -> tuple[str, ...]:
    """In order; an unpacked parameter gives each of its names. The receiver of a method (`self`) is one of them."""
    listed = node.field("parameters")
    if listed is None and language in {"c", "cpp"}:
        listed = _declared(node)
    elif listed is None:
        single = node.field("parameter")
        if single is not None:
            return tuple(_names(single, 0))
        listed = next((child for child in node.children() if child.kind() in _LISTS), None)
    if listed is None:
        return ()
    return tuple(name for child in listed.children()[: 2 * _MOST] if child.is_named() for name in _names(child, 0))


def _declared(node: SgNode) -> SgNode | None:
    """The innermost list: that of a function that returns a function stands outside of its own."""
    functions = [it for it in declarators(node) if it.kind() == "function_declarator"]
    return functions[-1].field("parameters") if functions else None


def _names(node: SgNode, depth: int) -> Iterator[str]:
    kind = node.kind()
    if kind in _NAMES:
        yield node.text().lstrip("$").removeprefix("&mut ").removeprefix("&").removeprefix("mut ")
        return
    if depth > _DEEPEST or kind in {"comment", "attribute_list", "modifiers", "decorator"}:
        return
    if kind == "parameter_declaration" and (several := node.field_children("name")):
        # Go: `a, b int`
        for name in several:
            yield name.text()
        return
    inner = next((found for field in _FIELDS if (found := node.field(field)) is not None), None)
    if inner is not None:
        yield from _names(inner, depth + 1)
    elif kind not in {"parameter_declaration", "abstract_pointer_declarator"}:
        yield from _inside(node, kind, depth)


def _inside(node: SgNode, kind: str, depth: int) -> Iterator[str]:
    children = [child for child in node.children() if child.is_named()]
    if not kind.endswith(("_pattern", "tuple")):
        # All but the first word of a parameter is its type or its default.
        children = [child for child in children if child.kind() in _NAMES or "pattern" in child.kind()][:1] or children[
            -1:
        ]
    for child in children[:_MOST]:
        if child.kind() not in {"object_assignment_pattern", "assignment_pattern"}:
            yield from _names(child, depth + 1)
        elif (left := child.field("left")) is not None:
            yield from _names(left, depth + 1)
