from __future__ import annotations

import pytest

from leeboard.model.text import in_short, nearest


def test_the_name_that_is_meant_is_found() -> None:
    assert nearest("chekc", ("check", "scan")) == "check"
    assert nearest("zzz", ("check", "scan")) == ""


def test_how_much_alike_is_the_callers_to_say() -> None:
    assert nearest("scope", ("slope", "hope"), alike=0.7) == "slope"
    assert nearest("scope", ("slope", "hope"), alike=0.9) == ""


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ({}, "a table"),
        ([1], "a list"),
        ("a" * 50, repr("a" * 40)),
        (True, "true"),
        (4.5, "4.5"),
        (10**60, "1" + "0" * 39),
    ],
)
def test_a_value_fits_on_a_line(found: object, expected: str) -> None:
    assert in_short(found) == expected
