"""A server on 127.0.0.1 that plays a script on raw sockets, and keeps every byte it was sent.

A script is a function that is given a connection after the head and the body of a request were read from it. It writes
whatever it likes: HTTP, half of it, or none.
"""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


class Connection:
    """One connection of the proxy's, as the script sees it."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._data = b""
        self.head = b""
        self.body = b""

    def read_request(self) -> bool:
        """Head and body of the next request; False where there is none."""
        while b"\r\n\r\n" not in self._data:
            if not self._read():
                return False
        self.head, _, self._data = self._data.partition(b"\r\n\r\n")
        if re.search(rb"\r\ntransfer-encoding: *chunked", self.head, re.IGNORECASE):
            return self._read_chunked()
        found = _LENGTH.search(self.head)
        length = int(found[1]) if found else 0
        while len(self._data) < length:
            if not self._read():
                return False
        self.body, self._data = self._data[:length], self._data[length:]
        return True

    def write(self, data: bytes) -> None:
        self._sock.sendall(data)

    def wait_for_end(self) -> bytes:
        """What else the proxy sends until it ends the connection."""
        while self._read():
            pass
        return self._data

    def reset(self) -> None:
        """Break off without a word."""
        self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self._sock.close()

    def _read_chunked(self) -> bool:
        """The body as it came, its framing included."""
        while not (self._data.endswith(b"\r\n\r\n") and re.search(rb"(^|\r\n)0\r\n", self._data)):
            if not self._read():
                return False
        self.body, self._data = self._data, b""
        return True

    def _read(self) -> bool:
        try:
            more = self._sock.recv(1 << 20)
        except OSError:
            return False
        self._data += more
        return bool(more)


Script = Callable[[Connection], None]


class Upstream:
    """Where it listens, and what it was asked."""

    def __init__(self, sock: socket.socket, script: Script) -> None:
        self._sock, self._script = sock, script
        self.port = int(sock.getsockname()[1])
        self.requests: list[tuple[bytes, bytes]] = []
        """Head and body of each."""
        self.connections = 0
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def accept(self) -> None:
        while True:
            try:
                sock, _ = self._sock.accept()
            except OSError:
                return
            self.connections += 1
            self._open.add(sock)
            thread = threading.Thread(target=self._serve, args=(sock,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def end(self) -> None:
        with suppress(OSError):
            self._sock.shutdown(socket.SHUT_RDWR)
        self._sock.close()
        for sock in list(self._open):
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()

    def _serve(self, sock: socket.socket) -> None:
        connection = Connection(sock)
        with sock, suppress(OSError):
            while connection.read_request():
                self.requests.append((connection.head, connection.body))
                self._script(connection)
        self._open.discard(sock)


@contextmanager
def playing(script: Script, port: int = 0) -> Iterator[Upstream]:
    """The server, for as long as the block lasts."""
    sock = socket.create_server(("127.0.0.1", port), backlog=1024)
    upstream = Upstream(sock, script)
    thread = threading.Thread(target=upstream.accept)
    thread.start()
    try:
        yield upstream
    finally:
        upstream.end()
        thread.join()


def answer(*raw: bytes) -> Script:
    """Writes the same bytes to everybody, piece by piece."""

    def script(connection: Connection) -> None:
        for piece in raw:
            connection.write(piece)

    return script


def whole(body: bytes, *fields: bytes, status: bytes = b"200 OK") -> bytes:
    """An answer of a known length."""
    lines = [b"HTTP/1.1 " + status, *fields, b"Content-Length: %d" % len(body)]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


@contextmanager
def playing_early(raw: bytes) -> Iterator[int]:
    """The port of a server that answers as soon as somebody connects, without reading anything, and waits for the end."""
    sock = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            connection, _ = sock.accept()
            with connection:
                connection.recv(1)
                connection.sendall(raw)
                while connection.recv(1 << 16):
                    pass

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield int(sock.getsockname()[1])
    finally:
        with suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)
        sock.close()
        thread.join()
