"""What other programs print, chunk by chunk as it comes, from several pipes at once and with a limit to the waiting.

Where the system waits for pipes as for anything else, it is asked which are ready. Windows waits for sockets alone:
there a thread reads each pipe.
"""

from __future__ import annotations

import os
import selectors
from typing import IO, TYPE_CHECKING, Protocol

from leeboard.io import system

if TYPE_CHECKING:
    from queue import SimpleQueue

_CHUNK = 1 << 20

PipeName = tuple[str, str]
"""Of which program, and which of its pipes."""


class Pipes(Protocol):
    """Pipes by a name for each. One that has ended, which shows by an empty chunk, is read no more."""

    def add(self, name: PipeName, pipe: IO[bytes]) -> None:
        """Read this one too."""

    def drop(self, name: PipeName) -> None:
        """Read it no more."""

    def read(self, seconds: float) -> list[tuple[PipeName, bytes]]:
        """The next chunks; none where nothing came in time."""

    def names(self) -> set[PipeName]:
        """Those that are still read."""

    def close(self) -> None:
        """Forget all of them; whoever opened them closes them."""


def open_pipes(*, by_threads: bool = not system.HAS_FORK) -> Pipes:
    return ThreadedPipes() if by_threads else SelectedPipes()


class SelectedPipes:
    """Waits for the pipes themselves."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._open: dict[PipeName, IO[bytes]] = {}

    def add(self, name: PipeName, pipe: IO[bytes]) -> None:
        self._selector.register(pipe, selectors.EVENT_READ, name)
        self._open[name] = pipe

    def drop(self, name: PipeName) -> None:
        if name in self._open:
            self._selector.unregister(self._open.pop(name))

    def read(self, seconds: float) -> list[tuple[PipeName, bytes]]:
        found = []
        for key, _ in self._selector.select(max(seconds, 0)):
            part = os.read(key.fd, _CHUNK)
            found.append((key.data, part))
            if not part:
                self.drop(key.data)
        return found

    def names(self) -> set[PipeName]:
        return set(self._open)

    def close(self) -> None:
        self._selector.close()


class ThreadedPipes:
    """A thread for each pipe, which ends with what writes to it."""

    def __init__(self) -> None:
        from queue import SimpleQueue  # noqa: PLC0415 - for one system alone

        self._arrived: SimpleQueue[tuple[PipeName, bytes]] = SimpleQueue()
        self._open: set[PipeName] = set()

    def add(self, name: PipeName, pipe: IO[bytes]) -> None:
        from threading import Thread  # noqa: PLC0415 - as above

        self._open.add(name)
        Thread(target=_hand_on, args=(name, pipe.fileno(), self._arrived), daemon=True).start()

    def drop(self, name: PipeName) -> None:
        self._open.discard(name)

    def read(self, seconds: float) -> list[tuple[PipeName, bytes]]:
        from queue import Empty  # noqa: PLC0415 - as above

        name, part = ("", ""), b""
        while name not in self._open:  # what comes of one that was dropped is of no interest
            try:
                name, part = self._arrived.get(timeout=max(seconds, 0))
            except Empty:
                return []
        if not part:
            self.drop(name)
        return [(name, part)]

    def names(self) -> set[PipeName]:
        return set(self._open)

    def close(self) -> None:
        self._open.clear()


def _hand_on(name: PipeName, pipe: int, arrived: SimpleQueue[tuple[PipeName, bytes]]) -> None:
    part = b"."
    while part:
        try:
            part = os.read(pipe, _CHUNK)
        except OSError:  # whoever opened it has closed it
            part = b""
        arrived.put((name, part))
