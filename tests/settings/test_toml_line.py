from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.settings.toml import line_of, sets_a_key

TEXT = """\
profile = "advise"

[rules]
tangent.enabled = false
circling = { enabled = false }

["goal"]  # ours
scope = []
[rules.scope_drift]
enabled = true
"""


@pytest.mark.parametrize(
    ("key", "line"),
    [
        (("profile",), 1),
        (("rules",), 3),
        (("rules", "tangent"), 4),
        (("rules", "tangent", "enabled"), 4),
        (("rules", "circling", "enabled"), 5),
        (("rules", "scope_drift"), 9),
        (("rules", "scope_drift", "enabled"), 10),
        (("rules", "other"), 3),
        (("goal", "scope"), 8),
        (("goal",), 7),
        (("zzz",), 0),
        ((), 0),
    ],
)
def test_the_line_of_a_key_or_of_the_table_that_would_hold_it(key: tuple[str, ...], line: int) -> None:
    assert line_of(TEXT, key) == line


@pytest.mark.parametrize(
    ("line", "sets"),
    [("a = 1", True), (' "a b" . c =', True), ("[a]", False), ("a", False), ("# a = 1", False), ("= 1", False)],
)
def test_a_line_that_sets_one_key(line: str, *, sets: bool) -> None:
    assert sets_a_key(line) is sets


@given(st.text(), st.lists(st.text(), max_size=3))
def test_any_text_has_such_a_line_or_none(text: str, key: list[str]) -> None:
    assert 0 <= line_of(text, tuple(key)) <= len(text.splitlines())
