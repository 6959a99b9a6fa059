"""The engine's own language."""

from __future__ import annotations

import pytest

from leeboard.security.taint import ir

A = ir.Name(1, "a")


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (A, "a"),
        (ir.Attr(1, A, "b"), "a.b"),
        (ir.Attr(1, ir.Call(1, A), "b"), "a().b"),
        (ir.Attr(1, ir.Index(1, A, None), "b"), "a[].b"),
        (ir.Attr(1, ir.Const(1, "x"), "format"), "?.format"),
        (ir.Const(1, 3), ""),
    ],
)
def test_names_are_spelled_with_dots(expr: ir.Expr, text: str) -> None:
    assert ir.dotted(expr) == text
