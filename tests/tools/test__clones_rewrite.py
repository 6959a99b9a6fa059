from __future__ import annotations

import ast

import pytest

from tools._clones_rewrite import Rewriter, negated, reordered

REWRITES = (
    ("out = []\nfor x in xs:\n    if x:\n        out.append(x)", "out = [x for x in xs if x]"),
    ("def f():\n    if a:\n        b()\n        c()", "def f():\n    if not a:\n        return\n    b()\n    c()"),
    (
        "def f():\n    return [x for x in xs]",
        "def f():\n    gathered = []\n    for x in xs:\n        gathered.append(x)\n    return gathered",
    ),
    ("if a:\n    b()\nelse:\n    c()", "if not a:\n    c()\nelse:\n    b()"),
    ("def f():\n    return a if b else c", "def f():\n    if b:\n        return a\n    return c"),
    ("x += 1", "x = x + 1"),
    ("y = f'{a} of {b}'", "y = '{} of {}'.format(a, b)"),
    ("while a:\n    b()", "while True:\n    if not a:\n        break\n    b()"),
    (
        "for x in xs:\n    b(x)",
        (
            "nothing2 = object()\nsteps1 = iter(xs)\nwhile True:\n    x = next(steps1, nothing2)\n"
            "    if nothing2 is x:\n        break\n    b(x)"
        ),
    ),
    (
        "for x, y in xs:\n    b(x)",
        (
            "nothing2 = object()\nsteps1 = iter(xs)\nwhile True:\n    held3 = next(steps1, nothing2)\n"
            "    if held3 is nothing2:\n        break\n    x, y = held3\n    b(x)"
        ),
    ),
    ("def f():\n    return a + b", "def f():\n    outcome1 = a + b\n    return outcome1"),
    ("if a and b:\n    c()", "if a:\n    if b:\n        c()"),
    ("if a < b:\n    c()", "if b > a:\n    c()"),
    ("a.b.c(d(1), e)", "given1 = a.b\ngiven2 = d(1)\ngiven1.c(given2, e)"),
    (
        "def f():\n    if a:\n        return b\n    c()\n    d()",
        "def f():\n    if not a:\n        c()\n        d()\n    else:\n        return b",
    ),
)


@pytest.mark.parametrize(("before", "after"), REWRITES)
def test_rewrites(before: str, after: str) -> None:
    assert ast.unparse(ast.fix_missing_locations(Rewriter().visit(ast.parse(before)))) == after


def test_negated() -> None:
    tests = {"a < b": "a >= b", "not a": "a", "a": "not a", "a is None": "a is not None"}
    for before, after in tests.items():
        assert ast.unparse(negated(ast.parse(before, mode="eval").body)) == after


def test_only_independent_statements_change_places() -> None:
    assert ast.unparse(reordered(ast.parse("a = 1\nb = 2"))) == "b = 2\na = 1"
    assert ast.unparse(reordered(ast.parse("a = 1\nb = a"))) == "a = 1\nb = a"
