"""The two pipes of the server, taken away from everybody else.

Whoever prints, and every process that is started, gets stderr for its stdout and nothing for its stdin: the pipe to the
client carries the protocol alone, and no child can eat a request.
"""

from __future__ import annotations

import _thread
import os
import sys

from leeboard.surfaces.mcp.protocol import render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_PART = 65536


class ClientGoneError(Exception):
    """Nobody reads what is answered."""


class Channel:
    """Reads parts of a stream, and writes whole lines: from any thread, one at a time."""

    def __init__(self, source: int, target: int) -> None:
        self._source = source
        self._target = target
        self._writing = _thread.allocate_lock()

    def read(self) -> bytes:
        """Empty at the end."""
        return os.read(self._source, _PART)

    def send(self, message: Mapping[str, Any] | list[Mapping[str, Any]]) -> None:
        line = memoryview(render(message))
        with self._writing:
            try:
                while line:
                    line = line[os.write(self._target, line) :]
            except OSError as error:
                raise ClientGoneError from error


def take_over() -> Channel:
    """The channel of this process's stdin and stdout, which from now on lead elsewhere."""
    source, target = os.dup(0), os.dup(1)  # not inherited by children
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return Channel(source, target)
