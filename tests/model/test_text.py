"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.text import as_sentence, filled, has_longer_line, lazy

WORD = r"(?P<letter>[a-c])\d"


@given(st.text(alphabet="abcd12 ", max_size=12))
def test_it_does_what_the_compiled_one_does(text: str) -> None:
    plain, late = re.compile(WORD), lazy(WORD)
    assert late.findall(text) == plain.findall(text)
    assert late.sub("_", text) == plain.sub("_", text)
    assert [found.span() for found in late.finditer(text)] == [found.span() for found in plain.finditer(text)]
    assert bool(late.fullmatch(text)) == bool(plain.fullmatch(text))
    assert late.split(text) == plain.split(text)


def test_flags_and_attributes_are_those_of_the_compiled_one() -> None:
    assert lazy("a", re.IGNORECASE).match("A")
    assert lazy(WORD).groupindex == {"letter": 1}
    assert lazy(WORD).pattern == WORD


def test_it_is_compiled_at_the_first_use_and_not_before() -> None:
    broken = lazy("(")
    with pytest.raises(re.error):
        broken.search("x")


def test_compiled_once() -> None:
    pattern = lazy("a")
    pattern.search("a")
    assert "search" in vars(pattern)


def test_a_part_may_hold_the_parts_before_it() -> None:
    parts = {"any": "[^.]", "far": "{any}{0,60}"}
    assert filled("a{far}b{2}", parts) == "a[^.]{0,60}b{2}"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("line 2 in a.py", "Line 2 in a.py"),
        ("take it out, then go", "Take it out, then go"),
        ("weak hash", "Weak hash"),
        ("app/bad.py: credential", "app/bad.py: credential"),
        ("sys.argv[1] (line 3) reaches", "sys.argv[1] (line 3) reaches"),
        ("stdin (line 3) reaches", "stdin (line 3) reaches"),
        ("contract.touch in leeboard.toml", "contract.touch in leeboard.toml"),
        ("`name` is there", "`name` is there"),
        ("", ""),
    ],
)
def test_a_sentence_capitalises_words_and_no_names(text: str, told: str) -> None:
    assert as_sentence(text) == told


@given(st.text(alphabet="ab\n", max_size=40), st.integers(0, 8))
def test_a_longer_line(text: str, limit: int) -> None:
    assert has_longer_line(text, limit) == any(len(line) > limit for line in text.split("\n"))
