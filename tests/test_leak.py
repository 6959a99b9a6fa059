from __future__ import annotations

from tests.leak import live_key, random_text


def test_they_differ_and_repeat() -> None:
    assert live_key(1) == live_key(1)
    assert len({live_key(number) for number in range(500)}) == 500
    assert len(random_text(40, 3, "0123456789abcdef")) == 40
