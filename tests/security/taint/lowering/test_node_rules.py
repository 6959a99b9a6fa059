"""Nodes that look alike everywhere."""

from __future__ import annotations

import pytest

from leeboard.security.taint import ir
from leeboard.security.taint.lowering import node_rules
from leeboard.security.taint.lowering.javascript import lower
from leeboard.source.syntax import parse

A, B = ir.Name(1, "a"), ir.Name(1, "b")


@pytest.mark.parametrize(
    ("operator", "wanted"),
    [
        ("===", ir.Compare(1, "==", A, B)),
        ("!in", ir.Compare(1, "not in", A, B)),
        ("&&", ir.Bool(1, "and", (A, B))),
        ("??", ir.Bool(1, "or", (A, B))),
        (".", ir.Binary(1, "+", A, B)),
        ("%", ir.Binary(1, "%", A, B)),
    ],
)
def test_operators(operator: str, wanted: ir.Expr) -> None:
    assert node_rules.operation(1, operator, A, B) == wanted


def test_a_table_asked_for_a_key_is_membership() -> None:
    asked = ir.Not(1, ir.Index(1, A, B))
    assert node_rules.as_test(asked) == ir.Not(1, ir.Compare(1, "in", B, A))
    assert node_rules.as_test(ir.Index(1, A, ir.Const(1, "x"))) == ir.Index(1, A, ir.Const(1, "x"))


@pytest.mark.parametrize(("written", "value"), [("0o17", 15), ("017", 15), ("0x10", 16), ("1_000", 1000), ("1.5", 0)])
def test_numbers(written: str, value: int) -> None:
    tree = parse(f"x = {written}", "javascript")
    assert tree is not None
    (assign,) = lower(tree).body
    assert isinstance(assign, ir.Assign)
    assert assign.value == ir.Const(1, value)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("if (a) { b() } else { c() }", ir.If),
        ("while (a) b()", ir.Loop),
        ("for (const x of xs) f(x)", ir.Loop),
        ("try { a() } catch (e) { b() } finally { c() }", ir.Try),
        ("switch (a) { case 1: b(); break; default: c() }", ir.Switch),
        ("throw a", ir.Exit),
        ("a += b", ir.Assign),
    ],
)
def test_statements(code: str, kind: type[ir.Node]) -> None:
    tree = parse(code, "javascript")
    assert tree is not None
    assert [type(each) for each in lower(tree).body] == [kind]
