"""The processes above one, as the system tells of them: each with the environment it was started with.

What a program takes out of its own environment later is still there, and so is what a process above it was given: a
variable that was unset for one command alone is found one step higher. Only Linux tells; elsewhere there are none.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

import msgspec

GATE_MARK = "LEEBOARD_GATE"
"""Set for every quality gate and acceptance command that we start: what they run is no person's doing."""
MOST = 64
"""Steps that are gone up at most."""
LONGEST = 4 << 20
"""Bytes of an environment that are read."""
_PIECE = 16 << 10


class Process(msgspec.Struct, frozen=True, kw_only=True):
    pid: int
    name: str
    words: tuple[str, ...]
    """The first two it was started with: an interpreter has its script second."""
    env: Mapping[str, str]
    """As it was started; empty where that is not ours to see."""


def lineage(pid: int) -> Iterator[Process]:
    """A process and those above it, the nearest first, as far as the system tells."""
    seen: set[int] = set()
    while pid > 0 and pid not in seen and len(seen) < MOST:
        seen.add(pid)
        name, parent = _status(pid)
        if not name:
            return
        words = tuple(_entries(pid, "cmdline")[:2])
        pairs = (entry.partition("=") for entry in _entries(pid, "environ"))
        yield Process(pid=pid, name=name, words=words, env={key: value for key, found, value in pairs if found})
        pid = parent


def _status(pid: int) -> tuple[str, int]:
    """Name and parent; no name where there is no such process. A name may hold spaces and brackets."""
    before, _, after = _read(pid, "stat").rpartition(") ")
    fields = after.split()
    _, _, name = before.partition(" (")
    return (name, int(fields[1])) if len(fields) > 1 and fields[1].isdigit() else ("", 0)


def _entries(pid: int, what: str) -> list[str]:
    return [entry for entry in _read(pid, what).split("\0") if entry]


def _read(pid: int, what: str) -> str:
    """In pieces: room for the longest environment costs more than reading an ordinary one."""
    found = bytearray()
    try:
        file = os.open(f"/proc/{pid}/{what}", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        while len(found) < LONGEST and (part := os.read(file, _PIECE)):
            found += part
    except OSError:
        return ""
    finally:
        os.close(file)
    return os.fsdecode(bytes(found))
