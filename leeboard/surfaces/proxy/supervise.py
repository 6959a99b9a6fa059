"""One run of a client behind a proxy: the proxy is there before the client and ends after it, whatever happens between.

The listening socket belongs to us and not to the proxy's process. Should that die, the client's connections wait in the
queue of the socket until the next one takes them: nobody is ever told that nobody listens.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import FrameType
from typing import Self

from leeboard.app.misses import note_miss
from leeboard.errors import EffectError
from leeboard.io import clock, places, process
from leeboard.surfaces.proxy.address import LOOPBACK, base_url, find_upstream, kept_token
from leeboard.surfaces.proxy.judging import KEEP_SECONDS
from leeboard.surfaces.proxy.process import open_listener, start
from leeboard.surfaces.proxy.standing import find, who_listens

SOON = 60.0
"""Seconds within which a second death is taken for more than an accident."""
MOST_DEATHS = 5
_END_SECONDS = KEEP_SECONDS + 10.0
"""What a proxy that ends is given: it records what it carried, and closes the sessions that nobody else tells of."""
_AGAIN_SECONDS = 0.2

Say = Callable[[str], None]


class Supervisor:
    """Keeps a proxy alive: one of its own, or, should the standing one die, one on the same port."""

    def __init__(self, folder: str, say: Say, *, plain: bool = False) -> None:
        self._folder, self._speak, self._plain = folder, say, plain
        self._token = kept_token()
        self._listener: socket.socket | None = None
        self._process: process.Process | None = None
        self._pipe = -1
        self._client = 0
        self._deaths: list[float] = []
        self._ending = threading.Event()
        self._watcher: threading.Thread | None = None
        self._lock = threading.Lock()
        standing = None if plain else find(self._token)
        self.port = standing.port if standing is not None else 0

    def __enter__(self) -> Self:
        if self.port:
            watch = self._watch_standing
        else:
            self._take_over(0)
            watch = self._watch_own
        self._watcher = threading.Thread(target=watch, daemon=True)
        self._watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        with self._lock:
            if self._listener is not None:
                self._listener.close()
            self._let_go()
            if self._process is not None and process.wait(self._process, _END_SECONDS) is None:
                process.end(self._process)

    def address(self, upstream: str) -> str:
        """The address that leads to an upstream by way of this proxy, also where it led through another one before."""
        return base_url(self.port, self._token, find_upstream(upstream, self._token))

    def run(self, words: Sequence[str], env: Mapping[str, str]) -> int:
        """Run the client in the foreground; its exit code."""
        try:
            client = process.start_in_front(words, env)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise EffectError(f"{words[0]}: can not be started: {why}") from error
        self._client = client.pid
        self._tell_client()
        with _signals_passed_on(client):
            code = client.wait()
        return 128 - code if code < 0 else code

    def _say(self, words: str) -> None:
        """Tell whoever sits there, and `leeboard doctor`."""
        note_miss(places.state_dir(), "proxy", EffectError(words), self._folder)
        self._speak(words)

    # The proxy's process.

    def _take_over(self, port: int) -> None:
        """Listen on that port, or on any, with a process of our own."""
        try:
            self._listener = open_listener(port)
        except OSError as error:
            raise EffectError(f"{LOOPBACK}:{port}: the proxy can not listen there: {error.strerror}") from error
        self.port = int(self._listener.getsockname()[1])
        self._start()

    def _start(self) -> None:
        assert self._listener is not None  # noqa: S101 - taken over before
        self._let_go()
        try:
            self._process, self._pipe = start(self._listener, self._folder, plain=self._plain)
        except OSError as error:
            raise EffectError(f"the proxy can not be started: {error.strerror or error}") from error
        self._tell_client()

    def _tell_client(self) -> None:
        """Should we be killed, the proxy lives on for as long as the client does."""
        if self._pipe >= 0 and self._client:
            with suppress(OSError):
                os.write(self._pipe, b"%d" % self._client)

    def _let_go(self) -> None:
        """Whoever reads the other end of the pipe may end: the client is not told of any more."""
        if self._pipe >= 0:
            os.close(self._pipe)
            self._pipe = -1

    def _watch_own(self) -> None:
        while (running := self._process) is not None:
            code = running.wait()
            with self._lock:
                if self._ending.is_set() or not self._raise_again(f"the proxy died ({_words_of(code)})"):
                    return

    def _watch_standing(self) -> None:
        """A connection to it ends when it does; it also ends one that is idle for long, and takes a new one."""
        while not self._ending.is_set():
            match who_listens(self.port, self._token):
                case "ours":
                    with suppress(OSError), socket.create_connection((LOOPBACK, self.port)) as connection:
                        connection.recv(1)
                case "silent":
                    self._ending.wait(_AGAIN_SECONDS)
                case "stranger":
                    self._end_client()
                    return
                case "nobody":
                    with self._lock:
                        replaced = not self._ending.is_set() and self._replace_standing()
                    if replaced:
                        self._watch_own()
                        return

    def _replace_standing(self) -> bool:
        """False where somebody else was quicker; who that is has to be looked at."""
        try:
            self._take_over(self.port)
        except EffectError:
            self._ending.wait(_AGAIN_SECONDS)
            return False
        self._say(f"the standing proxy ended: this run goes on with one of its own on port {self.port}")
        return True

    def _end_client(self) -> None:
        """Whatever it sends from now on, its credentials included, would be read by whoever has taken the port."""
        self._say(
            f"the standing proxy ended, and a process that is none of ours has taken port {self.port}: the client is "
            "ended, so that your credentials do not go there. Start it again"
        )
        if self._client:
            with suppress(OSError):
                os.kill(self._client, signal.SIGTERM)

    def _raise_again(self, what: str) -> bool:
        """Start it anew; the second time within a minute as a plain forwarder. False where that is no use any more."""
        now = clock.monotonic()
        self._deaths = [*(when for when in self._deaths if now - when < SOON), now]
        if len(self._deaths) >= MOST_DEATHS:
            self._say(f"{what} {MOST_DEATHS} times: the client can not reach its model. End it, and start it by itself")
            return False
        self._plain = self._plain or len(self._deaths) > 1
        try:
            self._start()
        except EffectError as error:
            self._say(f"{what}: {error}. The client can not reach its model: end it, and start it by itself")
            return False
        how = "again, as a plain forwarder that judges nothing" if self._plain else "again"
        self._say(f"{what}; it was started {how}, and the client did not notice")
        return True


def _words_of(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"


class _signals_passed_on:  # noqa: N801 - a context manager that reads as a phrase
    """Signals for us are the client's; those of the terminal reach it anyway."""

    def __init__(self, client: process.Process) -> None:
        self._client = client
        self._before: dict[int, object] = {}

    def __enter__(self) -> None:
        for number in process.known_signals("SIGINT", "SIGQUIT"):
            self._before[number] = signal.signal(number, signal.SIG_IGN)
        for number in process.known_signals("SIGTERM", "SIGHUP"):
            self._before[number] = signal.signal(number, self._pass_on)

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type] # what signal.signal gave back

    def _pass_on(self, number: int, _frame: FrameType | None) -> None:
        with suppress(OSError):
            self._client.send_signal(number)


class LaterSayer:
    """Says things on stderr: at once where nobody draws on that terminal, else when the client has ended."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._later: list[str] = []
        self._at_once = not sys.stderr.isatty()

    def __call__(self, words: str) -> None:
        if self._at_once:
            self._say(words)
        else:
            self._later.append(words)

    def end(self) -> None:
        """The terminal is ours again."""
        self._at_once = True
        for words in self._later:
            self._say(words)
        self._later.clear()
