"""The C++ library in plain forms."""

from __future__ import annotations

import pytest

from leeboard.security.taint import ir
from leeboard.security.taint.lowering.c import lower
from leeboard.security.taint.lowering.c_library import cpp_compared, plain_method
from leeboard.source.syntax import parse

S, X = ir.Name(1, "s"), ir.Name(1, "x")


def _method(name: str, *args: ir.Expr) -> ir.Call:
    return ir.Call(1, ir.Attr(1, S, name), args)


def _known(name: str, *args: ir.Expr) -> ir.Call:
    return ir.Call(1, ir.Name(1, name), args)


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        (_method("c_str"), S),
        (_method("append", X), ir.Walrus(1, S, ir.Join(1, (S, X)))),
        (_method("count", X), ir.Compare(1, "in", X, S)),
        (_known("getline", ir.Name(1, "cin"), S), ir.Walrus(1, S, _known("cin.read"))),
        (_known("isalnum", ir.Index(1, S, X)), _known("char.is_plain", S)),
        (_known("regex_match", S, X), _known("regex.test_whole", X, S)),
    ],
)
def test_methods(call: ir.Call, wanted: ir.Expr) -> None:
    assert plain_method(call) == wanted


def test_searches_that_are_compared() -> None:
    nowhere = ir.Attr(1, ir.Name(1, "string"), "npos")
    found = ir.Compare(1, "in", X, S)
    assert cpp_compared(ir.Compare(1, "==", _method("find", X), nowhere)) == ir.Not(1, found)
    assert cpp_compared(ir.Compare(1, "==", _method("rfind", X, ir.Const(1, 0)), ir.Const(1, 0))) == _known(
        "text.starts_with", S, X
    )
    assert cpp_compared(ir.Compare(1, "==", _method("find_first_not_of", X), nowhere)) == _known("char.is_plain", S)
    assert cpp_compared(ir.Compare(1, "<", S, X)) == ir.Compare(1, "<", S, X)


@pytest.mark.parametrize(
    ("code", "targets"), [("s << a << b;", ["s"]), ("std::cin >> a;", ["a"]), ("x = a << 2;", ["x"])]
)
def test_streams(code: str, targets: list[str]) -> None:
    tree = parse(f"void f() {{ {code} }}", "cpp")
    assert tree is not None
    (define,) = lower(tree).body
    assert isinstance(define, ir.Define)
    found = [each for each in define.function.lower() if isinstance(each, ir.Assign)]
    assert [ir.dotted(each.targets[0]) for each in found] == targets
