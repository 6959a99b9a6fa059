from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.code.known.plain import plain_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("f('a', 1)\n", 'f(\n    "a",\n    1,\n)\n'),
        ("x = [1, 2]\n", "x=[1, 2,]\n"),
        ("if x:\n  return 1\n", "if x:\n    return 1\n\n\n"),
        ("function f() {\n\treturn {a: 1}\n}\n", "function f() {\n  return { a: 1, }\n}\n"),
        ("a: 1\r\nb:   2\r\n", "a: 1\nb: 2\n"),
        ("x = 1  # don't\n", "x = 1 # don't  \n"),
        ("", "\n\n"),
    ],
)
def test_what_formatters_change(one: str, other: str) -> None:
    assert plain_of(one) == plain_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "for x in y:\n    if x:\n        go()\n        return 1\n",
            "for x in y:\n    if x:\n        go()\n    return 1\n",
        ),
        ("a:\n  b: 1\n  c: 2\n", "a:\n  b: 1\nc: 2\n"),
        ("all:\n\tmake\n", "all:\n        make\n"),
        ("x = 'a b'\n", "x = 'ab'\n"),
        ("x = 'a, b'\n", "x = 'a,b'\n"),
        ("10 20\n", "1020\n"),
        ("x = 1\n", "x = 2\n"),
        ("a, b\n", "a b\n"),
        ("return\nx\n", "return x\n"),
    ],
)
def test_what_somebody_means(one: str, other: str) -> None:
    assert plain_of(one) != plain_of(other)


@given(st.text(alphabet="ab \t\n\r\"'`\\()[]{},", max_size=80))
def test_any_text_is_taken_and_blank_lines_at_the_end_count_for_nothing(text: str) -> None:
    assert plain_of(text + "\n\n") == plain_of(text)


@pytest.mark.parametrize("hostile", ['\\"', '"', "(", " ", "\t\n", "'\\"])
def test_it_takes_time_with_the_length(hostile: str) -> None:
    assert isinstance(plain_of(hostile * 50_000), str)
