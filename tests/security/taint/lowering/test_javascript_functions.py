"""Functions and classes of JavaScript."""

from __future__ import annotations

from leeboard.security.taint import ir
from leeboard.security.taint.lowering.javascript import lower
from leeboard.security.taint.lowering.javascript_functions import REQUEST
from leeboard.source.syntax import parse


def _body(code: str, language: str = "javascript") -> ir.Block:
    tree = parse(code, language)
    assert tree is not None
    return lower(tree).body


def test_parameters_in_all_their_forms() -> None:
    (define,) = _body("function f(a, b = 1, {c}, ...d) { return c; }")
    assert isinstance(define, ir.Define)
    assert [(param.name, param.kind) for param in define.function.params] == [
        ("a", ""),
        ("b", ""),
        ("{c}", ""),
        ("d", "*"),
    ]
    first = define.function.lower()[0]
    assert isinstance(first, ir.Assign)
    assert ir.dotted(first.value) == "{c}.c"


def test_what_is_read_like_a_request_is_one() -> None:
    (define,) = _body("const f = (req, res) => { res.json(req.query.a); };")
    assert isinstance(define, ir.Define)
    assert [param.annotation for param in define.function.params] == [REQUEST, ""]


def test_a_class_has_its_methods_and_fields() -> None:
    (define,) = _body("class A extends B { x = 1; @Get() m(@Query() q: string) {} f = () => 1; }", "typescript")
    assert isinstance(define, ir.DefineClass)
    assert [method.name for method in define.type.methods] == ["m", "f"]
    assert define.type.bases == ("B",)
    assert define.type.methods[0].params[0].annotation == "@Query() string"
