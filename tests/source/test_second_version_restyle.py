"""Whether a change alters only how code looks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.source.second_version import is_restyling


@pytest.mark.parametrize(
    ("removed", "added"),
    [
        ("f( a,b )", "f(a, b)"),
        ("x = 1", "x = 1  # one"),
        ("# old\nx = 1", "x = 1"),
        ("s = 'a'", 's = "a"'),
        ("import b\nimport a", "import a\nimport b"),
        ("total = 0\ntotal += x", "amount = 0\namount += x"),
        ("def calc(x): return x", "def compute(x): return x"),
        ("const a = f()", "const b = f()"),
        ("if (x) { y() }", "if (x) {\n  y()\n}"),
        ("/* a */ f()", "/* b */ f()"),
        ("f(a, b);", "f(a, b)"),
        ("[\n  1,\n  2,\n]", "[1, 2]"),
    ],
)
def test_looks_alone(removed: str, added: str) -> None:
    assert is_restyling(removed, added)


@pytest.mark.parametrize(
    ("removed", "added"),
    [
        ("", ""),
        ("", "x = 1"),
        ("x = 1", ""),
        ("x = 1", "x = 2"),
        ("Time.now", "Time.current"),
        ("f(a)", "g(a)"),
        ("if a: b()", "if not a: b()"),
        ("a = True", "a = False"),
        ("x = a + b", "x = a - b"),
        ("total = 0\nsum = 1", "total = 0\ntotal = 1"),
        ("x = load(1)", "x = load(1)\ny = 2"),
        ("return", "break"),
        ("x" * 200_000, "y" * 200_000),
    ],
)
def test_more_than_looks(removed: str, added: str) -> None:
    assert not is_restyling(removed, added)


@pytest.mark.parametrize("piece", ['"""', "/*", "/* *", "'", "# ", "a = "])
def test_hostile_text(piece: str) -> None:
    text = piece * (90_000 // len(piece))
    assert is_restyling(text, text + " x") in {True, False}


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_is_fine(removed: str, added: str) -> None:
    assert is_restyling(removed, added) in {True, False}
