"""Markup around values is a page."""

from __future__ import annotations

import pytest

from leeboard.security.taint import ir
from leeboard.security.taint.lowering.idiom import BUILT, page

X = ir.Name(1, "x")


@pytest.mark.parametrize(
    ("value", "is_page"),
    [
        (ir.Join(1, (ir.Const(1, "<h1>"), X)), True),
        (ir.Binary(1, "+", ir.Const(1, "<div>"), X), True),
        (ir.Call(1, ir.Name(1, "sprintf"), (ir.Const(1, "<p>%s</p>"), X)), True),
        (ir.Join(1, (ir.Const(1, "<h1>"), ir.Const(1, "</h1>"))), False),
        (ir.Join(1, (ir.Const(1, "a < b: "), X)), False),
        (ir.Join(1, (X, ir.Const(1, "<h1>"))), False),
        (X, False),
    ],
)
def test_pages(value: ir.Expr, *, is_page: bool) -> None:
    found = page(value)
    assert (isinstance(found, ir.Call) and ir.dotted(found.callee) == BUILT) is is_page
