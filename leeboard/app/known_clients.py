"""Which processes may post hooks: clients whose commands the resident was asked by.

A name proves nothing, since every program can take one. A command comes over the resident's own socket, where the
system says which process asks, and the client is the one that started it. Number and time of start say which that was.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator

from leeboard.app.hook_origin import client_above, is_of_agent
from leeboard.io.parents import start_of

MOST = 64
_WIDTH = 3
"""Number, start and port of each."""


class KnownClients:
    """Shared with every process that is forked after it was made: each of them may answer a command."""

    def __init__(self) -> None:
        self._cells = memoryview(mmap.mmap(-1, 8 * _WIDTH * (MOST + 1))).cast("q")

    def learn(self, process: int, port: int) -> None:
        """This process has run a command, or is the client itself: its client may post to this port. One that an
        agent's shell has started may not, whatever it calls itself.
        """
        client = client_above(process)
        if client and not self.knows(client, port) and not is_of_agent(client):
            self._write(client, start_of(client), port)

    def knows(self, process: int, port: int) -> bool:
        start = start_of(process)
        return start > 0 and (process, start, port) in self._rows()

    def living(self) -> tuple[int, ...]:
        return tuple(
            dict.fromkeys(process for process, start, _ in self._rows() if start and start_of(process) == start)
        )

    def _rows(self) -> Iterator[tuple[int, int, int]]:
        for at in range(_WIDTH, len(self._cells), _WIDTH):
            process, start, port = self._cells[at : at + _WIDTH]
            yield process, start, port

    def _write(self, client: int, start: int, port: int) -> None:
        """In place of one that has ended, else of the one that came first. Who reads meanwhile finds nobody there."""
        ended = (
            row for row, (process, begun, _) in enumerate(self._rows(), 1) if start_of(process) != begun or not begun
        )
        row = next(ended, 0)
        if not row:
            row = self._cells[0] % MOST + 1
            self._cells[0] = row
        at = row * _WIDTH
        self._cells[at] = 0
        self._cells[at + 1], self._cells[at + 2] = start, port
        self._cells[at] = client
