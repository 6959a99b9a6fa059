"""Who is at the other end of a connection on this machine: the processes that hold it, as far as the system tells.

Only Linux tells; elsewhere nobody is known. A process of another user, or of another container, is not seen either.
"""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import sys
from collections.abc import Iterable, Iterator

import msgspec

from leeboard.io import system

_TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
_STATE, _UID, _INODE = 3, 7, 9
"""Where they stand in a line of these."""
_LISTENS = "0A"
_MAPPED = bytes(10) + b"\xff\xff"

Address = tuple[str, int]
"""Where an end of a connection is: number and port."""


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
    is_own: bool = False
    """It was opened by this user."""


def other_end(peer: Address, served: Address, likely: Iterable[int] = ()) -> OtherEnd:
    """Who holds the connection from one address and port to the one that is served. Where one of the likely processes
    does, no other is looked at.

    Ports alone do not name a connection: another program takes the same one at another address of loopback. Nobody is
    known where the system tells of two.
    """
    listed = [fields for table in _TABLES for line in _lines(table) if len(fields := line.split()) > 9]
    wanted = _packed(peer), _packed(served)
    found = {each[_INODE]: each[_UID] for each in listed if each[_INODE] != "0" and _ends(each) == wanted}
    if len(found) != 1:
        return OtherEnd(is_hidden=any(each[_STATE] == _LISTENS and _port(each[1]) == served[1] for each in listed))
    ((inode, user),) = found.items()
    link, is_own = f"socket:[{inode}]", user == str(system.user())
    holders = tuple(_with_socket(link, likely)) or tuple(_with_socket(link, _processes()))
    return OtherEnd(holders=holders, is_hidden=not holders and is_own, is_own=is_own)


def other_end_is_told() -> bool:
    """Whether this system tells who holds a connection."""
    return os.access(_TABLES[0], os.R_OK)


def listener_at(port: int) -> OtherEnd:
    """Who listens at a port of this machine; nobody is seen where nobody does, or it is another user's."""
    listed = (line.split() for table in _TABLES for line in _lines(table))
    at_port = (each for each in listed if len(each) > 9 and each[_STATE] == _LISTENS and _port(each[1]) == port)
    found = next(at_port, None)
    if found is None:
        return OtherEnd()
    holders = tuple(_with_socket(f"socket:[{found[_INODE]}]", _processes()))
    return OtherEnd(holders=holders, is_hidden=not holders, is_own=found[_UID] == str(system.user()))


def _ends(fields: list[str]) -> tuple[tuple[bytes, int], tuple[bytes, int]]:
    """The addresses and ports of both ends, our own first."""
    return _end(fields[1]), _end(fields[2])


def _end(told: str) -> tuple[bytes, int]:
    """The system writes an address as numbers of four bytes each, in the order of this machine."""
    numbers = bytes.fromhex(told.rpartition(":")[0])
    words = (numbers[at : at + 4] for at in range(0, len(numbers), 4))
    return _short(b"".join(word[::-1] if sys.byteorder == "little" else word for word in words)), _port(told)


def _packed(address: Address) -> tuple[bytes, int]:
    """Empty for what is no address, which is nobody's."""
    host, port = address
    with contextlib.suppress(OSError, ValueError):
        return _short(socket.inet_pton(socket.AF_INET6 if ":" in host else socket.AF_INET, host)), port
    return b"", port


def _short(address: bytes) -> bytes:
    """One of four bytes may be spelled as one of sixteen."""
    return address.removeprefix(_MAPPED) if len(address) == 16 else address


def _lines(table: str) -> list[str]:
    try:
        with open(table, encoding="ascii") as file:  # noqa: PTH123 - a table of the system's
            return file.readlines()[1:]
    except OSError:
        return []


def _port(address: str) -> int:
    return int(address.rpartition(":")[2], 16)


def _processes() -> list[int]:
    """Newest first: whoever has just connected is among them more often than not."""
    try:
        return sorted((int(name) for name in os.listdir("/proc") if name.isdigit()), reverse=True)  # noqa: PTH208 - as above
    except OSError:
        return []


def _with_socket(link: str, processes: Iterable[int]) -> Iterator[int]:
    for pid in processes:
        with contextlib.suppress(OSError):
            folder = f"/proc/{pid}/fd"
            if any(_leads_to(f"{folder}/{name}", link) for name in os.listdir(folder)):  # noqa: PTH208 - as above
                yield pid


def _leads_to(path: str, link: str) -> bool:
    try:
        return os.readlink(path) == link  # noqa: PTH115 - as above
    except OSError:
        return False
