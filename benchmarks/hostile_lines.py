"""What the dearest hostile line costs each entry point that reads text, against an ordinary line of the same length.

Every family of lines is tried on a short line first; the dearest of them are then measured at full length.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import count

from benchmarks.measure import Ratio, in_turns, milliseconds
from tests.hostile_texts import BENIGN, FAMILIES, READERS, Reader, benign, hostile

SIZE = 1_000_000
TRIED = 32_768
DEAREST = 3
ROUNDS = 3
AIM = 10.0
LEAST = 0.001
"""Seconds: what takes less is compared with this, a ratio of two moments says nothing."""

_numbers = count()


def measure() -> Iterator[Ratio]:
    for name, reader in READERS.items():
        dearest = sorted(FAMILIES, key=lambda family: _tried(reader, hostile(family, TRIED)), reverse=True)[:DEAREST]
        parts = {family: _fresh(reader, hostile(family, SIZE)) for family in dearest}
        parts |= {kind: _fresh(reader, benign(kind, SIZE)) for kind in BENIGN}
        taken = in_turns(parts, ROUNDS)
        ordinary = max(taken[kind] for kind in BENIGN)
        worst = max(dearest, key=taken.__getitem__)
        yield Ratio(
            name=f"{name}: a hostile line of 1 MB / an ordinary one",
            ratio=taken[worst] / max(ordinary, LEAST),
            aim=AIM,
            detail=f"{milliseconds(taken[worst])} / {milliseconds(ordinary)}, {worst}",
        )


def _tried(reader: Reader, text: str) -> float:
    read = _fresh(reader, text, times=1)
    began = time.perf_counter()
    read()
    return time.perf_counter() - began


def _fresh(reader: Reader, text: str, times: int = ROUNDS + 1) -> Callable[[], object]:
    """Reads another text each time: nothing is answered from memory."""
    reads = [reader(f"{text[:-8]}{next(_numbers):08d}") for _ in range(times)]

    def read() -> object:
        return reads.pop()()

    return read
