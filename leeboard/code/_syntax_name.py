"""The name a definition goes by, and the type or object it belongs to where its own text says so."""

from __future__ import annotations

from collections.abc import Iterator

from ast_grep_py import SgNode

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
