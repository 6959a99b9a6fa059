"""Calls of Rust in their plain forms."""

from __future__ import annotations

import pytest

from leeboard.code.flow import ir
from leeboard.code.flow._rust_idioms import plain_call

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
        (_method(A, "unwrap"), A),
        (_method(_method(A, "chars"), "all", B), _call("char.is_plain", A)),
        (
            _method(_method(ir.Name(1, "Command"), "new", _text("sh")), "arg", A),
            ir.Unknown(1, (_call("Command.shell_arg", A), _method(ir.Name(1, "Command"), "new", _text("sh")))),
        ),
        (
            _method(_method(ir.Name(1, "Command"), "new", _text("ls")), "arg", A),
            _method(_method(ir.Name(1, "Command"), "new", _text("ls")), "arg", A),
        ),
    ],
)
def test_calls(call: ir.Call, wanted: ir.Expr) -> None:
    assert plain_call(call) == wanted
