from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.known import Change, Known, Ranges
from leeboard.truth.change import carried, change_between, concerns, holds, meets, whole
from leeboard.truth.state import state_of

KEY = b"k" * 32
LINES = st.lists(st.sampled_from("abcde"), max_size=12)


def known(lines: str, seen: Ranges | None = None) -> Known:
    state = state_of("\n".join(lines), KEY)
    return Known(
        session="s",
        agent="",
        path="a",
        root="/r",
        digest=state.digest,
        lines=state.lines,
        count=state.count,
        seen=whole(state) if seen is None else seen,
    )


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ("abc", "aXc", Change(new=((2, 2),), gone=((1, 1),))),
        ("abc", "abcX", Change(new=((4, 4),))),
        ("abc", "Xabc", Change(new=((1, 1),))),
        ("abc", "ac", Change(gone=((1, 1),))),
        ("abc", "bc", Change(gone=((0, 1),))),
        ("abc", "", Change(gone=((0, 3),))),
        ("", "ab", Change(new=((1, 2),))),
        ("abcdef", "aXcdYf", Change(new=((2, 2), (5, 5)), gone=((1, 1), (4, 1)))),
    ],
)
def test_where_a_text_differs(before: str, after: str, change: Change) -> None:
    assert change_between(known(before), state_of("\n".join(after), KEY)) == change


@given(LINES, LINES)
def test_the_change_takes_one_text_to_the_other(before: list[str], after: list[str]) -> None:
    change = change_between(known("".join(before)), state_of("\n".join(after), KEY))
    new = {line for first, last in change.new for line in range(first, last + 1)}
    gone = sum(many for _, many in change.gone)
    assert len(before) - gone + len(new) == len(after)
    kept = [line for number, line in enumerate(after, 1) if number not in new]
    rest = iter(before)
    assert all(line in rest for line in kept), "what is not new was there, in that order"


def test_a_very_long_stretch_is_one_change() -> None:
    many = "".join(chr(0x4E00 + number) for number in range(3_000))
    change = change_between(known(f"a{many}b"), state_of("\n".join(f"a{many[::-1]}b"), KEY))
    assert change == Change(new=((2, 3_001),), gone=((1, 3_000),))


@pytest.mark.parametrize(
    ("seen", "after", "concerned"),
    [
        (((1, 2),), "aXcdef", True),
        (((1, 2),), "abcdXf", False),
        (((1, 2),), "abXcdef", False),
        (((1, 3),), "abXcdef", True),
        (((1, 6),), "abcdefX", True),
        (((5, 6),), "Xabcdef", False),
        ((), "X", False),
    ],
)
def test_only_what_was_seen_matters(seen: Ranges, after: str, *, concerned: bool) -> None:
    assert concerns(known("abcdef", seen), state_of("\n".join(after), KEY)) is concerned


@pytest.mark.parametrize(
    ("seen", "after", "inner", "now"),
    [
        (((5, 6),), "XXabcdef", False, ((7, 8),)),
        (((1, 6),), "abXdef", True, ((1, 6),)),
        (((1, 5),), "abXdef", False, ((1, 2), (4, 5))),
        (((1, 5),), "abXdef", True, ((1, 5),)),
        (((1, 2),), "cdef", False, ()),
    ],
)
def test_what_was_seen_moves_along(seen: Ranges, after: str, now: Ranges, *, inner: bool) -> None:
    assert carried(known("abcdef", seen), state_of("\n".join(after), KEY), inner=inner) == now


def test_ranges() -> None:
    assert holds(((2, 3),), ((1, 4),))
    assert not holds(((2, 5),), ((1, 4),))
    assert meets(((2, 5),), ((5, 9),))
    assert not meets(((2, 4),), ((5, 9),))


def test_without_lines_nobody_can_tell_where() -> None:
    long = state_of("x\n" * 6_000, KEY)
    before = known("ab")
    assert change_between(before, long) == Change(is_located=False)
    assert concerns(before, long)
    assert carried(known("ab", ((1, 1),)), long, inner=True) == ()
