"""Builders grow."""

from __future__ import annotations

from leeboard.security.taint import ir
from leeboard.security.taint.lowering.idiom import appended, built

B, X, Y = ir.Name(1, "b"), ir.Name(1, "x"), ir.Name(1, "y")


def _append(receiver: ir.Expr, value: ir.Expr) -> ir.Expr:
    return appended(ir.Call(1, ir.Attr(1, receiver, "append"), (value,)))


def test_a_chain_of_appends_is_one_assignment() -> None:
    value = _append(_append(B, X), Y)
    assert built(value) == (ir.Assign(1, (B,), ir.Join(1, (ir.Join(1, (B, X)), Y))),)


def test_a_builder_without_a_name_is_only_its_text() -> None:
    made = ir.Const(1, "a")
    assert _append(made, X) == ir.Join(1, (made, X))
    assert built(X) == (ir.ExprStmt(1, X),)
