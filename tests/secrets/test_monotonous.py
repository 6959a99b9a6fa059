from __future__ import annotations

import pytest

from leeboard.secrets.monotonous import is_monotonous


@pytest.mark.parametrize(
    ("value", "is_made"),
    [
        ("aaaaaaaaaaaa", True),
        ("abcdefgh12345678", True),
        ("FEDCBA9876543210", True),
        ("000102030405060708090a0b0c0d0e0f", True),
        ("707172737475767778797a7b7c7d7e7f", True),
        ("kT9vq2ZxW7bLmR4pYs8N", False),
        ("3f2b13f3a7773d13046e614f196a5b7a", False),
    ],
)
def test_what_nobody_drew_shows_by_its_order(value: str, is_made: bool) -> None:  # noqa: FBT001 - a column
    assert is_monotonous(value) is is_made
