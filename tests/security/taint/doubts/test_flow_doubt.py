from __future__ import annotations

from leeboard.security.taint.doubts.flow_doubt import TABLE, doubt


def test_every_reason_keeps_from_a_refusal_and_says_why() -> None:
    for name in TABLE.doubts:
        assert 0 < doubt(name).at_most <= 0.85
        assert doubt(name).why[:1].islower()
        assert not doubt(name).why.endswith(".")
