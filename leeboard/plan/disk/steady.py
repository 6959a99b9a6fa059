"""`.haiku` while one look is taken: each folder is walked to once and held open, for all that is read in it.

A look under the intent's lock is of one moment. A folder that somebody puts in the place of another meanwhile is seen
by the next look, as is everything else that changes behind this one. Links are followed no more than anywhere.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from leeboard.plan.disk.folder import PlanFolder, entered
from leeboard.plan.disk.layout import HOME

MOST_OPEN = 12
"""Descriptors of one look: many looks may be taken at once. What there is no room for is opened when it is read."""


@contextlib.contextmanager
def steady(folder: PlanFolder) -> Iterator[PlanFolder]:
    """The folder for the length of a look; the same one where a look is part of another."""
    if isinstance(folder, SteadyFolder) and folder.is_held:
        yield folder
        return
    held = SteadyFolder(folder.home)
    try:
        yield held
    finally:
        held.end()


class SteadyFolder(PlanFolder):
    """What is written is walked to anew, and so is everything once the look is over."""

    def __init__(self, home: str) -> None:
        super().__init__(home)
        self.is_held = True
        self._held: dict[str, int] = {}

    def end(self) -> None:
        self.is_held = False
        while self._held:
            os.close(self._held.popitem()[1])

    @contextlib.contextmanager
    def _opened(self, path: str, *, make: bool = False) -> Iterator[int]:
        if make or not self.is_held:
            with super()._opened(path, make=make) as folder:
                yield folder
        elif path in self._held:
            yield self._held[path]
        else:
            folder, is_kept = self._walked([part for part in path.split("/") if part])
            try:
                yield folder
            finally:
                if not is_kept:
                    os.close(folder)

    def _walked(self, parts: list[str]) -> tuple[int, bool]:
        """From the nearest folder that is held on the way; and whether the last one is held, too."""
        start = len(parts)
        while start and "/".join(parts[:start]) not in self._held:
            start -= 1
        folder, is_kept = self._held.get("/".join(parts[:start]), -1), True
        if folder < 0:
            folder = self._held[""] = self._top()
        for depth in range(start, len(parts)):
            try:
                inner = entered(parts[depth], folder, make=False)
            finally:
                if not is_kept:
                    os.close(folder)
            folder, is_kept = inner, len(self._held) < MOST_OPEN
            if is_kept:
                self._held["/".join(parts[: depth + 1])] = folder
        return folder, is_kept

    def _top(self) -> int:
        home = os.open(self.home, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            return entered(HOME, home, make=False)
        finally:
            os.close(home)
