from __future__ import annotations

import pytest

from leeboard.source.syntax import parse


@pytest.mark.parametrize(
    ("language", "text", "exported"),
    [
        ("python", "def a(): pass\ndef _b(): pass\nclass C:\n    def __init__(self): pass\n", ["a", "C", "__init__"]),
        ("go", "package p\nfunc A() {}\nfunc b() {}\n", ["A"]),
        (
            "javascript",
            "export function a() {}\nexport const b = () => 1;\nfunction c() { const d = () => 1; }\n",
            ["a", "b"],
        ),
        (
            "javascript",
            "function a() {}\nfunction b() {}\nfunction c() {}\nexport { a as x };\nmodule.exports = { b };\n",
            ["a", "b"],
        ),
        ("javascript", "exports.a = () => 1;\nfunction b() {}\nexport default b;\n", ["a", "b"]),
        ("typescript", "export class A { m() {} private n() {} #o() {} _p() {} }\n", ["A", "m"]),
        ("java", "public class A { public void m() {} void n() {} private void o() {} }\n", ["A", "m"]),
        ("csharp", "public class A { public void M() {} internal void N() {} void O() {} }\n", ["A", "M"]),
        (
            "php",
            "<?php class A { function a() {} private function b() {} protected static function c() {} }\n",
            ["A", "a"],
        ),
        ("kotlin", "fun a() {}\nprivate fun b() {}\ninternal fun c() {}\n", ["a"]),
        (
            "rust",
            "pub fn a() {}\nfn b() {}\npub(crate) fn c() {}\nimpl T for S { fn d(&self) {} }\nimpl S { fn e(&self) {} }\n",
            ["a", "c", "d"],
        ),
        ("c", "int a(void) { return 1; }\nstatic int b(void) { return 1; }\n", ["a"]),
        ("bash", "a() { :; }\n_b() { :; }\n", ["a"]),
        (
            "ruby",
            "class A\n  def a; end\n  private\n  def b; end\n  public\n  def c; end\n  private def d; end\nend\ndef e; end\n",
            ["A", "a", "c", "e"],
        ),
        ("ruby", "class A\n  private\n  def a; end\nend\nclass B\n  def b; end\nend\n", ["A", "B", "b"]),
    ],
)
def test_what_others_may_use(language: str, text: str, exported: list[str]) -> None:
    tree = parse(text, language)
    assert tree is not None
    assert [it.name for it in tree.definitions if it.exported] == exported
