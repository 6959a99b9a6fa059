from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.errors import ConfigError
from leeboard.model.contract import Allowance
from leeboard.settings.decisions.allowed import known_allowances, parse, render

ONE = Allowance(id="a1", rule="weak_crypto", path="old/**", reason="an old protocol", until=5.0, by="kim")
OTHER = Allowance(id="a2", fingerprint="injection:a.py:f:sql:run", reason="checked")


def test_what_is_written_is_read_again() -> None:
    assert parse(render((ONE, OTHER))) == (ONE, OTHER)
    assert parse(render(())) == ()


@pytest.mark.parametrize(
    "entry",
    [
        '{"id": "a", "reason": "all of it"}',
        '{"id": "a", "rule": "injection"}',
        '{"id": "a", "rule": "x", "reason": " "}',
    ],
)
def test_an_entry_has_a_subject_and_a_reason(entry: str) -> None:
    text = f'{{"version": 1, "allowed": [{entry}]}}'
    with pytest.raises(ConfigError, match=r"leeboard-allowed.json"):
        parse(text)
    assert known_allowances(text) == ()


def test_an_end_is_a_date_that_people_read() -> None:
    ends = replace(ONE, until=1_795_384_604.0873735)
    assert '"until":"2026-11-22T21:56:45Z"' in render((ends,))
    assert parse(render((ends,))) == (replace(ends, until=1_795_384_605.0),)
    assert "until" not in render((OTHER,))


@pytest.mark.parametrize(
    ("written", "until"),
    [
        ('"2026-11-22T21:56:45Z"', 1_795_384_605.0),
        ('"2026-11-22T22:56:45+01:00"', 1_795_384_605.0),
        ('"2026-11-22"', 1_795_305_600.0),
        ('""', 0.0),
        ("1795384604.5", 1_795_384_604.5),
        ("1795384604", 1_795_384_604.0),
        ("0.0", 0.0),
    ],
)
def test_an_end_is_read_as_people_and_earlier_checkouts_write_it(written: str, until: float) -> None:
    (one,) = parse(f'{{"version": 1, "allowed": [{{"id": "a", "rule": "x", "reason": "y", "until": {written}}}]}}')
    assert one.until == until


@pytest.mark.parametrize("written", ["soon", "2026-13-01", "0000"])
def test_an_end_that_is_no_date_is_told(written: str) -> None:
    with pytest.raises(ConfigError, match=r"leeboard-allowed.json: a: until"):
        parse(f'{{"version": 1, "allowed": [{{"id": "a", "rule": "x", "reason": "y", "until": "{written}"}}]}}')
