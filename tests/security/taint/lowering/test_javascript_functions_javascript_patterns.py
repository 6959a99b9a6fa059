"""Destructuring, taken apart."""

from __future__ import annotations

from leeboard.security.taint import ir
from leeboard.security.taint.lowering.javascript import lower
from leeboard.source.syntax import parse


def _names(code: str) -> list[tuple[str, str]]:
    tree = parse(code, "javascript")
    assert tree is not None
    found = [each for each in lower(tree).body if isinstance(each, ir.Assign)]
    return [(ir.dotted(each.targets[0]), ir.dotted(each.value)) for each in found]


def test_each_name_gets_its_part() -> None:
    wanted = [("a", "req.query.a"), ("c", "req.query.b"), ("d", "req.query.d"), ("rest", "req.query")]
    assert _names("const {a, b: c, d = 1, ...rest} = req.query;") == wanted


def test_nested_patterns() -> None:
    assert _names("const {a: {b}} = x;") == [("b", "x.a.b")]


def test_a_call_is_kept_once() -> None:
    assert _names("const {a} = f();") == [("{a}", "f()"), ("a", "{a}.a")]
