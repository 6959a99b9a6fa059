"""Functions, their parameters, and classes of Kotlin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.code.flow import ir
from leeboard.code.flow._lowering import Lowering, end_of, first, line_of, named, text_of

if TYPE_CHECKING:
    from ast_grep_py import SgNode

NAMES = ("simple_identifier", "type_identifier")


def function_of(low: Lowering, node: SgNode, owner: str = "") -> ir.Function:
    body = first(node, "function_body")
    inside = low.inside(body) if body is not None else []
    returns = bool(inside) and text_of(body).startswith("=")
    marks = first(node, "modifiers")
    names = (
        [
            text_of(first(child, "user_type", "constructor_invocation")).split("(")[0]
            for child in named(marks, "annotation")
        ]
        if marks is not None
        else []
    )
    return ir.Function(
        name=text_of(first(node, "simple_identifier")),
        line=line_of(node),
        end=end_of(node),
        params=_params(low, first(node, "function_value_parameters")),
        lower=low.later(inside[0] if inside else None, returns=returns),
        decorators=tuple(ir.Name(line_of(node), name) for name in names),
        owner=owner,
        is_static=bool(owner),
    )


def _params(low: Lowering, listed: SgNode | None) -> tuple[ir.Param, ...]:
    found: list[ir.Param] = []
    marks = ""
    for child in low.inside(listed) if listed is not None else []:
        if child.kind() == "parameter_modifiers":
            marks = child.text()
        elif child.kind() == "parameter":
            found.append(
                ir.Param(
                    text_of(first(child, "simple_identifier")),
                    f"{marks} {child.text().partition(':')[2].strip()}".strip(),
                )
            )
            marks = ""
    return tuple(found)


def define(low: Lowering, node: SgNode) -> ir.Block:
    return (ir.Define(line_of(node), function_of(low, node)),)


def define_class(low: Lowering, node: SgNode) -> ir.Block:
    name = text_of(first(node, *NAMES))
    body = first(node, "class_body", "enum_class_body")
    inside = low.inside(body) if body is not None else []
    methods = tuple(function_of(low, child, name) for child in inside if child.kind() == "function_declaration")
    fields = low.blocks(child for child in inside if child.kind() == "property_declaration")
    others = low.blocks(
        child for child in inside if child.kind() in ("class_declaration", "companion_object", "object_declaration")
    )
    bases = tuple(text_of(child).split("(")[0] for child in named(node, "delegation_specifier"))
    item = ir.Class(name=name, line=line_of(node), bases=bases, methods=methods, fields=fields)
    return (*fields, *others, ir.DefineClass(line_of(node), item))
