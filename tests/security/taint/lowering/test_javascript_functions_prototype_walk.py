"""Keys that lead into a prototype."""

from __future__ import annotations

import pytest

from leeboard.security.taint.lowering.javascript_functions import assigned_key
from leeboard.source.syntax import parse

WALK = (
    "function set(obj, path, value) { let cur = obj; for (const key of path) { cur = cur[key]; } cur[last] = value; }"
)


@pytest.mark.parametrize(
    ("code", "count"),
    [
        (WALK, 1),
        (WALK.replace("let cur", "if (last === '__proto__') return; let cur"), 0),
        ("function copy(a, b) { for (const k in b) { a[k] = b[k]; } }", 0),
        ("function merge(a, b) { for (const k in b) { a[k] = merge(a[k], b[k]); } }", 1),
        ("function f(a) { a['x'] = 1; }", 0),
    ],
)
def test_only_a_walk_counts(code: str, count: int) -> None:
    tree = parse(code, "javascript")
    assert tree is not None
    places = [node.field("left") for node in tree.root.find_all(kind="assignment_expression")]
    assert sum(len(assigned_key(place)) for place in places if place is not None) == count
