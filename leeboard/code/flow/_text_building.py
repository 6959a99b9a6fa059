"""Builders of text: `builder.append(x)` makes the builder longer."""

from __future__ import annotations

from leeboard.code.flow import ir


def appended(call: ir.Call) -> ir.Expr:
    """What the builder is afterwards, assigned to it where it has a name."""
    if not isinstance(call.callee, ir.Attr) or not call.args:
        return call
    before = call.callee.value
    target = before.target if isinstance(before, ir.Walrus) else before
    longer = ir.Join(call.line, (before.value if isinstance(before, ir.Walrus) else before, *call.args))
    return ir.Walrus(call.line, target, longer) if isinstance(target, (ir.Name, ir.Attr)) else longer


def built(value: ir.Expr) -> ir.Block:
    """An expression as a statement; an assignment in it is one of its own."""
    if isinstance(value, ir.Walrus):
        return (ir.Assign(value.line, (value.target,), value.value),)
    return (ir.ExprStmt(value.line, value),)
