from __future__ import annotations

import os

from leeboard.truth.digests.hashing import MOST, offered, taken


def test_each_turn_is_taken_once() -> None:
    reading = offered(MOST)
    one, two = taken(reading), taken(reading)
    first = [next(one), next(two), next(one)]
    assert [*first, *one, *two] == list(range(MOST))
    os.close(reading)


def test_there_may_be_none() -> None:
    reading = offered(0)
    assert list(taken(reading)) == []
    os.close(reading)
