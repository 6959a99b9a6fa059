"""The C library in plain forms."""

from __future__ import annotations

import pytest

from leeboard.security.taint import ir
from leeboard.security.taint.lowering.c_library import asked_by, compared, option, plain, truth

A, B, ZERO = ir.Name(1, "a"), ir.Name(1, "b"), ir.Const(1, 0)


def _call(name: str, *args: ir.Expr) -> ir.Call:
    return ir.Call(1, ir.Name(1, name), args)


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        (_call("strcpy", A, B), ir.Walrus(1, A, B)),
        (_call("strcat", A, B), ir.Walrus(1, A, ir.Join(1, (A, B)))),
        (_call("fgets", A, ZERO, ir.Name(1, "stdin")), ir.Walrus(1, A, _call("stdin.read"))),
        (_call("fgets", A, ZERO, B), ir.Walrus(1, A, _call("file.read"))),
        (_call("recv", B, A), ir.Walrus(1, A, _call("socket.read"))),
        (_call("scanf", ir.Const(1, "%s"), A), ir.Walrus(1, A, _call("stdin.read"))),
        (_call("sscanf", B, ir.Const(1, "%s"), A), ir.Walrus(1, A, B)),
        (_call("snprintf", A, ZERO, ir.Const(1, "%s"), B), ir.Walrus(1, A, _call("sprintf", ir.Const(1, "%s"), B))),
        (_call("realpath", B, A), ir.Walrus(1, A, _call("realpath", B))),
        (_call("strcpy", A), _call("strcpy", A)),
    ],
)
def test_calls_that_write(call: ir.Call, wanted: ir.Expr) -> None:
    assert plain(call) == wanted


def test_comparisons_with_zero() -> None:
    equal = ir.Compare(1, "==", A, B)
    found = ir.Compare(1, "in", B, A)
    assert compared(ir.Compare(1, "==", _call("strcmp", A, B), ZERO)) == equal
    assert compared(ir.Compare(1, "!=", _call("strcmp", A, B), ZERO)) == ir.Not(1, equal)
    assert compared(ir.Compare(1, "!=", _call("strstr", A, B), ZERO)) == found
    assert truth(ir.Not(1, _call("strcmp", A, B))) == equal
    assert truth(_call("strstr", A, B)) == found
    assert asked_by(_call("strlen", A)) == _call("strlen", A)


def test_an_option_names_the_call() -> None:
    call = _call("curl_easy_setopt", A, ir.Name(1, "CURLOPT_URL"), B)
    assert option(call) == _call("curl_easy_setopt.CURLOPT_URL", B)
