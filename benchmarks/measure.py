"""Ratios that hold on a busy machine: the parts of a comparison take turns, and medians are compared."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping

import msgspec


class Ratio(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    ratio: float
    aim: float
    detail: str = ""

    @property
    def line(self) -> str:
        met = "ok" if self.ratio <= self.aim else "miss"
        return f"{self.name:<58} {self.ratio:>9.2f}   aim <= {self.aim:<8g} {met:<5} {self.detail}".rstrip()


def in_turns(parts: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Median seconds of each part; the first round only warms up."""
    taken: dict[str, list[float]] = {name: [] for name in parts}
    for _ in range(rounds + 1):
        for name, run in parts.items():
            began = time.perf_counter()
            run()
            taken[name].append(time.perf_counter() - began)
    return {name: statistics.median(seconds[1:]) for name, seconds in taken.items()}


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms"
