from __future__ import annotations

import pytest

from leeboard.source.syntax import parse


@pytest.mark.parametrize(
    ("language", "text", "params"),
    [
        ("python", "def f(a, b: int = 1, *args, k=2, **kw): pass", ("a", "b", "args", "k", "kw")),
        ("python", "def f(a, /, b, *, c): pass", ("a", "b", "c")),
        ("javascript", "function f(a, {b, c: d, e = 1}, [g], h = {}, ...i) {}", ("a", "b", "d", "e", "g", "h", "i")),
        ("javascript", "const f = x => x", ("x",)),
        ("typescript", "function f(this: A, a: string, b?: number) {}", ("a", "b")),
        ("go", "package p\nfunc f(a, b int, c ...string) {}", ("a", "b", "c")),
        ("java", "class A { void f(final int a, String... b) {} }", ("a", "b")),
        ("ruby", "def f(a, b = 1, *c, d:, **e, &g); end", ("a", "b", "c", "d", "e", "g")),
        ("php", "<?php function f(int $a, &$b, ...$c) {}", ("a", "b", "c")),
        ("rust", "fn f(&mut self, a: i32, mut b: &str, (c, d): (i32, i32)) {}", ("self", "a", "b", "c", "d")),
        ("csharp", "class A { void F(int a, string b = null) {} }", ("a", "b")),
        ("kotlin", 'fun f(a: Int, b: String = "x") {}', ("a", "b")),
        ("c", "int f(int a, char **b, int (*c)(int), int d[3], ...) { return 1; }", ("a", "b", "c", "d")),
        ("c", "int f(void) { return 1; }", ()),
        ("cpp", "void A::f(const std::string& a, int) {}", ("a",)),
        ("cpp", "std::string& Box<T>::name(int a) { return x; }", ("a",)),
        ("c", "int (*pick(int a))(int) { return 0; }", ("a",)),
        ("bash", "f() { :; }", ()),
    ],
)
def test_names_of_parameters(language: str, text: str, params: tuple[str, ...]) -> None:
    tree = parse(text, language)
    assert tree is not None
    found = [it for it in tree.definitions if it.kind != "class"]
    assert found[0].params == params
