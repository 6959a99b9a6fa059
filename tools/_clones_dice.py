"""Choices that fall the same way every time: from a seed and the number of the throw."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")
_NAMES = (
    "alpha item data entry node value result current source target part piece chunk thing elem total flag state info "
    "left right head tail first second holder bucket record unit"
).split()


class Dice:
    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._throw = 0

    def below(self, limit: int) -> int:
        self._throw += 1
        return zlib.crc32(f"{self._seed}:{self._throw}".encode()) % limit

    def chance(self, percent: int) -> bool:
        return self.below(100) < percent

    def choice(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]

    def fresh(self, used: set[str]) -> str:
        """A name nobody uses yet."""
        while True:
            name = f"{self.choice(_NAMES)}_{self.choice(_NAMES)}{self.below(50) or ''}"
            if name not in used:
                used.add(name)
                return name
