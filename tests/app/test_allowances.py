from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.app.allowances import parse_span, parse_until
from leeboard.errors import ConfigError

NOW = 1_800_000_000.0


@pytest.mark.parametrize(
    ("text", "seconds"), [("90m", 5400), ("2h", 7200), ("3d", 259_200), ("1w", 604_800), (" 2 hours ", 7200)]
)
def test_spans(text: str, seconds: int) -> None:
    assert parse_span(text) == seconds
    assert parse_until(text, NOW) == NOW + seconds


def test_a_date_is_read_with_its_zone() -> None:
    assert parse_until("2027-02-01T00:00:00Z", NOW) == 1_801_440_000.0


def test_no_end_is_for_good() -> None:
    assert parse_until("", NOW) == 0.0


@pytest.mark.parametrize("text", ["0h", "soon", "-2h", "999999w", "2020-01-01"])
def test_what_is_no_time_names_the_forms_there_are(text: str) -> None:
    with pytest.raises(ConfigError, match=r"2h|in the past"):
        parse_until(text, NOW)


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(ConfigError):
        assert parse_until(text, NOW) >= 0
