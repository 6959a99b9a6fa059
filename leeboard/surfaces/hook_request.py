"""What a hook client asks over the resident's socket, read within a second, and who asks: others wait meanwhile."""

from __future__ import annotations

import os
import socket
import struct
from typing import NamedTuple

from leeboard.io import clock, system

CLIENT_SECONDS = 1.0
"""How long a client may take to ask, in all: others wait for it."""
PROTOCOL = b"leeboard-1"
LONGEST_REQUEST = 256 << 20


class HookRequest(NamedTuple):
    fingerprint: bytes
    env: dict[str, str]
    payload: bytes


def read_request(connection: socket.socket) -> HookRequest | None:
    """What the hook client's `request` wrote; None for anything else."""
    received, end = b"", clock.monotonic() + CLIENT_SECONDS
    while b"\n" not in received[:200] and len(received) < 200:
        part = _received(connection, 65536, end)
        if not part:
            return None
        received += part
    head, _, rest = received.partition(b"\n")
    protocol, *numbers = head.split(b" ")
    if protocol != PROTOCOL or len(numbers) != 3 or not all(n.isdigit() and len(n) < 12 for n in numbers):
        return None
    who, told, payload = map(int, numbers)
    body = _read_exactly(connection, rest, who + told + payload, end)
    if body is None:
        return None
    pairs = (entry.partition("=") for entry in os.fsdecode(body[who : who + told]).split("\0"))
    return HookRequest(body[:who], {name: value for name, found, value in pairs if found}, body[who + told :])


def _received(connection: socket.socket, most: int, end: float) -> bytes:
    connection.settimeout(max(end - clock.monotonic(), 0.001))
    return connection.recv(most)


def _read_exactly(connection: socket.socket, start: bytes, length: int, end: float) -> bytes | None:
    if not len(start) <= length <= LONGEST_REQUEST:
        return None
    body = bytearray(start)
    while len(body) < length:
        part = _received(connection, min(1 << 20, length - len(body)), end)
        if not part:
            return None
        body += part
    return bytes(body)


def asker(connection: socket.socket) -> tuple[int, int]:
    """Process and user. The socket's folder is closed to others already, and so is the token: where the system can not
    tell, it is one of ours, and no process.
    """
    if not hasattr(socket, "SO_PEERCRED") or connection.family == socket.AF_INET:
        return 0, system.user()
    told = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    process, user, _group = struct.unpack("3i", told)
    return int(process), int(user)
