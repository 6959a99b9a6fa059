"""Who is at the other end of a connection on this machine: the processes that hold it, as far as the system tells.

Only Linux tells; elsewhere nobody is known. A process of another user, or of another container, is not seen either.
"""

from __future__ import annotations

import contextlib
import os
import socket
import struct
from collections.abc import Iterator

import msgspec

from leeboard.io import system

_TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
_STATE, _UID, _INODE = 3, 7, 9
"""Where they stand in a line of these."""
_LISTENS = "0A"


def caller(connection: socket.socket) -> int:
    """The process that connected to a Unix socket; zero where the system does not say."""
    if not hasattr(socket, "SO_PEERCRED"):
        return 0
    told = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    pid, uid, _ = struct.unpack("3i", told)
    return int(pid) if uid == system.user() else 0


class OtherEnd(msgspec.Struct, frozen=True, kw_only=True):
    """Who is connected to a port that is served on loopback."""

    holders: tuple[int, ...] = ()
    """The processes that hold it."""
    is_hidden: bool = False
    """Nobody is seen to hold it, though it is this user's: it was closed since, lies on its way from one process to
    another, or is held by one that lets nobody look. A browser that waits for its answer does none of this.
    """


def other_end(port: int, served: int) -> OtherEnd:
    """Who holds the connection from this port to the one that is served."""
    listed = [fields for table in _TABLES for line in _lines(table) if len(fields := line.split()) > 9]
    found = next((each for each in listed if _ports(each) == (port, served) and each[_INODE] != "0"), None)
    if found is None:
        return OtherEnd(is_hidden=any(each[_STATE] == _LISTENS and _ports(each)[0] == served for each in listed))
    holders = tuple(_with_socket(f"socket:[{found[_INODE]}]"))
    return OtherEnd(holders=holders, is_hidden=not holders and found[_UID] == str(system.user()))


def _ports(fields: list[str]) -> tuple[int, int]:
    """The port of this end, and that of the other."""
    return _port(fields[1]), _port(fields[2])


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
