from __future__ import annotations

import pytest

from leeboard.security.crypto.source import calls_of, compares_of, plain_name, settings_of
from leeboard.source.syntax import parse

CALLS = [
    ("python", "hashlib.new(A, p, used=False)", "hashlib.new", ["A", "p"], {"used": "False"}),
    ("javascript", "crypto.createHash(a).update({x: 1})", "().update", ["{x: 1}"], {"x": "1"}),
    ("javascript", "new Foo(p)", "Foo", ["p"], {}),
    ("typescript", "a?.b<T>(1)", "a.b", ["1"], {}),
    ("go", "package a\nvar c = &tls.Config{Min: 1}", "tls.Config", [], {"min": "1"}),
    ("java", "class A { void f() { M.get(X); } }", "M.get", ["X"], {}),
    ("kotlin", "fun f() { M.get(x, y = 1) }", "M.get", ["x"], {"y": "1"}),
    ("csharp", "class A { void F() { new B { Mode = C.D }; } }", "B", [], {"mode": "C.D"}),
    ("php", "<?php Foo::bar($a, ['x' => 1]);", "Foo.bar", ["$a", "['x' => 1]"], {"x": "1"}),
    ("ruby", "A::B.c(d, e: 1)", "A.B.c", ["d"], {"e": "1"}),
    ("rust", "fn f() { a::b(c); }", "a.b", ["c"], {}),
    ("c", "void f() { g(&c); }", "g", ["&c"], {}),
    ("cpp", "void f() { a->b(2); }", "a.b", ["2"], {}),
]


@pytest.mark.parametrize(("language", "code", "name", "args", "named"), CALLS)
def test_calls(language: str, code: str, name: str, args: list[str], named: dict[str, str]) -> None:
    tree = parse(code, language)
    assert tree is not None
    call = calls_of(tree.root, code, language)[0]
    assert call.name == name
    assert [argument.text() for argument in call.args] == args
    assert {key: node.text() for key, node in call.named.items()} == named


SETTINGS = [
    ("python", "self.a = 1", "a", "1"),
    ("python", "app.config['X'] = False", "X", "False"),
    ("javascript", "const o = {r: false};", "o", "{r: false}"),
    ("go", "package a\nfunc f() { a, err := g() }", "a", "g()"),
    ("java", "class A { int b = 1; }", "b", "1"),
    ("kotlin", "val a = 1", "a", "1"),
    ("csharp", "class A { int b = 1; }", "b", "1"),
    ("php", "<?php $a = 1;", "a", "1"),
    ("ruby", "a = 1", "a", "1"),
    ("rust", "const A: u8 = 1;", "A", "1"),
    ("c", "void f() { char iv[16] = {0}; }", "iv", "{0}"),
]


@pytest.mark.parametrize(("language", "code", "name", "value"), SETTINGS)
def test_settings(language: str, code: str, name: str, value: str) -> None:
    tree = parse(code, language)
    assert tree is not None
    setting = settings_of(tree.root, code, language)[0]
    assert (setting.name, setting.value.text()) == (name, value)


@pytest.mark.parametrize(("language", "code"), [("python", "a == b"), ("javascript", "a !== b;"), ("ruby", "a == b")])
def test_comparisons(language: str, code: str) -> None:
    tree = parse(code, language)
    assert tree is not None
    (compare,) = compares_of(tree.root, code, language)
    assert (compare.left.text(), compare.right.text()) == ("a", "b")


def test_sums_are_no_comparisons() -> None:
    tree = parse("a + b; a < b;", "javascript")
    assert tree is not None
    assert not compares_of(tree.root, "a + b; a < b;", "javascript")


def test_languages_without_calls_have_none() -> None:
    tree = parse("a: 1", "yaml")
    assert tree is not None
    assert not calls_of(tree.root, "a: 1", "yaml")


@pytest.mark.parametrize(
    ("written", "name"),
    [("new Foo", "Foo"), ("A::b", "A.b"), ("$this->c", "this.c"), ("f(1).g", "().g"), ("a .\n b", "a.b")],
)
def test_names(written: str, name: str) -> None:
    assert plain_name(written) == name
