from __future__ import annotations

from leeboard.secrets.hit import Hit


def test_a_hit_ends_behind_its_value() -> None:
    assert Hit(kind="x", value="abc", start=4, confidence=0.5).end == 7
