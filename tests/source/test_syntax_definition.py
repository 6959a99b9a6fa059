from __future__ import annotations

import pytest

from leeboard.source.syntax import parse

CASES: dict[str, tuple[str, list[str]]] = {
    "python": (
        "@dec\nasync def f(a): pass\nclass A:\n    def m(self): pass\n    class B:\n        def n(self): pass\n",
        ["function f 1-2", "class A 3-6", "method A.m 4-4", "class A.B 5-6", "method B.n 6-6"],
    ),
    "javascript": (
        ("function a() {}\nconst b = () => 1;\nclass C { m() {} f = () => 2; }\nconst o = { p() {}, q: function () {} };\n"
        "Foo.prototype.r = function () {};\nexports.s = async () => {};\nconst K = class { t() {} };\nlist.map(x => x);\n"
        "export default function () {}\n"),
        [
            "function a 1-1", "function b 2-2", "class C 3-3", "method C.m 3-3", "method C.f 3-3", "method o.p 4-4",
            "method o.q 4-4", "method Foo.r 5-5", "function s 6-6", "class K 7-7", "method K.t 7-7", "function default 9-9",
        ],
    ),
    "typescript": (
        ("interface I { m(): void }\nenum E { A }\nabstract class Q { abstract m(): void; n(): void {} }\nfunction over(a: string): void;\n"
        "namespace N { export function g() {} }\n"),
        ["class I 1-1", "class E 2-2", "class Q 3-3", "method Q.n 3-3", "function g 5-5"],
    ),
    "tsx": (
        "const Card = React.memo(({ title }) => <b>{title}</b>);\nconst run = useCallback(async () => {}, []);\nitems.forEach(() => {});\n",
        ["function Card 1-1", "function run 2-2"],
    ),
    "go": (
        ("package p\nfunc F() {}\nfunc (s *Stack[T]) Push(x T) {}\ntype Stack[T any] struct {}\ntype I interface { M() }\n"
        "func main() {\n\tgo func() {}()\n\th, err := func() {}, nil\n}\n"),
        ["function F 2-2", "method Stack.Push 3-3", "class Stack 4-4", "class I 5-5", "function main 6-9", "function h 8-8"],
    ),
    "java": (
        "class A {\n  A() {}\n  int m() { return 1; }\n  interface I { void z(); }\n  enum E { X; void q() {} }\n  record R(int a) {}\n}\n",
        ["class A 1-7", "method A.A 2-2", "method A.m 3-3", "class A.I 4-4", "class A.E 5-5", "method E.q 5-5", "class A.R 6-6"],
    ),
    "ruby": (
        "module M\n  class A < B\n    def foo; end\n    def self.bar; end\n  end\nend\ndef top = 1\n",
        ["class M 1-6", "class M.A 2-5", "method A.foo 3-3", "method A.bar 4-4", "function top 7-7"],
    ),
    "php": (
        "<?php\nfunction f() {}\nabstract class C { function m() {} abstract function n(); }\ninterface I {}\ntrait T {}\n$g = function () {};\n",
        ["function f 2-2", "class C 3-3", "method C.m 3-3", "class I 4-4", "class T 5-5", "function g 6-6"],
    ),
    "rust": (
        ("fn f() {}\nimpl<T> Show for Stack<T> { fn m(&self) {} }\ntrait Show { fn a(&self); fn b(&self) {} }\nstruct Stack;\nenum E {}\n"
        "mod inner { fn deep() {} }\n"),
        ["function f 1-1", "method Stack.m 2-2", "class Show 3-3", "method Show.b 3-3", "class Stack 4-4", "class E 5-5", "function deep 6-6"],
    ),
    "csharp": (
        "namespace N { class A { A() {} int M() { void L() {} return 1; } int Q() => 2; abstract void Z(); } interface I {} struct S {} }\n",
        ["class A 1-1", "method A.A 1-1", "method A.M 1-1", "function L 1-1", "method A.Q 1-1", "class I 1-1", "class S 1-1"],
    ),
    "kotlin": (
        "class A {\n  fun m(): Int = 1\n  companion object {\n    fun z() {}\n  }\n}\nfun String.ext() {}\nfun top() {}\n",
        ["class A 1-6", "method A.m 2-2", "method A.z 4-4", "method String.ext 7-7", "function top 8-8"],
    ),
    "c": (
        "static char *f(int a) { return 0; }\nstruct S { int a; };\ntypedef struct { int x; } Point;\nstruct S *use(struct S *s) { return s; }\nint proto(int);\n",
        ["function f 1-1", "class S 2-2", "class Point 3-3", "function use 4-4"],
    ),
    "cpp": (
        ("namespace n { class A { A() {} int m() const { return 1; } }; }\nint A::m(int a) { return a; }\ntemplate <class T> T* f(T&& x) { return 0; }\n"
        "A::~A() {}\nstd::string& Box<T>::name() { return x; }\nclass Later;\n"),
        ["class A 1-1", "method A.A 1-1", "method A.m 1-1", "method A.m 2-2", "function f 3-3", "method A.~A 4-4", "method Box.name 5-5"],
    ),
    "bash": ("f() { echo; }\nfunction g { echo; }\n", ["function f 1-1", "function g 2-2"]),
}  # fmt: skip


@pytest.mark.parametrize("language", sorted(CASES))
def test_definitions_of(language: str) -> None:
    text, expected = CASES[language]
    tree = parse(text, language)
    assert tree is not None
    found = [f"{it.kind} {it.owner + '.' if it.owner else ''}{it.name} {it.start}-{it.end}" for it in tree.definitions]
    assert found == expected


def test_a_method_without_its_class_is_one_still() -> None:
    tree = parse("    public int size() { return 1; }\n", "java")
    assert tree is not None
    assert [(it.kind, it.owner, it.name) for it in tree.definitions] == [("method", "", "size")]


def test_the_node_is_the_function_itself() -> None:
    tree = parse("const add = (a, b) => a + b;\n", "javascript")
    assert tree is not None
    assert tree.definitions[0].node.text() == "(a, b) => a + b"
