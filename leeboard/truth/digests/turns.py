"""Turns that two processes take as they get to them: numbers in a pipe, which gives each to one reader only."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator

MOST = 8192
"""Of four bytes each they fit into a pipe before anybody reads."""
_SIZE = array("i").itemsize


def offered(count: int) -> int:
    """The end to read the numbers below `count` from."""
    reading, writing = os.pipe()
    try:
        os.write(writing, array("i", range(count)).tobytes())
    finally:
        os.close(writing)
    return reading


def taken(reading: int) -> Iterator[int]:
    """Those that nobody else took."""
    while turn := os.read(reading, _SIZE):
        yield array("i", turn)[0]
