"""The names Python's imports bind."""

from __future__ import annotations

import pytest

from leeboard.code.flow._python_import import bindings
from leeboard.code.syntax import parse


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("import a", {"a": "a"}),
        ("import a.b, c as d", {"a": "a", "d": "c"}),
        ("from a.b import c, d as e", {"c": "a.b.c", "e": "a.b.d"}),
        ("from a import (\n    b,  # why\n    c,\n)", {"b": "a.b", "c": "a.c"}),
        ("from . import a", {"a": "a"}),
        ("from .b import a", {"a": "b.a"}),
        ("from a import *", {}),
    ],
)
def test_bindings(text: str, bound: dict[str, str]) -> None:
    tree = parse(text, "python")
    assert tree is not None
    assert dict(bindings(tree.root.children()[0])) == bound
