"""One call of the `wg` program, which is somebody else's: it may be old, hang, or be another program of that name.

It gets none of the variables that tell it that an agent is calling: `wg log` would print that agent's messages and mark
them as read, and `wg add` would put a task to work at once. What it prints is of no interest but for the end of its
complaint; what it did is seen in the graph.
"""

from __future__ import annotations

import os
import select
from collections.abc import Iterable, Mapping

import msgspec

from leeboard.io import clock
from leeboard.io.child import NOTHING, Process, Streams, kill_group, start, wait

SECONDS = 30.0
LONGEST = 100_000
"""Bytes of one argument. The system takes 128 KiB."""
REST_SECONDS = 600.0
"""For how long a program that hung is not asked again."""
USER = "speedrift"
_KEPT = frozenset({"WG_GLOBAL_DIR", "WG_LOCK_RETRY_BUDGET_MS", "WG_LOCK_INITIAL_DELAY_MS"})
_TAIL, _CHUNK = 4_096, 65_536
_SLICE_MS = 100

_verbs: dict[tuple[str, str], bool] = {}
_hung: dict[str, float] = {}
"""Programs that did not end, and when they may be asked again."""


class Ran(msgspec.Struct, frozen=True):
    code: int | None
    """None: it could not be started, or did not end in time."""
    words: str = ""
    """The end of its complaint."""


class WgCalls:
    """The program at a path, for one store."""

    def __init__(self, program: str, folder: str, env: Mapping[str, str]) -> None:
        self._program = program
        self._folder = folder
        self._env = environment(env)

    def can(self, verb: str) -> bool:
        """Whether it knows the verb; found out once in a process. WireGuard's `wg` knows none of them."""
        known = _verbs.get((self._program, verb))
        if known is None and not self.hangs:
            ran = self._run((self._program, verb, "--help"))
            if ran.code is not None:
                known = _verbs[self._program, verb] = ran.code == 0
        return bool(known) and not self.hangs

    @property
    def hangs(self) -> bool:
        """It did not end a while ago."""
        return clock.monotonic() < _hung.get(self._program, 0.0)

    def call(self, verb: str, arguments: tuple[str, ...], held: int) -> Ran:
        """`held` is a lock's descriptor: the program holds the lock too, also when who called it was killed."""
        return self._run((self._program, "--dir", self._folder, verb, *arguments), held)

    def _run(self, words: tuple[str, ...], held: int = -1) -> Ran:
        until = clock.monotonic() + SECONDS
        try:
            where = os.path.dirname(self._folder)  # noqa: PTH120 - names that are no valid text pass through
            process = start(words, where, self._env, Streams(written=NOTHING), (held,) if held >= 0 else ())
        except (OSError, ValueError) as error:
            return Ran(None, f"could not be started: {error}")
        with process:
            try:
                tail = _complaint(process, until)
                code = wait(process, until - clock.monotonic())
            finally:
                kill_group(process)
        if code is None:
            _hung[self._program] = clock.monotonic() + REST_SECONDS
            return Ran(None, f"did not end within {SECONDS:g} s and was killed")
        return Ran(code, tail.decode("utf-8", "replace").strip())


def environment(env: Mapping[str, str]) -> dict[str, str]:
    """Of a person at a terminal who is called speedrift."""
    kept = {name: value for name, value in env.items() if not name.startswith("WG_") or name in _KEPT}
    return kept | {"WG_USER": USER, "NO_COLOR": "1"}


def fits(arguments: Iterable[str]) -> bool:
    """Whether they reach the program as they are. It takes a bare -h or --help for a question wherever it stands."""
    return all(argument not in {"-h", "--help"} and _is_plain(argument) for argument in arguments)


def _is_plain(argument: str) -> bool:
    try:
        return len(argument.encode()) <= LONGEST and "\0" not in argument
    except UnicodeEncodeError:  # half a surrogate pair
        return False


def _complaint(process: Process, until: float) -> bytes:
    """The end of what it wrote to stderr, however much that is. What it left behind is not waited for."""
    assert process.stderr is not None  # noqa: S101 - it was asked for
    pipe, tail = process.stderr.fileno(), b""
    waiting = select.poll()
    waiting.register(pipe, select.POLLIN)
    while clock.monotonic() < until:
        if waiting.poll(_SLICE_MS):
            chunk = os.read(pipe, _CHUNK)
            if not chunk:
                break
            tail = (tail + chunk)[-_TAIL:]
        elif process.poll() is not None:
            break
    return tail
