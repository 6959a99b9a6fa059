"""Which of many words a text may hold at all."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from leeboard.text.word_gate import _MOST, WordGate, ascii_words, joined_runs, parts_of, runs_in, words_in

PARTS = ("pass", "exec", "eval", "a", "md5")
TEXTS = st.text(alphabet="aevlxcpsmd5_+/-. \né", max_size=60)


@pytest.mark.parametrize(
    ("text", "runs", "words"),
    [
        ("", set(), set()),
        ("a = b(a)", {"a", "b"}, {"a", "b"}),
        ("x-y/z_1 x-y/z_1", {"x-y/z_1"}, {"x", "y", "z_1"}),
        ("naïve_md5 \ud800 \x00x", {"na", "ve_md5", "x"}, {"na", "ve_md5", "x"}),
    ],
)
def test_each_once(text: str, runs: set[str], words: set[str]) -> None:
    assert runs_in(text) == runs
    assert words_in(text) == words


def test_words_in_their_order() -> None:
    assert ascii_words(b"b a-b\xc3") == ["b", "a", "b"]


def test_a_word_that_a_literal_holds_whole_has_to_be_one() -> None:
    assert parts_of(".search(") == ("\nsearch\n",)
    assert parts_of("shell") == ("shell",)
    assert parts_of("from os import") == ("\nimport", "from\n")
    assert parts_of("o.x") == ("o\n",)
    assert parts_of("+)*") == ()


@given(TEXTS, st.text(alphabet="ae.( _", max_size=12), TEXTS)
@example("x", "a.eval(", "b")
def test_where_a_literal_stands_its_parts_do(before: str, literal: str, behind: str) -> None:
    parts = parts_of(literal)
    assert WordGate(parts).held(words_in(before + literal + behind)) == set(parts)


def test_runs_stand_apart() -> None:
    assert joined_runs("x-y (x-y)") == " x-y "


@given(st.lists(TEXTS, max_size=6))
@example(["eval", "evaluate", "eval"])
def test_a_gate_says_the_same_of_a_text_whatever_it_met_before(texts: list[str]) -> None:
    gate = WordGate(PARTS)
    for text in texts:
        assert gate.held(words_in(text)) == {part for part in PARTS if any(part in word for word in words_in(text))}


def test_words_are_read_as_it_is_told_to() -> None:
    gate = WordGate(PARTS, lambda words: words.lower().replace("medal", "     "))
    assert gate.held(words_in("PASSword medal")) == {"pass", "a"}
    assert gate.held(words_in("MEDAL")) == set()


def test_it_forgets_before_it_holds_too_much() -> None:
    gate = WordGate(PARTS)
    for batch in range(4):
        words = frozenset(f"w{batch}_{number}" for number in range(_MOST)) | {f"exec{batch}"}
        assert gate.held(words) == {"exec"}
        assert len(gate._idle) + len(gate._telling) <= _MOST + 1
