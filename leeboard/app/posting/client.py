"""The client that posts hooks: which processes are believed to be one, and the environment it was started with.

A name proves nothing, since every program can take one. A command comes over the resident's own socket, where the
system says which process asks, and the client is the one that started it. Number and time of start say which that was.

A command brings its environment along, a post does not. What counts of it was there when the client was started, or
stands in the user's own settings of it; what a project's settings set counts for nothing either way.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator

from leeboard.app.hook_origin import client_above, is_of_agent
from leeboard.clients import FIRST, client_named, first_sign, settings_path, signs_of_all
from leeboard.errors import LeeboardError
from leeboard.io.file import read_regular
from leeboard.io.parents import Ancestor, start_of

MOST = 64
_WIDTH = 3
"""Number, start and port of each."""
_LONGEST = 1 << 20
_PREFIXES = ("LEEBOARD_", "XDG_")
_ALWAYS = ("HOME", "PATH")


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


def environment_of(process: int) -> dict[str, str]:
    """As the hook client would tell it of a command that this process runs."""
    names = frozenset((*_ALWAYS, *signs_of_all("mark"), *signs_of_all("project-variable")))
    given = dict(Ancestor(pid=process, name="").env)
    env = {name: value for name, value in given.items() if name.startswith(_PREFIXES) or name in names}
    env.update({name: value for name, value in _of_user(given).items() if name.startswith(_PREFIXES) or name in names})
    env.pop("LEEBOARD_CLIENT", None)
    if folder := _folder(process):
        env[first_sign(FIRST, "project-variable")] = folder
    return env


def _of_user(env: dict[str, str]) -> dict[str, str]:
    """What the user's settings of the client set for all that it runs."""
    variable, home = first_sign(FIRST, "home-variable"), first_sign(FIRST, "home")
    place = env.get(variable) or home.replace("~", env.get("HOME", "~"), 1)
    try:
        text = read_regular(settings_path(FIRST, "user", "", {variable: place}), _LONGEST, follow=True).decode()
        told = client_named(FIRST).settings().read_state(text).env
    except (OSError, ValueError, RecursionError, LeeboardError):
        return {}
    return {name: value for name, value in told.items() if isinstance(value, str)}


def _folder(process: int) -> str:
    """Where the client was started, which is what it calls its project."""
    try:
        return os.readlink(f"/proc/{process}/cwd")  # noqa: PTH115 - a process that answers hooks gets by without pathlib
    except OSError:
        return ""
