from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.known import LINE_BYTES, Ranges
from leeboard.truth.state import MOST_LINES, joined, lines_of, shown_in, state_of

KEY = b"k" * 32
ANY_TEXT = st.text(alphabet=st.characters(), max_size=200)


def test_how_lines_end_makes_no_difference() -> None:
    one = state_of("a\nb\n", KEY)
    assert state_of("\ufeffa\r\nb", KEY) == one
    assert state_of("a\nb\n\n", KEY).digest != one.digest


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("f('a', 1)\n", 'f(\n    "a",\n    1,\n)\n', True),
        ("x = [1, 2]\n", "x = [1, 2,]\n", True),
        ("x = 1\n", "x = 2\n", False),
        ("a, b\n", "a b\n", False),
    ],
)
def test_what_formatters_change_is_plainly_the_same(one: str, other: str, *, same: bool) -> None:
    assert (state_of(one, KEY).plain == state_of(other, KEY).plain) is same


def test_no_text_can_be_tried_against_the_digests_without_the_key() -> None:
    secret = "password = hunter2\n"
    assert state_of(secret, KEY).lines != state_of(secret, b"x" * 32).lines
    assert state_of(secret, KEY).digest != state_of(secret, b"x" * 32).digest


def test_of_a_long_file_no_lines_are_kept() -> None:
    assert len(state_of("x\n" * MOST_LINES, KEY).lines) == MOST_LINES * LINE_BYTES
    long = state_of("x\n" * (MOST_LINES + 1), KEY)
    assert (long.lines, long.count) == (b"", MOST_LINES + 1)


@given(ANY_TEXT)
def test_every_text_has_a_state(text: str) -> None:
    state = state_of(text, KEY)
    assert len(state.lines) == state.count * LINE_BYTES == len(lines_of(text)) * LINE_BYTES


@pytest.mark.parametrize(
    ("output", "within", "seen"),
    [
        ("one\ntwo\n\nfour\nfive\n", (0, 0), ((1, 5),)),
        ("     1\tone\n     2\ttwo\n", (0, 0), ((1, 3),)),
        ("two", (2, 2), ((2, 2),)),
        ("four\nfive", (0, 0), ((3, 5),)),
        ("one\nfive", (0, 0), ((1, 1), (5, 5))),
        ("nothing of it", (0, 0), ()),
        ("", (0, 0), ()),
    ],
)
def test_lines_that_were_shown(output: str, within: tuple[int, int], seen: Ranges) -> None:
    assert shown_in(["one", "two", "", "four", "five"], output, within) == seen


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(0, 5)).map(lambda at: (at[0], at[0] + at[1]))))
def test_joined_ranges_hold_the_same_lines(ranges: list[tuple[int, int]]) -> None:
    def held(some: Ranges) -> set[int]:
        return {line for first, last in some for line in range(first, last + 1)}

    together = joined(tuple(ranges))
    assert held(together) == held(tuple(ranges))
    assert all(one[1] + 1 < other[0] for one, other in pairwise(together))
