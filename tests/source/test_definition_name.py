from __future__ import annotations

import pytest

from leeboard.source.syntax import parse


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("javascript", "let t = function inner() {}", ["t"]),
        ("javascript", "const o = { 'a-b': () => 1, [c]: () => 2 }", ["o.a-b"]),
        ("javascript", "a.b.c = () => 1", ["c"]),
        ("javascript", "const d = debounce(() => {}, 5); const t = setTimeout(() => {}, 5)", ["d"]),
        ("typescript", "class A { private x = () => 1 }", ["A", "A.x"]),
        ("go", "package p\nfunc (Stack) Len() int { return 1 }\n", ["Stack.Len"]),
        ("go", "package p\nfunc main() { s.h = func() {} }\n", ["main", "h"]),
        ("php", "<?php $a = fn($x) => $x;", ["a"]),
        ("c", "int (*pick(int a))(int) { return 0; }", ["pick"]),
        ("cpp", "bool operator==(const A& a, const A& b) { return true; }", ["operator=="]),
        ("cpp", "void a::b::C::run() {}", ["C.run"]),
        ("rust", "impl fmt::Display for Box<T> { fn fmt(&self) {} }", ["Box.fmt"]),
        ("kotlin", "fun List<Int>.total(): Int = 1\n", ["List.total"]),
    ],
)
def test_the_name_others_call_it_by(language: str, text: str, names: list[str]) -> None:
    tree = parse(text, language)
    assert tree is not None
    assert [f"{it.owner}.{it.name}" if it.owner else it.name for it in tree.definitions] == names
