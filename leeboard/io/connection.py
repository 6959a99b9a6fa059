"""Who is at the other end of a connection on this machine: the processes that hold it, as far as the system tells.

Only Linux tells; elsewhere nobody is known. A process of another user, or of another container, is not seen either.
"""

from __future__ import annotations

import contextlib
import os
import socket
import struct
from collections.abc import Iterator

_TABLES = ("/proc/net/tcp", "/proc/net/tcp6")


def caller(connection: socket.socket) -> int:
    """The process that connected to a Unix socket; zero where the system does not say."""
    if not hasattr(socket, "SO_PEERCRED"):
        return 0
    told = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    pid, uid, _ = struct.unpack("3i", told)
    return int(pid) if uid == os.getuid() else 0


def holders(port: int, served: int) -> tuple[int, ...]:
    """The processes that hold the connection from this port to the one that is served, on loopback."""
    inode = _inode(port, served)
    return tuple(_with_socket(f"socket:[{inode}]")) if inode else ()


def _inode(port: int, served: int) -> str:
    for table in _TABLES:
        for line in _lines(table):
            fields = line.split()
            if len(fields) > 9 and _port(fields[1]) == port and _port(fields[2]) == served and fields[9] != "0":
                return fields[9]
    return ""


def _lines(table: str) -> list[str]:
    try:
        with open(table, encoding="ascii") as file:  # noqa: PTH123 - a table of the system's
            return file.readlines()[1:]
    except OSError:
        return []


def _port(address: str) -> int:
    return int(address.rpartition(":")[2], 16)


def _with_socket(link: str) -> Iterator[int]:
    """Newest processes first: whoever has just connected is among them more often than not."""
    try:
        names = sorted((int(name) for name in os.listdir("/proc") if name.isdigit()), reverse=True)  # noqa: PTH208 - as above
    except OSError:
        return
    for pid in names:
        with contextlib.suppress(OSError):
            folder = f"/proc/{pid}/fd"
            if any(_leads_to(f"{folder}/{name}", link) for name in os.listdir(folder)):  # noqa: PTH208 - as above
                yield pid


def _leads_to(path: str, link: str) -> bool:
    try:
        return os.readlink(path) == link  # noqa: PTH115 - as above
    except OSError:
        return False
