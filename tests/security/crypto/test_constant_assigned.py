from __future__ import annotations

import pytest

from leeboard.security.crypto.constant import assigned
from leeboard.security.crypto.source import CryptoSource
from leeboard.source.syntax import parse


def values(language: str, code: str) -> list[str]:
    """What `sink(x)` may get."""
    tree = parse(code, language)
    assert tree is not None
    source = CryptoSource(tree, "a")
    (call,) = source.named("sink")
    return [setting.value.text() for setting in assigned("x", call.args[0], source, lambda _condition: None)]


@pytest.mark.parametrize(
    ("language", "code", "found"),
    [
        ("python", "def f():\n    x = 1\n    x = 2\n    sink(x)", ["2"]),
        ("python", "def f(a):\n    x = 1\n    if a:\n        x = 2\n    sink(x)", ["1", "2"]),
        ("python", "x = 1\ndef f():\n    sink(x)", ["1"]),
        ("python", "def f(x):\n    sink(x)", []),
        ("python", "def f():\n    sink(x)\n    x = 1", []),
        ("javascript", "const x = 1; function f() { sink(x); }", ["1"]),
        ("go", "package a\nfunc f() {\n\tx := make([]byte, 16)\n\trand.Read(x)\n\tsink(x)\n}", []),
        ("java", "class A { void f() { byte[] x = new byte[16];\n r.nextBytes(x);\n sink(x); } }", []),
        ("c", "#define x 512\nvoid f() { sink(x); }", ["512"]),
    ],
)
def test_what_a_variable_may_come_from(language: str, code: str, found: list[str]) -> None:
    assert values(language, code) == found
