"""Computing with constants."""

from __future__ import annotations

import pytest

from leeboard.security.taint.fold import arithmetic, comparison, item, method, truth
from leeboard.security.taint.values import MISSING, Known


@pytest.mark.parametrize(
    ("op", "left", "right", "result"),
    [
        ("+", 2, 3, 5),
        ("*", 7, 42, 294),
        ("+", "a", "b", "ab"),
        ("/", 1, 0, MISSING),
        ("%", 7, 4, 3),
        ("*", 10**13, 2, MISSING),
        ("**", 9, 9, MISSING),
        ("+", MISSING, 1, MISSING),
    ],
)
def test_arithmetic(op: str, left: Known, right: Known, result: Known) -> None:
    assert arithmetic(op, left, right) == result


@pytest.mark.parametrize(
    ("op", "left", "right", "result"),
    [
        (">", 3, 2, True),
        ("==", "a", "a", True),
        ("!=", "a", "a", False),
        ("in", "a", "abc", True),
        ("not in", "a", "abc", False),
        ("<", "a", 3, MISSING),
        ("==", MISSING, 3, MISSING),
        ("is not", None, None, False),
    ],
)
def test_comparison(op: str, left: Known, right: Known, result: Known) -> None:
    assert comparison(op, left, right) == result


@pytest.mark.parametrize(
    ("name", "text", "args", "result"),
    [
        ("upper", "a", (), "A"),
        ("startswith", "abc", ("a",), True),
        ("endsWith", "abc", ("x",), False),
        ("charAt", "abc", (1,), "b"),
        ("unheard", "abc", (), MISSING),
        ("upper", 3, (), MISSING),
    ],
)
def test_methods(name: str, text: Known, args: tuple[Known, ...], result: Known) -> None:
    assert method(name, text, args) == result


def test_items_and_truth() -> None:
    assert item("abc", 1) == "b"
    assert item("abc", 9) is MISSING
    assert [truth(""), truth(1), truth(MISSING)] == [False, True, None]
