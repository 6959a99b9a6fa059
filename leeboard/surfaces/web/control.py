"""The door beside the page: `leeboard open` asks here for an address with an invitation in it.

It is a socket that only this user can reach, and the process that asks is looked at: one that an agent runs, or that
has no terminal, is told nothing. So the token lies in no file, and no command of an agent's gets one.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Callable
from threading import Thread
from typing import Any

import msgspec

from leeboard.app.hook_origin import agent_around
from leeboard.errors import ConfigError, EffectError
from leeboard.io.channel import LocalListener, connect
from leeboard.io.connection import caller
from leeboard.io.parents import terminal_of
from leeboard.io.places import page_socket_path

SECONDS = 5.0
_LONGEST = 4096


def refusal_for(pid: int) -> str:
    """Why this process is told nothing; empty: it belongs to a person, as far as the system tells."""
    if not pid:
        return ""
    agent = agent_around(pid)
    if agent:
        return f"{agent} says that an agent runs it"
    return "" if terminal_of(pid) else "it has no terminal"


class Control:
    """Answers one caller at a time, for as long as the server lives."""

    def __init__(self, answer: Callable[[dict[str, Any]], dict[str, Any]], refusal: Callable[[int], str]) -> None:
        self._answer = answer
        self._refusal = refusal
        self._path = page_socket_path()
        self._socket: LocalListener | None = None
        self._thread = Thread(target=self._serve, name="leeboard-control", daemon=True)

    def begin(self) -> None:
        """EffectError where another server is there."""
        if ask({"ask": "state"}) is not None:
            raise EffectError("the page is served already: `leeboard open` opens it")
        self._socket = LocalListener(self._path)
        self._thread.start()

    def end(self) -> None:
        if self._socket is None:
            return
        self._socket.close()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._path)  # noqa: PTH108 - a name is at hand

    def _serve(self) -> None:
        while self._socket is not None:
            try:
                connection = self._socket.accept(SECONDS)
            except ConnectionAbortedError:
                continue
            except OSError:
                return
            with connection, contextlib.suppress(OSError, msgspec.MsgspecError):
                connection.settimeout(SECONDS)
                asked = msgspec.json.decode(connection.recv(_LONGEST), type=dict[str, Any])
                connection.sendall(msgspec.json.encode(self._told(connection, asked)))

    def _told(self, connection: socket.socket, asked: dict[str, Any]) -> dict[str, Any]:
        """That a server is there may be known to anybody."""
        if asked.get("ask") == "state":
            return self._answer(asked)
        refusal = self._refusal(caller(connection))
        return {"refused": refusal} if refusal else self._answer(asked)


def ask(words: dict[str, Any]) -> dict[str, Any] | None:
    """What the server answers; None where there is none. ConfigError where it refuses."""
    try:
        with connect(page_socket_path(), SECONDS) as client:
            client.sendall(msgspec.json.encode(words))
            told = msgspec.json.decode(client.recv(_LONGEST), type=dict[str, Any])
    except (OSError, msgspec.MsgspecError):
        return None
    if "refused" in told:
        raise ConfigError(f"only a person may enter the page, and {told['refused']}. Ask the user to open it.")
    return told
