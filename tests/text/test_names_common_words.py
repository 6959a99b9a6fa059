from __future__ import annotations

from leeboard.text.language import areas_of_words
from leeboard.text.names import COMMON_IDENTIFIERS, COMMON_PATH_WORDS, STOP_WORDS

SUBJECTS = "auth login schema migration billing invoice parser retry timezone checkout cache webhook button"


def test_words_are_stored_as_they_are_looked_up() -> None:
    for words in (STOP_WORDS, COMMON_IDENTIFIERS, COMMON_PATH_WORDS):
        assert all(word == word.lower() and word for word in words)


def test_no_subject_of_a_task_is_left_out() -> None:
    assert not STOP_WORDS & set(SUBJECTS.split())
    assert not COMMON_PATH_WORDS & set(SUBJECTS.split())


def test_stop_words_name_no_area() -> None:
    assert areas_of_words(sorted(STOP_WORDS)) == ()
