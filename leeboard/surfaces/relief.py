"""A second process for the resident: it answers while the first one is held up, by a git or a disk that hangs.

The first one serves one request after the other, in its client's environment, and a thread beside it would share both.
So it forks a helper that sleeps, costs no memory it does not write to, and takes requests from the same socket for as
long as one of the first one's takes too long. Of the project that holds the first one up it takes none: it would only
hang as well, and the hooks of that project judge by themselves.
"""

from __future__ import annotations

import mmap
import os
import select
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from zlib import crc32

from leeboard.app.kept_store import let_go
from leeboard.errors import LeeboardError
from leeboard.io import clock
from leeboard.io.channel import LocalListener
from leeboard.io.system import HAS_FORK

HELD_SECONDS = 0.2
"""How long a request may take before others are answered beside it."""
AWAKE_SECONDS = 1.0
"""How long the helper looks on after a request, before it sleeps until the next one."""
_LOOK_SECONDS = 0.05
_SINCE, _ASLEEP, _FOLDER = range(3)

Answer = Callable[[socket.socket, Callable[[str], bool]], bool]
"""Answers who asks over a connection, unless it may not enter the folder; False where it can not go on."""


class Relief:
    """`shared` is what the two know of each other: since when the first is at a request (0: it is free), whether the
    helper sleeps, and the folder of that request.
    """

    def __init__(self, listener: LocalListener, answer: Answer, close: Callable[[], None] = lambda: None) -> None:
        self._listener = listener
        self._answer = answer
        self._close = close
        self._shared = memoryview(mmap.mmap(-1, 64)).cast("d")
        self._helper = 0
        self._wake = -1

    def stand_by(self) -> None:
        """Have a helper. Only while no database is open: a connection must not be carried into another process."""
        self.look_after()
        if self._helper or not HAS_FORK:
            return
        first, (asleep, wake) = os.getpid(), os.pipe()
        os.set_blocking(wake, False)
        helper = os.fork()
        if helper:
            os.close(asleep)
            self._helper, self._wake = helper, wake
            return
        try:
            os.close(wake)
            self._close()
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            self._help(first, asleep)
        finally:
            os._exit(0)

    def look_after(self) -> None:
        """A helper that somebody stopped is ended, it may hold the database; one that ended is missed."""
        while self._helper:
            with suppress(ChildProcessError):
                found, status = os.waitpid(self._helper, os.WNOHANG | os.WUNTRACED)
                if not found:
                    return
                if os.WIFSTOPPED(status):
                    os.kill(self._helper, signal.SIGKILL)
                    continue
            os.close(self._wake)
            self._helper, self._wake = 0, -1

    def begin(self) -> None:
        """The first one has a request."""
        self._shared[_SINCE] = clock.monotonic()
        if self._helper and self._shared[_ASLEEP]:
            with suppress(OSError):
                os.write(self._wake, b".")

    def enter(self, folder: str) -> bool:
        """It is about to judge what happens there."""
        self._shared[_FOLDER] = crc32(os.fsencode(folder))
        return True

    def end(self) -> None:
        self._shared[_SINCE] = self._shared[_FOLDER] = 0.0

    def _may_enter(self, folder: str) -> bool:
        return crc32(os.fsencode(folder)) != self._shared[_FOLDER]

    def _is_held(self) -> bool:
        since = self._shared[_SINCE]
        return since > 0 and clock.monotonic() - since > HELD_SECONDS

    def _help(self, first: int, asleep: int) -> None:
        """Until the first one is gone, which ends the pipe."""
        seen = clock.monotonic()
        while os.getppid() == first:
            if self._is_held() and not self._serve():
                return
            now = clock.monotonic()
            seen = now if self._shared[_SINCE] else seen
            awake = now - seen < AWAKE_SECONDS
            self._shared[_ASLEEP] = float(not awake)
            if self._shared[_SINCE] and not awake:
                continue  # it began just before it could see that we sleep
            if select.select([asleep], [], [], _LOOK_SECONDS if awake else None)[0]:
                if not os.read(asleep, 4096):
                    return
                seen = clock.monotonic()

    def _serve(self) -> bool:
        """Others, for as long as the first one is held; False where it is time to end."""
        self._listener.settimeout(HELD_SECONDS)
        goes_on = True
        while goes_on and self._is_held():
            try:
                connection = self._listener.accept()
            except (TimeoutError, ConnectionAbortedError):
                continue
            with connection:
                goes_on = self._answer(connection, self._may_enter)
        with suppress(OSError, LeeboardError):
            let_go()
        return goes_on
