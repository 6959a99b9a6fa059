from __future__ import annotations

from typing import Any

import pytest

from leeboard.data import load
from leeboard.text.order_words import hides_letters, looked_for, may_order, order_words


def test_every_phrase_of_the_table_needs_words_that_are_looked_for() -> None:
    table = load("verify/planted", dict[str, Any])
    needs = [
        [{*map(str.encode, words)} for words in phrase["needs"]]
        for kind in ("orders", "addressed")
        for phrase in table[kind]
    ]
    telling, every = looked_for()
    assert all(words <= every for lists in needs for words in lists)
    assert all(any(words <= telling for words in lists) for lists in needs)


@pytest.mark.parametrize(
    "text",
    ["IGNORE it", "é ignore", "für den Agent:", "an\u00a0AI", "<|im_start|>", "\U000e0069\U000e0067", "日本 GPT-4"],
)
def test_texts_that_get_a_closer_look(text: str) -> None:
    assert may_order(text)


@pytest.mark.parametrize(
    "text", ["", "Run the tests.", "ignored", "Die Prüfung läuft.", "\ud800", "\x00 zero", "👍 fine"]
)
def test_texts_that_do_not(text: str) -> None:
    assert not may_order(text)
    assert not hides_letters(text)


def test_only_words_that_count_are_told() -> None:
    assert order_words("Tell the USER, 設定 not me; mañana") == {b"tell", b"user", b"not"}
