"""Python to the engine's own language."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leeboard.security.taint import ir
from leeboard.security.taint.lowering.python import bindings, lower
from leeboard.source.syntax import parse


def module(text: str) -> ir.Module:
    tree = parse(text, "python")
    assert tree is not None
    return lower(tree)


def first(text: str) -> ir.Stmt:
    return module(text).body[0]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("x = 1", ir.Assign),
        ("f(x)", ir.ExprStmt),
        ("if x: pass", ir.If),
        ("for x in y: pass", ir.Loop),
        ("while x: pass", ir.Loop),
        ("with a as b: pass", ir.Assign),
        ("try: pass\nexcept E: pass", ir.Try),
        ("match x:\n    case 1: pass", ir.Switch),
        ("return x", ir.Return),
        ("raise x", ir.Exit),
        ("break", ir.Exit),
        ("assert x", ir.If),
        ("def f(): pass", ir.Define),
        ("@d\ndef f(): pass", ir.Define),
        ("class C: pass", ir.DefineClass),
        ("import a", ir.Bind),
        ("del x", ir.ExprStmt),
        ("exec 'x'", ir.ExprStmt),
    ],
)
def test_statements(text: str, kind: type[ir.Stmt]) -> None:
    assert isinstance(first(text), kind)


def test_functions_are_lowered_when_asked() -> None:
    text = "@app.route('/x')\nasync def f(a, b: int = 3, *c, d=None, **e) -> str:\n    return a\n"
    (define,) = module(text).body
    assert isinstance(define, ir.Define)
    function = define.function
    assert [(param.name, param.annotation, param.kind) for param in function.params] == [
        ("a", "", ""),
        ("b", "int", ""),
        ("c", "", "*"),
        ("d", "", ""),
        ("e", "", "**"),
    ]
    assert [ir.dotted(mark) for mark in function.decorators] == ["app.route()"]
    assert (function.line, function.end, function.returns) == (1, 3, "str")
    assert function.lower() == (ir.Return(3, ir.Name(3, "a")),)


def test_classes_have_methods_and_fields() -> None:
    (define,) = module("class C(Base, metaclass=M):\n    x: int = 3\n    @staticmethod\n    def m(a): pass\n").body
    assert isinstance(define, ir.DefineClass)
    assert define.type.bases == ("Base",)
    assert [(method.name, method.owner, method.is_static) for method in define.type.methods] == [("m", "C", True)]
    assert len(define.type.fields) == 1


def test_imports_in_branches_count() -> None:
    text = "import a.b\nfrom c import d as e\ntry:\n    import f\nexcept ImportError:\n    f = None\nif x:\n    import g as h\n"
    assert module(text).imports == {"a": "a", "e": "c.d", "f": "f", "h": "g"}


def test_else_if_is_nested() -> None:
    statement = first("if a: x\nelif b: y\nelse: z\n")
    assert isinstance(statement, ir.If)
    (inner,) = statement.orelse
    assert isinstance(inner, ir.If)
    assert len(inner.orelse) == 1


def test_cases() -> None:
    statement = first("match x:\n    case 'a' | 'b': pass\n    case C(): pass\n    case _: pass\n")
    assert isinstance(statement, ir.Switch)
    assert [len(case.values) for case in statement.cases] == [2, 1, 0]


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet="abcdefirx()[]{}:=+*,.'\"\n \t@\\0#%", max_size=200))
def test_any_text_is_lowered(text: str) -> None:
    tree = parse(text, "python")
    if tree is not None:
        for statement in lower(tree).body:
            if isinstance(statement, ir.Define):
                statement.function.lower()


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
