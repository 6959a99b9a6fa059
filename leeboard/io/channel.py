"""The way to a server of ours on this machine: a Unix socket, or a port on loopback with a token where there is none.

Where the socket would lie, a file then names port and token; nobody else may read it. Both sides prove first that they
know the token (`handshake`), and nobody is listened to or told anything without it. Nobody can choose a
port: a Unix socket tells who asks, and a port does not.
"""

from __future__ import annotations

import contextlib
import os
import socket
from typing import Self

from leeboard.errors import EffectError
from leeboard.io.clock import monotonic
from leeboard.io.file import read_regular, replace_file
from leeboard.io.handshake import MEET_SECONDS, meet_client, meet_server

TOKEN = 32
"""Letters of a token."""
_HOST = "127.0.0.1"
_WAITING = 256
_LONGEST = 200


def has_unix_sockets() -> bool:
    return hasattr(socket, "AF_UNIX")


class LocalListener:
    """Takes connections at a place. What lies there is left over: whoever may listen there is settled before."""

    def __init__(self, path: str) -> None:
        self._token = b""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)  # noqa: PTH108 - a name is at hand
        if has_unix_sockets():
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            before = os.umask(0o177)
            try:
                self._socket.bind(path)
            finally:
                os.umask(before)
        else:
            self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            self._socket.bind((_HOST, 0))
            self._token = os.urandom(TOKEN // 2).hex().encode()
            _name(path, self._socket.getsockname()[1], self._token)
        self._socket.listen(_WAITING)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._socket.close()

    def fileno(self) -> int:
        return self._socket.fileno()

    def settimeout(self, seconds: float | None) -> None:
        self._socket.settimeout(seconds)

    def accept(self, seconds: float = MEET_SECONDS) -> socket.socket:
        """The next who may connect. TimeoutError where nobody does; who has not proved to know the token so long
        after is sent away, and nobody is waited for again: OSError.
        """
        connection, _ = self._socket.accept()
        if self._token and not meet_client(connection, self._token, monotonic() + seconds, os.urandom):
            connection.close()
            raise ConnectionAbortedError("somebody connected without the token")
        return connection


def connect(path: str, seconds: float) -> socket.socket:
    """To whoever listens at a place. OSError where nobody does, or somebody else."""
    end = monotonic() + seconds
    connection = socket.socket(socket.AF_UNIX if has_unix_sockets() else socket.AF_INET, socket.SOCK_STREAM)
    try:
        connection.settimeout(seconds)
        if has_unix_sockets():
            connection.connect(path)
            return connection
        port, token = read_name(read_regular(path, _LONGEST))
        connection.connect((_HOST, port))
        meet_server(connection, token, end, os.urandom)
    except BaseException:
        connection.close()
        raise
    return connection


def read_name(text: bytes) -> tuple[int, bytes]:
    """Port and token, as they stand in such a file. ConnectionRefusedError where they do not."""
    port, _, token = text.strip().partition(b" ")
    if not port.isdigit() or len(port) > 5 or int(port) > 0xFFFF or len(token) != TOKEN:
        raise ConnectionRefusedError("no port is named there")
    return int(port), token


def _name(path: str, port: int, token: bytes) -> None:
    try:
        replace_file(path, b"%d %b\n" % (port, token), mode=0o600)
    except EffectError as error:
        raise OSError(str(error)) from error
