"""Calls of Go in their plain forms."""

from __future__ import annotations

import pytest

from leeboard.code.flow import ir
from leeboard.code.flow._go_idioms import plain_call

A, B = ir.Name(1, "a"), ir.Name(1, "b")


def _call(name: str, *args: ir.Expr) -> ir.Call:
    return ir.Call(1, ir.Name(1, name), args)


def _method(receiver: ir.Expr, name: str, *args: ir.Expr) -> ir.Call:
    return ir.Call(1, ir.Attr(1, receiver, name), args)


def _text(value: str) -> ir.Const:
    return ir.Const(1, value)


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        (_method(ir.Name(1, "slices"), "Contains", A, B), ir.Compare(1, "in", B, A)),
        (_method(ir.Name(1, "json"), "Unmarshal", A, B), ir.Walrus(1, B, A)),
        (_method(A, "BindJSON", B), ir.Walrus(1, B, _call("request.bound"))),
        (_method(A, "WriteString", B), ir.Walrus(1, A, ir.Join(1, (A, B)))),
        (
            _method(_method(ir.Name(1, "strings"), "NewReplacer", _text("\n"), _text("")), "Replace", A),
            _call("text.without_newlines", A),
        ),
        (_method(A, "Other", B), _method(A, "Other", B)),
    ],
)
def test_calls(call: ir.Call, wanted: ir.Expr) -> None:
    assert plain_call(call) == wanted
