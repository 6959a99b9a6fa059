"""Functions and classes of Kotlin."""

from __future__ import annotations

from leeboard.code.flow import ir
from leeboard.code.flow.lower_kotlin import lower
from leeboard.code.syntax import parse

TEXT = """\
class Users(val db: Db) : Base() {
    @GetMapping("/x")
    fun find(@RequestParam name: String, n: Int): String = name
}
"""


def test_a_class_with_its_methods() -> None:
    tree = parse(TEXT, "kotlin")
    assert tree is not None
    (kind,) = [stmt.type for stmt in lower(tree).body if isinstance(stmt, ir.DefineClass)]
    (method,) = kind.methods
    assert (kind.name, kind.bases, method.name, method.owner) == ("Users", ("Base",), "find", "Users")
    assert [(param.name, param.annotation) for param in method.params] == [
        ("name", "@RequestParam String"),
        ("n", "Int"),
    ]
    assert [ir.dotted(mark) for mark in method.decorators] == ["GetMapping"]
    assert isinstance(method.lower()[0], ir.Return)
