"""What other people's code says of the same texts is the measure: rapidfuzz, which is here for the tests alone."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein
from rapidfuzz.fuzz import token_set_ratio

from leeboard.text.likeness import edit_distance, shared_words

SENTENCE = st.lists(st.text("abcdeé ", max_size=6), max_size=8).map(" ".join) | st.text(max_size=90)


@given(SENTENCE, SENTENCE)
@example("", "a")
@example("b a", "a b")
@example("a", "a b")
def test_shared_words_are_the_token_set_ratio(one: str, two: str) -> None:
    assert shared_words(one, two) == token_set_ratio(one, two)


@given(SENTENCE, SENTENCE)
@example("", "")
@example("parse_user", "parseUsers")
def test_the_edit_distance_is_levenshteins(one: str, two: str) -> None:
    assert edit_distance(one, two) == Levenshtein.distance(one, two)
