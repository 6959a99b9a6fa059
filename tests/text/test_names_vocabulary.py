from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.text.names import clues, held_of, vocabulary, words_of

LITERALS = ("system(", ".execute(", "shell=", "from os import", "@", "@route")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", set()),
        ("a = b(a)", {"a", "b"}),
        ("os.system('x')\nos.system", {"os", "system", "x"}),
        ("naïve_md5 \ud800 \x00x", {"na", "ve_md5", "x"}),
    ],
)
def test_words(text: str, words: set[str]) -> None:
    assert set(vocabulary(text).split()) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("a = b(a, 1)", ["a", "b", "a", "1"]),
        ("self.größe = größe[0]", ["self", "größe", "größe", "0"]),
    ],
)
def test_all_words_in_order(text: str, words: list[str]) -> None:
    assert words_of(text) == words


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("os.system(x)", ("system(", "@")),
        ("shell", ("shell=", "@")),
        ("filesystem(x)", ("system(", "@")),
        ("from os import path", ("from os import", "@")),
        ("", ("@",)),
    ],
)
def test_literals_that_may_be_there(text: str, held: tuple[str, ...]) -> None:
    assert held_of(text, clues(LITERALS)) == held


@given(st.text(max_size=200), st.sampled_from(LITERALS), st.text(max_size=200))
def test_a_literal_that_is_there_is_held(before: str, literal: str, behind: str) -> None:
    text = before + literal + behind
    assert literal in held_of(text, clues(LITERALS))
