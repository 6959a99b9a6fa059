"""Functions, their parameters, and classes of JavaScript and TypeScript."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from leeboard.code.flow import ir
from leeboard.code.flow._javascript_patterns import unpacked
from leeboard.code.flow._lowering import Lowering, end_of, first, line_of, named, text_of
from leeboard.model.pattern import lazy

if TYPE_CHECKING:
    from ast_grep_py import SgNode

FUNCTIONS = frozenset(
    {
        "arrow_function",
        "function_expression",
        "function",
        "generator_function",
        "function_declaration",
        "method_definition",
    }
)
REQUEST = "WebRequest"
"""The mark of a parameter that is read like a request."""
_MAY_BE_REQUEST = lazy(r"^(?:_?req|request|ctx|context|event|httpReq|r)$")
_READ_AS_REQUEST = lazy(
    r"\b(_?req|request|ctx|context|event|httpReq|r)(?:\.req(?:uest)?)?\.(?:query|params"
    r"|body|headers|cookies|files?|originalUrl|rawBody"
    r"|queryStringParameters|pathParameters|nextUrl|searchParams|url|param\(|json\(|formData\()"
)
_TYPED = frozenset({"required_parameter", "optional_parameter"})


def function_of(low: Lowering, node: SgNode, name: str, owner: str = "") -> ir.Function:
    """One function under this name, whatever form it has."""
    body = node.field("body")
    later = low.later(body, returns=body is not None and body.kind() != "statement_block")
    return ir.Function(
        name=name or "<lambda>",
        line=line_of(node),
        end=end_of(node),
        params=parameters(low, node),
        lower=_with_patterns(low, node, later),
        decorators=low.exprs(child for item in named(node, "decorator") for child in low.inside(item)),
        owner=owner,
        is_static=bool(owner),
        returns=text_of(node.field("return_type")).lstrip(": "),
    )


def _parameter_nodes(low: Lowering, node: SgNode) -> list[SgNode]:
    single = node.field("parameter")
    if single is not None:
        return [single]
    listed = node.field("parameters")
    return low.inside(listed) if listed is not None else []


def parameters(low: Lowering, node: SgNode) -> tuple[ir.Param, ...]:
    """The parameters; one that is a pattern is called by its text, one that is used as a request is marked as one."""
    found = [_parameter(low, child) for child in _parameter_nodes(low, node)]
    if not any(_MAY_BE_REQUEST.search(param.name) for param in found):
        return tuple(found)
    text = text_of(node.field("body"))
    return tuple(_marked(param, text) for param in found)


def _marked(param: ir.Param, body: str) -> ir.Param:
    """`req.query`: what is called like a request and read like one is a request, whoever calls the function."""
    if not _MAY_BE_REQUEST.search(param.name) or not any(
        each in body for each in (f"{param.name}.", f"= {param.name}")
    ):
        return param
    used = any(match.group(1) == param.name for match in _READ_AS_REQUEST.finditer(body))
    return ir.Param(param.name, f"{param.annotation} {REQUEST}".strip(), param.default, param.kind) if used else param


def _parameter(low: Lowering, node: SgNode) -> ir.Param:
    annotation, pattern, default = "", node, None
    if node.kind() in _TYPED:
        decorators = " ".join(child.text() for child in named(node, "decorator"))
        annotation = f"{decorators} {text_of(node.field('type')).lstrip(': ')}".strip()
        pattern = node.field("pattern") or node
        value = node.field("value")
        default = low.expr(value) if value is not None else None
    if pattern.kind() == "assignment_pattern":
        default, pattern = low.expr(pattern.field("right")), pattern.field("left") or pattern
    if pattern.kind() == "rest_pattern":
        return ir.Param(text_of(first(pattern, "identifier")), annotation, None, "*")
    return ir.Param(pattern.text()[:40], annotation, default)


def _with_patterns(low: Lowering, node: SgNode, later: Callable[[], ir.Block]) -> Callable[[], ir.Block]:
    """The body, after its destructured parameters are taken apart."""
    patterns = [pattern for child in _parameter_nodes(low, node) if (pattern := _object_pattern(child)) is not None]
    if not patterns:
        return later

    def lower() -> ir.Block:
        apart = [each for pattern in patterns for each in unpacked(low, pattern, _whole(pattern))]
        return (*apart, *later())

    return lower


def _whole(pattern: SgNode) -> ir.Expr:
    return ir.Name(line_of(pattern), pattern.text()[:40])


def _object_pattern(node: SgNode) -> SgNode | None:
    pattern = node.field("pattern") or node
    if pattern.kind() == "assignment_pattern":
        pattern = pattern.field("left") or pattern
    return pattern if pattern.kind() == "object_pattern" else None


def class_of(low: Lowering, node: SgNode) -> ir.Class:
    """A class with its methods; a field that holds a function is a method."""
    name = text_of(node.field("name"))
    heritage = first(node, "class_heritage")
    methods: list[ir.Function] = []
    fields: list[ir.Stmt] = []
    body = node.field("body")
    pending: list[SgNode] = []
    for entry in low.inside(body) if body is not None else []:
        value = entry.field("value")
        title = text_of(entry.field("name") or entry.field("property"))
        if entry.kind() == "decorator":
            pending.append(entry)
            continue
        if entry.kind() == "method_definition":
            methods.append(_decorated(low, function_of(low, entry, title, name), pending))
        elif value is not None and value.kind() in FUNCTIONS:
            methods.append(function_of(low, value, title, name))
        elif value is not None:
            fields.append(ir.Assign(line_of(entry), (ir.Name(line_of(entry), title),), low.expr(value)))
        pending = []
    bases = (heritage.text().removeprefix("extends ").split(" implements")[0].strip(),) if heritage is not None else ()
    return ir.Class(name=name, line=line_of(node), bases=bases, methods=tuple(methods), fields=tuple(fields))


def _decorated(low: Lowering, function: ir.Function, decorators: list[SgNode]) -> ir.Function:
    found = low.exprs(child for item in decorators for child in low.inside(item))
    return ir.Function(
        name=function.name,
        line=function.line,
        end=function.end,
        params=function.params,
        lower=function.lower,
        decorators=(*found, *function.decorators),
        owner=function.owner,
        is_static=function.is_static,
        returns=function.returns,
    )
