from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.contracts.hardening.find import asked_signals
from leeboard.contracts.hardening.sign import BROAD, FALLBACK, FLAG, GUARDS, RETRY, SIGNALS, TIMEOUT


@pytest.mark.parametrize(
    ("objective", "signal"),
    [
        ("add retry to the uploader", RETRY),
        ("Retries with exponential backoff", RETRY),
        ("fall back to the cache when the API is down", FALLBACK),
        ("make the client time out after 5 s", TIMEOUT),
        ("handle upload errors", BROAD),
        ("validate the form", GUARDS),
        ("put the export behind a flag", FLAG),
        ("do not crash on retry but add a timeout", TIMEOUT),
    ],
)
def test_what_the_objective_names_is_the_work(objective: str, signal: str) -> None:
    assert signal in asked_signals(objective, ())


@pytest.mark.parametrize(
    "objective",
    ["add the export", "add the export without retries", "no fallback, no retry", "remove the legacy timeout", ""],
)
def test_what_it_does_not_name_is_not(objective: str) -> None:
    assert not asked_signals(objective, ()).intersection({RETRY, FALLBACK, TIMEOUT})


def test_acceptance_counts_too() -> None:
    assert RETRY in asked_signals("add the upload", ("pytest tests/test_retry.py",))


def test_to_harden_is_to_do_all_of_it() -> None:
    assert asked_signals("harden the uploader", ()) == frozenset(SIGNALS)


@given(st.text(), st.text())
def test_garbage_never_raises(objective: str, command: str) -> None:
    assert asked_signals(objective, (command,)) <= frozenset(SIGNALS)
