"""Python's string literals."""

from __future__ import annotations

import pytest

from leeboard.security.taint import ir
from leeboard.security.taint.lowering.python import lower
from leeboard.source.syntax import parse

A = ir.Name(1, "a")


def literal(text: str) -> ir.Expr:
    tree = parse(f"x = {text}", "python")
    assert tree is not None
    statement = lower(tree).body[0]
    assert isinstance(statement, ir.Assign)
    return statement.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'a'", "a"),
        ('"""a\nb"""', "a\nb"),
        (r"'a\nb\t\x41\u00e9\101'", "a\nb\tAéA"),
        (r"r'a\nb'", r"a\nb"),
        ("b'a'", b"a"),
        ("'a' 'b'", "ab"),
        ("f'{{a}}'", "{a}"),
        ("''", ""),
        (r"'\q'", r"\q"),
    ],
)
def test_constants(text: str, value: str | bytes) -> None:
    assert literal(text) == ir.Const(1, value)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("f'x{a}y'", (ir.Const(1, "x"), A, ir.Const(1, "y"))),
        ("f'{a!r:>9}'", (A,)),
        ("'x' f'{a}'", (ir.Const(1, "x"), A)),
        ("f'{a=}'", (A,)),
    ],
)
def test_interpolation(text: str, parts: tuple[ir.Expr, ...]) -> None:
    assert literal(text) == ir.Join(1, parts)
