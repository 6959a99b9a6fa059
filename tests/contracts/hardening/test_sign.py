from __future__ import annotations

from leeboard.contracts.hardening.sign import RETRY, SIGNALS, Hardening


def test_it_is_shown_at_its_first_line() -> None:
    assert Hardening(RETRY, (4, 7), "a loop").line == 4


def test_the_names_stay() -> None:
    assert (
        *("retry", "fallback", "timeout", "broad exception handling", "swallowed error", "default on error"),
        *("guard cluster", "feature flag", "guardrail"),
    ) == SIGNALS
