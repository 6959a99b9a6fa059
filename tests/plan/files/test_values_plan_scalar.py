"""What a scalar means and how it is written."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.plan.files.values import entry_lines, inline, resolve, wants_lines
from leeboard.plan.files.yaml import compose


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("~", None),
        ("null", None),
        ("true", True),
        ("False", False),
        ("yes", "yes"),
        ("on", "on"),
        ("12", 12),
        ("-3", -3),
        ("1.5", 1.5),
        ("1e999", "1e999"),
        ("9" * 40, float("9" * 40)),
        ("2026-04-16", "2026-04-16"),
        ("2026-04-16T10:00:00Z", "2026-04-16T10:00:00Z"),
        ("12:30", "12:30"),
        ("0x1f", "0x1f"),
        (".inf", ".inf"),
    ],
)
def test_a_plain_scalar_means(text: str, value: object) -> None:
    found = resolve(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("value", "quote", "written"),
    [
        ("active", "", "active"),
        ("Fix the login page", "", "Fix the login page"),
        ("no", "", '"no"'),
        ("", "", '""'),
        ("12", "", '"12"'),
        ("2026-04-16T10:00:00Z", "", '"2026-04-16T10:00:00Z"'),
        ("a: b", "", '"a: b"'),
        ("src/**", "", '"src/**"'),
        ("it's", "'", "'it''s'"),
        ("two\nlines", "'", '"two\\nlines"'),
        ("active", '"', '"active"'),
        ("\x85\u2028", "", '"\\u0085\\u2028"'),
        (None, "", "null"),
        (True, "", "true"),
        (3, "", "3"),
        (float("inf"), "", '"inf"'),
        ([], "", "[]"),
        ({}, "", "{}"),
        (["a", "b c"], "", '[a, "b c"]'),
    ],
)
def test_a_value_is_written(value: object, quote: str, written: str) -> None:
    assert inline(value, quote) == written


def test_records_are_written_as_lines() -> None:
    records = [{"hat": "planner", "inner": [{"a": 1}]}, {"hat": "builder"}]
    assert wants_lines(records)
    assert not wants_lines(["a"])
    assert entry_lines("iterations", records, 0) == [
        "iterations:",
        "  - hat: planner",
        "    inner:",
        "      - a: 1",
        "  - hat: builder",
    ]


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
scalars = st.none() | st.booleans() | st.integers(-(10**17), 10**17) | texts
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=12
)


@given(value=values, indent=st.sampled_from([0, 2]))
def test_what_is_written_is_read_back(value: Any, indent: int) -> None:
    text = "\n".join(entry_lines("key", value, indent)) + "\n"
    assert compose(text).values() == {"key": value}
