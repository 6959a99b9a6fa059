from __future__ import annotations

import pytest

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
