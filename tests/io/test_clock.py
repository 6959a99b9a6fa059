from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.io import clock


@pytest.mark.parametrize(
    ("epoch", "text"),
    [
        (0.0, "1970-01-01T00:00:00Z"),
        (1_800_000_000.999, "2027-01-15T08:00:00Z"),
        (-5.0, "1970-01-01T00:00:00Z"),
        (math.inf, "9999-12-31T23:59:59Z"),
        (math.nan, "1970-01-01T00:00:00Z"),
    ],
)
def test_iso_is_utc_to_the_second(epoch: float, text: str) -> None:
    assert clock.iso(epoch) == text


@given(st.floats())
def test_every_number_has_a_form(epoch: float) -> None:
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", clock.iso(epoch))


def test_now_does_not_run_backwards() -> None:
    earlier = clock.now()
    assert clock.now() >= earlier > 1_700_000_000
