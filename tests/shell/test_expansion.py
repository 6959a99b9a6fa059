from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leeboard.shell.expansion import CLOSE, COMMA, OPEN, UNKNOWN, NotSimpleError, alternatives, ansi, closing, expand


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("(a)b", 3),
        ("(a(b)c)", 7),
        ("(')')x", 5),
        ('(")")x', 5),
        ("(\\))x", 4),
        ('"$(a ")")"x', 10),
        ("`a`", 3),
        ("{a", -1),
    ],
)
def test_a_closer_is_found(text: str, end: int) -> None:
    assert closing(text, 0) == end


@settings(deadline=None)
@given(st.text(alphabet="(){}\"'`\\$a"))
def test_a_closer_is_inside_the_text(text: str) -> None:
    assert closing(text, 0) == -1 or 0 < closing(text, 0) <= len(text)


def test_double_quotes_expand() -> None:
    assert expand("a $X ${X}y \\$X $(b) `c` $", {"X": "1"}.get) == f"a 1 1y $X {UNKNOWN} {UNKNOWN} $"


def test_an_open_substitution_is_refused() -> None:
    with pytest.raises(NotSimpleError):
        expand("a $(b", lambda _name: None)


def test_ansi_text_can_not_forge_marks() -> None:
    assert ansi("a\\x00b\\001c\\t") == "a b c\t"


def test_too_many_alternatives_are_unknown() -> None:
    word = (OPEN + "a" + COMMA + "b" + CLOSE) * 10
    assert alternatives(word) == [UNKNOWN]
