"""Python's expressions, lowered."""

from __future__ import annotations

import pytest

from leeboard.security.taint import ir
from leeboard.security.taint.lowering.python import lower
from leeboard.source.syntax import parse

A, B = ir.Name(1, "a"), ir.Name(1, "b")
ONE = ir.Const(1, 1)


def expression(text: str) -> ir.Expr:
    tree = parse(text, "python")
    assert tree is not None
    statement = lower(tree).body[0]
    assert isinstance(statement, ir.ExprStmt)
    return statement.value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(a)", A),
        ("await a", A),
        ("a.b", ir.Attr(1, A, "b")),
        ("a[1]", ir.Index(1, A, ONE)),
        ("a[1:2]", ir.Index(1, A, None)),
        ("a(1, *b, k=1, **b)", ir.Call(1, A, (ONE, ir.Spread(1, B)), (("k", ONE), ("", B)))),
        ("a + 1", ir.Binary(1, "+", A, ONE)),
        ("a < b", ir.Compare(1, "<", A, B)),
        ("a not in b", ir.Compare(1, "not in", A, B)),
        ("a < b < 1", ir.Bool(1, "and", (ir.Compare(1, "<", A, B), ir.Compare(1, "<", B, ONE)))),
        ("a and b and a", ir.Bool(1, "and", (A, B, A))),
        ("not a", ir.Not(1, A)),
        ("-a", ir.Unary(1, "-", A)),
        ("a if b else 1", ir.Ternary(1, B, A, ONE)),
        ("(a := 1)", ir.Walrus(1, A, ONE)),
        ("[a, *b]", ir.Container(1, "list", ((None, A), (None, ir.Spread(1, B))))),
        ("(a, b)", ir.Container(1, "tuple", ((None, A), (None, B)))),
        ("{1: a, **b}", ir.Container(1, "dict", ((ONE, A), (None, ir.Spread(1, B))))),
        ("[a for a in b if a]", ir.Comprehension(1, ((A, B),), (A,), A)),
        ("{1: a for a in b}", ir.Comprehension(1, ((A, B),), (), A, ONE)),
        ("0x10", ir.Const(1, 16)),
        ("1.5", ir.Const(1, 1.5)),
        ("None", ir.Const(1, None)),
        ("True", ir.Const(1, value=True)),
        ("...", ir.Unknown(1)),
    ],
)
def test_expressions(text: str, expected: ir.Expr) -> None:
    assert expression(text) == expected


def test_a_lambda_is_a_function() -> None:
    value = expression("lambda a, b=1: a")
    assert isinstance(value, ir.Lambda)
    assert [param.name for param in value.function.params] == ["a", "b"]
    assert value.function.lower() == (ir.Return(1, A),)


def test_beyond_reason_nothing_is_known() -> None:
    assert isinstance(expression("-" * 500 + "a"), ir.Unary)


def test_a_line_without_end_is_cut_off() -> None:
    value = expression("[" + "1," * 100_000 + "]")
    assert isinstance(value, ir.Container)
    assert len(value.items) <= 400
