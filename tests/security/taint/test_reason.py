from __future__ import annotations

from leeboard.security.taint.reason import DOUBTS, reason


def test_every_reason_keeps_from_a_refusal_and_says_why() -> None:
    for name in DOUBTS.reasons:
        assert 0 < reason(name).at_most <= 0.85
        assert reason(name).why[:1].islower()
        assert not reason(name).why.endswith(".")
