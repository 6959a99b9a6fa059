"""Does a message ask for something everywhere?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.speech.prompt import asks_everywhere


@pytest.mark.parametrize(
    "text",
    [
        "rename getUser to fetchUser everywhere",
        "Rename Foo to Bar",
        "migrate the whole app to TypeScript",
        "fix all lint errors",
        "replace moment across the code base",
        "update every file that imports it",
        "upgrade react to 19",
        "ändere das überall",
        "所有文件都要改",
    ],
)
def test_it_does(text: str) -> None:
    assert asks_everywhere(text)


@pytest.mark.parametrize(
    "text", ["fix the login bug", "rename the button", "add a test for the parser", "why does every request fail?", ""]
)
def test_it_does_not(text: str) -> None:
    assert not asks_everywhere(text)


@given(st.text(max_size=300))
def test_any_text_is_answered(text: str) -> None:
    assert asks_everywhere(text) in {True, False}


def test_only_the_beginning_is_read() -> None:
    """A pasted log must not widen the task."""
    assert not asks_everywhere("x " * 3_000 + "everywhere")
