from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.truth.sweep import deleted_by_find


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (". -delete", ["./**/*"]),
        ("-delete", ["./**/*"]),
        ("a b/ -name *.py -delete", ["a/**/*.py", "b/**/*.py"]),
        (". ( -name a -o -name b ) -delete", ["./**/a", "./**/b"]),
        (". -maxdepth 1 -type f -delete", ["./**/*"]),
        (". -name *.py", []),
        (". -type d -delete", []),
        (". -not -name *.py -delete", []),
        (". -newer x -delete", []),
        ("\0 -delete", []),
        ("", []),
    ],
)
def test_what_is_deleted(line: str, expected: list[str]) -> None:
    assert deleted_by_find(tuple(line.split(" ")) if line else ()) == expected


@given(st.lists(st.sampled_from([".", "-name", "-type", "f", "-delete", "!", "(", "-maxdepth", ""]) | st.text()))
def test_any_words_are_read(words: list[str]) -> None:
    found = deleted_by_find(tuple(words))
    assert not found or "-delete" in words
