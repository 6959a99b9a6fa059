"""Calls of JavaScript in their plain forms."""

from __future__ import annotations

import pytest

from leeboard.code.flow import ir
from leeboard.code.flow.lower_javascript import lower
from leeboard.code.syntax import parse


@pytest.mark.parametrize(
    ("code", "callee"),
    [
        ("/^a$/.test(x)", "regex.test"),
        ("x.match(/^a$/)", "regex.match"),
        ("schema.parse(x)", "schema.validated"),
        ("JSON.parse(x)", "JSON.parse"),
        ("Number.isInteger(x)", "type.is_number"),
        ("x.replace(/[<>]/g, '')", "text.without_markup"),
        ("util.promisify(x)", ""),
    ],
)
def test_calls(code: str, callee: str) -> None:
    tree = parse(f"y = {code}", "javascript")
    assert tree is not None
    (assign,) = lower(tree).body
    assert isinstance(assign, ir.Assign)
    value = assign.value
    assert (ir.dotted(value.callee) if isinstance(value, ir.Call) else "") == callee
