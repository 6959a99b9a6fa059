"""Declarations of C and C++: variables with their first values, functions, classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.code.flow import ir
from leeboard.code.flow._lowering import Lowering, attribute, end_of, first, line_of, named, text_of
from leeboard.model.pattern import lazy

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_DECLARATORS = frozenset({"pointer_declarator", "reference_declarator", "array_declarator", "parenthesized_declarator"})
_FORMAT = lazy(r"(?i)(?:^|_)(?:fmt|format|frmt|template)$")
_TEXT = lazy(r"^(?:std::)?w?(?:string|stringstream|ostringstream)\b|^char \w+\[")
_PLAIN_TYPES = lazy(
    r"^(?:const |static |unsigned |signed |struct )*(?:auto|char|int|long|short|size_t|bool"
    r"|float|double|wchar_t|FILE|void)\b"
)


def declared(low: Lowering, node: SgNode) -> ir.Block:
    """`type name = value, …;`: one assignment for each that has a value."""
    kind = text_of(node.field("type"))
    found: list[ir.Stmt] = []
    for child in node.field_children("declarator"):
        if child.kind() == "init_declarator":
            found.extend(_initialised(low, child, kind))
        elif child.kind() == "function_declarator" and _inside_function(node):
            found.append(_constructed(low, child, kind))
        elif _TEXT.search(f"{kind} {child.text()}"):
            # A text that is empty so far: what is appended to it starts it.
            empty = ir.Const(line_of(child), "")
            found.append(ir.Assign(line_of(child), (ir.Name(line_of(child), name_of(child)),), empty))
    return tuple(found)


def _initialised(low: Lowering, node: SgNode, kind: str) -> ir.Block:
    line = line_of(node)
    name = name_of(node.field("declarator"))
    value = node.field("value")
    if value is None:
        return (ir.Assign(line, (ir.Name(line, name),), ir.Unknown(line)),)
    if value.kind() == "argument_list" or (
        value.kind() == "initializer_list"
        and not _PLAIN_TYPES.search(kind)
        and "[" not in text_of(node.field("declarator"))
    ):
        built = _made(low, node, kind, low.exprs(low.inside(value)))
    else:
        built = low.expr(value)
    filled: ir.Block = ()
    if isinstance(built, ir.Walrus):
        # `int n = recv(s, buffer, …)`: what the call fills is assigned as well.
        filled, built = (ir.Assign(line, (built.target,), built.value),), built.target
    return (*filled, ir.Assign(line, (ir.Name(line, name),), built, "", f"{kind} {text_of(node.field('declarator'))}"))


def _made(low: Lowering, node: SgNode, kind: str, values: tuple[ir.Expr, ...]) -> ir.Expr:
    """`Type name(values)`: a call of the type; of a plain one, the value itself."""
    if _PLAIN_TYPES.search(kind) and len(values) == 1:
        return values[0]
    if any(word in kind for word in ("set", "vector", "array", "map", "list")):
        return ir.Container(line_of(node), "list", tuple((None, value) for value in values))
    path = kind.partition("<")[0].replace("const ", "").replace("::", ".").strip().removeprefix("std.")
    return low.call(node, attribute(line_of(node), path or "_"), values)


def _constructed(low: Lowering, node: SgNode, kind: str) -> ir.Stmt:
    """`std::ifstream in(name);` reads as a function to the parser."""
    line = line_of(node)
    listed = node.field("parameters")
    values = (
        tuple(low.expr(first(child, "type_identifier", "qualified_identifier")) for child in low.inside(listed))
        if listed is not None
        else ()
    )
    return ir.Assign(line, (ir.Name(line, name_of(node)),), _made(low, node, kind, values), "", kind)


def _inside_function(node: SgNode) -> bool:
    above = node.parent()
    return above is not None and above.kind() == "compound_statement"


def name_of(node: SgNode | None) -> str:
    """The name a declarator declares, whatever stands around it."""
    for _ in range(12):
        if node is None:
            return ""
        if node.kind() not in _DECLARATORS and node.kind() != "function_declarator":
            return node.text().rpartition("::")[2]
        inner = node.field("declarator")
        if inner is None:
            inner = next(
                (child for child in node.children() if child.is_named() and child.kind() != "type_qualifier"), None
            )
        node = inner
    return ""


def function_of(low: Lowering, node: SgNode) -> ir.Function | None:
    """A function with a body."""
    declarator = _function_declarator(node.field("declarator"))
    if declarator is None:
        return None
    written = text_of(declarator.field("declarator"))
    owner = written.rpartition("::")[0]
    return ir.Function(
        name=written.rpartition("::")[2],
        line=line_of(node),
        end=end_of(node),
        params=_params(declarator.field("parameters")),
        lower=low.later(node.field("body")),
        owner=owner,
        is_static=bool(owner),
        returns=text_of(node.field("type")),
    )


def _function_declarator(node: SgNode | None) -> SgNode | None:
    for _ in range(8):
        if node is None or node.kind() in ("function_declarator", "abstract_function_declarator"):
            return node
        node = node.field("declarator") or first(node, "function_declarator", "pointer_declarator")
    return None


def _params(listed: SgNode | None) -> tuple[ir.Param, ...]:
    if listed is None:
        return ()
    variadic = listed.text().rstrip(") ").endswith("...")
    return tuple(
        _param(child, variadic=variadic)
        for child in named(listed, "parameter_declaration", "optional_parameter_declaration")
    )


def _param(node: SgNode, *, variadic: bool) -> ir.Param:
    name = name_of(node.field("declarator"))
    # The format of a function that prints like printf is its callers' constant.
    is_format = bool(_FORMAT.search(name)) or (variadic and "char" in node.text())
    return ir.Param(name or "_", f"format {node.text()}" if is_format else node.text())


def lambda_of(low: Lowering, node: SgNode) -> ir.Expr:
    """`[&](int x) { … }`."""
    declarator = node.field("declarator")
    function = ir.Function(
        name="<lambda>",
        line=line_of(node),
        end=end_of(node),
        params=_params(declarator.field("parameters") if declarator is not None else None),
        lower=low.later(node.field("body")),
    )
    return ir.Lambda(line_of(node), function)


def class_of(low: Lowering, node: SgNode) -> ir.Class:
    """A class or struct: its methods with a body."""
    name = text_of(node.field("name"))
    body = node.field("body")
    methods: list[ir.Function] = []
    for child in named(body, "function_definition") if body is not None else ():
        function = function_of(low, child)
        if function is not None:
            methods.append(_owned(function, name))
    return ir.Class(name=name, line=line_of(node), methods=tuple(methods))


def _owned(function: ir.Function, owner: str) -> ir.Function:
    return ir.Function(
        name=function.name,
        line=function.line,
        end=function.end,
        params=function.params,
        lower=function.lower,
        owner=owner,
        is_static=True,
        returns=function.returns,
    )
