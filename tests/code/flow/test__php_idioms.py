"""Calls of PHP in their plain forms."""

from __future__ import annotations

import pytest

from leeboard.code.flow import ir
from leeboard.code.flow._php_idioms import plain_call

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
        (_call("in_array", A, B), ir.Compare(1, "in", A, B)),
        (_call("isset", ir.Index(1, A, B)), ir.Compare(1, "in", B, A)),
        (_call("filter_var", A, ir.Name(1, "FILTER_VALIDATE_INT")), _call("filter_var.FILTER_VALIDATE_INT", A)),
        (_call("header", ir.Binary(1, "+", _text("Location: "), A)), _call("header.location", A)),
        (_call("header", A), _call("header", A)),
        (_call("curl_setopt", A, ir.Name(1, "CURLOPT_URL"), B), _call("curl_setopt.CURLOPT_URL", B)),
        (
            _call("str_replace", ir.Container(1, "list", ((None, _text("\n")),)), _text(""), A),
            _call("text.without_newlines", A),
        ),
    ],
)
def test_calls(call: ir.Call, wanted: ir.Expr) -> None:
    assert plain_call(call) == wanted
