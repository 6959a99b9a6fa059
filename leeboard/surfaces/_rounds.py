"""Something done again and again until a signal ends it, with a rest in between that costs nothing.

A signal never interrupts a round: it is noted, wakes a rest, and the round that runs is finished first. The note goes
through a pipe, because a lock that a handler takes may be held by the very code it interrupted.
"""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Callable
from types import FrameType
from typing import Self

from leeboard.io import clock

INTERRUPTED = 130


class Rounds:
    """To be used in a with block of the main thread."""

    def __init__(self, seconds: float, *, attached: bool = False, wakes: tuple[signal.Signals, ...] = ()) -> None:
        """`attached` ends it with whoever holds the other end of stdin; `wakes` are signals that only end a rest."""
        self._seconds = seconds
        self._attached = attached
        self._wakes = wakes
        self._ends = (-1, -1)
        self._before: dict[signal.Signals, Callable[[int, FrameType | None], object] | int | None] = {}
        self.ended_by = 0
        """The signal that ended it."""
        self.is_left = False
        """Whoever it was attached to is gone."""

    def __enter__(self) -> Self:
        self._ends = os.pipe()
        for end in self._ends:
            os.set_blocking(end, False)
        for number in (signal.SIGTERM, signal.SIGINT, *self._wakes):
            self._before[number] = signal.signal(number, self._noted)
        return self

    def __exit__(self, *exc_info: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        for end in self._ends:
            os.close(end)

    @property
    def is_over(self) -> bool:
        return bool(self.ended_by) or self.is_left

    @property
    def code(self) -> int:
        """To exit with."""
        return INTERRUPTED if self.ended_by == signal.SIGINT else 0

    def rest(self, seconds: float | None = None) -> bool:
        """Wait for the next round; False where there is none."""
        until = clock.monotonic() + (self._seconds if seconds is None else seconds)
        while not self.is_over and (left := until - clock.monotonic()) > 0:
            watched = [self._ends[0], *((0,) if self._attached else ())]
            ready, _, _ = select.select(watched, [], [], left)
            if self._ends[0] in ready and os.read(self._ends[0], 4096):
                break
            self.is_left = self._attached and 0 in ready and not os.read(0, 4096)
        return not self.is_over

    def _noted(self, number: int, _frame: FrameType | None) -> None:
        if number not in self._wakes:
            self.ended_by = self.ended_by or number
        try:
            os.write(self._ends[1], b".")
        except BlockingIOError:
            return  # full of notes already
