"""Watches on the surfaces of intents, in a process that lives on. In every other process there are none."""

from __future__ import annotations

from leeboard.io.digests.tops import Tops
from leeboard.io.digests.watch import Watch

MOST = 8
"""Intents that are watched at once: the one that was asked for longest ago makes room."""


class Watches:
    def __init__(self) -> None:
        self._kept: dict[str, Watch] | None = None

    def begin(self) -> None:
        """This process lives on: from now on it is told what changes, and need not look at everything each time."""
        if self._kept is None:
            self._kept = {}

    def of(self, place: str) -> Watch | None:
        """For whoever holds the lock of the intent whose folder this is: a watch is for one at a time."""
        if self._kept is None:
            return None
        watch = self._kept.pop(place, None) or Watch(Tops(names=()))
        self._kept[place] = watch
        if len(self._kept) > MOST:
            self._kept.pop(next(iter(self._kept))).close()
        return watch

    def end(self) -> None:
        for watch in (self._kept or {}).values():
            watch.close()
        self._kept = None


WATCHES = Watches()
