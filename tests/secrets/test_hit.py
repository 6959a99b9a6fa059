from __future__ import annotations

from leeboard.secrets.hit import SecretHit


def test_a_hit_ends_behind_its_value() -> None:
    assert SecretHit(kind="x", value="abc", start=4, confidence=0.5).end == 7
