"""A body as statements, whatever its layout."""

from __future__ import annotations

import pytest

from leeboard.source.statements import body_of, statements


def shape(text: str, language: str) -> list[str]:
    return sorted(roles for roles, _words in statements(body_of(text, language), language))


SAME = (
    ("python", "def f(a: int) -> int:\n    x: int = (a)\n    return x\n", "def g(b):\n    y = b\n    return y\n"),
    ("python", 'def f():\n    """Doc."""\n    logger.info("x")\n    return 1\n', "def f():\n    return 2\n"),
    ("python", "def f(a):\n    if a: return g(\n        a,\n    )\n", "def f(a):\n    if a:\n        return g(a)\n"),
    ("python", "def f():\n    return (1, 2,)\n", "def f():\n    return 1, 2\n"),
    ("python", "def f():\n    a = 1; b = g()\n", "def f():\n    c = h()\n    d = 3\n"),
    (
        "javascript",
        "function f(a) {\n  if (a) return b.c(a);\n}",
        "const f = (a) => {\n  if (a) {\n    return b\n      .c(a)\n  }\n}",
    ),
    ("typescript", "function f(a: T): U { const x: U = g(a); return x }", "function f(a) { const x = g(a); return x }"),
    (
        "java",
        "int f(int a) { if (a > 1) return g(a); return 2; }",
        "int f(int a)\n{\n  if (a > 1)\n  {\n    return g(a);\n  }\n  return 2;\n}",
    ),
    ("go", "func (t *T) F(a int) int {\n\tx := g(a)\n\treturn x\n}", "func F(b int) (int) {\n\ty := g(b); return y\n}"),
    ("kotlin", "fun f(a: Int): Int = g(a)", "fun f(b: Int) = g(b)"),
    ("ruby", "def f(a)\n  g(a) if a\nend", "def f a\n  g(a) if a\nend"),
    ("rust", "fn f(a: u8) -> u8 { let x: u8 = g(a); x }", "fn f(b: u8) -> u8 { let y = g(b); y }"),
)


@pytest.mark.parametrize(("language", "one", "other"), SAME)
def test_layout_does_not_matter(language: str, one: str, other: str) -> None:
    assert shape(one, language) == shape(other, language)


def test_roles_tell_what_a_name_is() -> None:
    found = list(statements(body_of("def f(a):\n    b.c(a.d, key=X(1), text='x')\n", "python"), "python"))
    assert found[0][0] == "v.m(v.a,k=f(n),k=s)"


def test_inserted_code_is_opened() -> None:
    body = body_of('def f(a):\n    return f"{a.name!r} of {count(a)}"\n', "python")
    assert body.tokens[-7:-1] == [".", "name", "count", "(", "a", ")"]
    assert body.head == frozenset({"a"})


def test_a_head_has_the_parameters_without_their_types() -> None:
    body = body_of("def f(a, b: dict[str, int] = 3,\n      *c, **d) -> list[bool]:\n    return a\n", "python")
    assert body.head == frozenset({"a", "b", "c", "d"})


def test_text_without_a_head_is_all_body() -> None:
    assert body_of("a + b", "java").tokens == ["a", "+", "b"]
