from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.analysis.patch import all_of, compare, lines_of, locate, spans
from leeboard.model.touch import Span

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "", "  d"]), max_size=12).map("\n".join)


@pytest.mark.parametrize(
    ("before", "after", "added", "removed"),
    [
        ("a\nb\nc\n", "a\nB\nc\n", ((2, 2),), "b"),
        ("a\nb\n", "a\nb\n", (), ""),
        ("", "a\nb\n", ((1, 2),), ""),
        ("a\nb\n", "", (), "a\nb"),
        ("a\nb\nc\n", "c\na\nb\n", (), ""),
        ("a\n", "a\nx\na\ny\n", ((2, 4),), ""),
        ("a\r\nb\r\n", "a\nb\nc\n", ((3, 3),), ""),
        ("x\nsame\ny\n", "p\nsame\nq\n", ((1, 1), (3, 3)), "x\ny"),
        ("a", "a\n", (), ""),
    ],
)
def test_lines_that_came_and_went(before: str, after: str, added: tuple[Span, ...], removed: str) -> None:
    assert compare(before, after) == (added, removed)


def test_spans_join_neighbours() -> None:
    assert spans([1, 2, 3, 5, 7, 8]) == ((1, 3), (5, 5), (7, 8))
    assert all_of("a\nb\n") == ((1, 2),)
    assert all_of("") == ()


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ([("", "second line")], ((2, 2),)),
        ([("", "first line\nthird line")], ((1, 1), (3, 3))),
        ([("", "third line\nfirst line")], ()),
        ([("", "nowhere")], ()),
        ([("first line", "first line\nsecond line")], ((2, 2),)),
        ([("", "}")], ()),
    ],
)
def test_lines_are_found_again_in_order(written: list[tuple[str, str]], found: tuple[Span, ...]) -> None:
    assert locate("first line\nsecond line\nthird line\n}\n", written) == found


@given(TEXTS, TEXTS)
def test_what_is_not_added_was_there_before(before: str, after: str) -> None:
    added, _removed = compare(before, after)
    lines = lines_of(after)
    new = {number for first, last in added for number in range(first, last + 1)}
    assert new <= set(range(1, len(lines) + 1))
    kept = Counter(line for number, line in enumerate(lines, start=1) if number not in new)
    assert kept <= Counter(lines_of(before))
