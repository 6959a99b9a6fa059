"""Metrics over HTTP, for Prometheus: on this machine alone, and for who knows the token.

Anybody on the machine can reach the port. Each of them has two seconds in all to ask and to be answered, whatever they
send and however slowly, and is asked in a thread of their own, of which there are few.
"""

from __future__ import annotations

import hmac
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import BytesIO
from posixpath import join
from threading import BoundedSemaphore, Lock, Thread
from typing import Any

from leeboard.io import clock, places
from leeboard.io.file import read_start, replace_file

SECONDS = 2.0
"""For one who asks, in all."""
AT_ONCE = 8
"""Who comes while so many are being answered is turned away."""
_LARGEST = 16_384
_END = b"\r\n\r\n"


def token() -> str:
    """Made where there is none; only this user can read it."""
    path = join(places.state_dir(), "metrics.token")
    places.make_private_file(path)
    found = read_start(path, 200).decode("ascii", "replace").strip()
    if found:
        return found
    made = secrets.token_urlsafe(32)
    replace_file(path, made.encode())
    return made


def metrics_server(port: int, text: Callable[[], str]) -> HTTPServer:
    """`text` is asked by one at a time. OSError where the port is zero or somebody else's."""
    if not port:
        raise OSError("no port was given")
    return _MetricsServer(port, text)


class _MetricsServer(HTTPServer):
    def __init__(self, port: int, text: Callable[[], str]) -> None:
        self.wanted = f"Bearer {token()}".encode()
        self._text, self._one, self._free = text, Lock(), BoundedSemaphore(AT_ONCE)
        super().__init__(("127.0.0.1", port), _Handler)

    def metrics(self) -> str:
        with self._one:
            return self._text()

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._free.acquire(blocking=False):
            Thread(target=self._serve, args=(request, client_address), daemon=True).start()
        else:
            self.shutdown_request(request)

    def _serve(self, request: Any, client_address: Any) -> None:
        try:
            with suppress(OSError):  # whoever asked is gone, or too slow
                self.finish_request(request, client_address)
        finally:
            self.shutdown_request(request)
            self._free.release()


class _Handler(BaseHTTPRequestHandler):
    server: _MetricsServer
    server_version, sys_version = "leeboard", ""

    def setup(self) -> None:
        super().setup()
        self.rfile = BytesIO(_head(self.connection, clock.monotonic() + SECONDS))
        self.connection.settimeout(SECONDS)

    def do_GET(self) -> None:
        said = self.headers.get("Authorization", "").encode("utf-8", "replace")
        if not hmac.compare_digest(said, self.server.wanted):
            self._answer(401, "the token of ~/.local/state/leeboard/metrics.token is needed\n")
        elif self.path != "/metrics":
            self._answer(404, "metrics are at /metrics\n")
        else:
            self._answer(200, self.server.metrics())

    def _answer(self, code: int, text: str) -> None:
        data = text.encode()
        self.send_response(code)
        self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        if code == 401:
            self.send_header("WWW-Authenticate", "Bearer")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Nowhere to write."""


def _head(asked: socket.socket, end: float) -> bytes:
    """What was sent up to its empty line; nothing where that did not come in time."""
    found = b""
    while _END not in found and len(found) < _LARGEST and (left := end - clock.monotonic()) > 0:
        asked.settimeout(left)
        try:
            piece = asked.recv(4096)
        except OSError:
            return b""
        if not piece:
            return b""
        found += piece
    return found if _END in found else b""
