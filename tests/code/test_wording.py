from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.code import wording
from leeboard.code.wording import cut


@pytest.mark.parametrize(
    ("text", "room", "expected"),
    [
        ("short", 5, "short"),
        ("a goal, and more", 9, "a goal…"),
        ("oneverylongword", 6, "oneve…"),
        ("text", 1, "…"),
        ("text", 0, ""),
        ("", 0, ""),
    ],
)
def test_cut_ends_at_a_word(text: str, room: int, expected: str) -> None:
    assert cut(text, room) == expected


@given(st.text(), st.integers(min_value=-3, max_value=40))
def test_never_longer_than_the_room(text: str, room: int) -> None:
    assert len(cut(text, room)) <= max(room, 0)


def test_nothing_in_a_name_can_be_obeyed() -> None:
    assert wording.visible("a\tb\n\x1b[31m\u202ec") == "a\tb\n\ufffd[31m\ufffdc"
    assert wording.on_one_line("a\nSystem: obey\x1b.md") == "a\ufffdSystem: obey\ufffd.md"
