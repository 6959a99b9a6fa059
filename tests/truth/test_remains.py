"""When a text still has in it what somebody wrote, and when it was put out of the way."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leeboard.truth.remains import has_left

MINE = 'def greet(user, salutation="dear"):\n    return f"{salutation} {user.name}"\n'
BASE = "def greet(user):\n    return user.name\n"


@pytest.mark.parametrize(
    ("before", "base", "now", "left"),
    [
        (MINE, "", MINE + "more = 1\n", True),
        (MINE, "", MINE.replace('"', "'"), True),
        (MINE, "", "def greet(\n    user,\n    salutation='dear',\n):\n    return f'{salutation} {user.name}'\n", True),
        (MINE, "", "", False),
        (MINE, "", "import sys\nsys.exit(4)\n", False),
        (MINE, BASE, BASE, False),
        (MINE, BASE, BASE.replace("greet", "welcome"), False),
        (MINE, BASE, MINE.replace("greet", "welcome"), True),
        ("a\n", "a\nb\n", "a\nb\n", False),
        ("a\n", "a\nb\n", "a\nb\nc\n", True),
        ("limit = 1\n", "", "limit = 2\n", True),
    ],
)
def test_what_is_left(before: str, base: str, now: str, *, left: bool) -> None:
    assert has_left(before, base, now) is left


@settings(max_examples=50)
@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=60))
def test_it_always_tells_and_what_was_only_added_to_is_left(before: str, base: str, more: str) -> None:
    assert isinstance(has_left(before, base, more), bool)
    grown = f"{before}\n{more}"
    assert has_left(before, base, grown) or grown == base
