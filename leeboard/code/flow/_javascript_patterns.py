"""Destructuring in JavaScript, taken apart into one assignment per name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.code.flow import ir
from leeboard.code.flow._lowering import Lowering, line_of, text_of

if TYPE_CHECKING:
    from ast_grep_py import SgNode


def unpacked(low: Lowering, pattern: SgNode, value: ir.Expr) -> ir.Block:
    """`{a, b: c} = value` as one assignment per name."""
    line = line_of(pattern)
    found: list[ir.Stmt] = []
    if not isinstance(value, (ir.Name, ir.Attr)):
        whole = ir.Name(line, pattern.text()[:40])
        found.append(ir.Assign(line, (whole,), value))
        value = whole
    for entry in low.inside(pattern):
        found.extend(_unpacked_entry(low, entry, value))
    return tuple(found)


def _unpacked_entry(low: Lowering, entry: SgNode, value: ir.Expr) -> ir.Block:
    line = line_of(entry)
    if entry.kind() == "shorthand_property_identifier_pattern":
        return (ir.Assign(line, (ir.Name(line, entry.text()),), ir.Attr(line, value, entry.text())),)
    if entry.kind() == "object_assignment_pattern":
        name = text_of(entry.field("left"))
        return (ir.Assign(line, (ir.Name(line, name),), ir.Attr(line, value, name)),)
    if entry.kind() == "pair_pattern":
        part = ir.Attr(line, value, text_of(entry.field("key")).strip("'\""))
        target = entry.field("value")
        if target is not None and target.kind() == "object_pattern":
            return unpacked(low, target, part)
        return (ir.Assign(line, (low.expr(target),), part),)
    rest = low.inside(entry)
    return (ir.Assign(line, (low.expr(rest[0]),), value),) if rest else ()
