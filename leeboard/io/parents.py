"""The processes above one, as the system tells of them: each with the environment it was started with.

What a program takes out of its own environment later is still there, and so is what a process above it was given: a
variable that was unset for one command alone is found one step higher. Only Linux tells; elsewhere there are none.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping

import msgspec

GATE_MARK = "LEEBOARD_GATE"
"""Set for every quality gate and acceptance command that we start: what they run is no person's doing."""
MOST = 64
"""Steps that are gone up at most."""
LONGEST = 4 << 20
"""Bytes of an environment that are read."""
_PIECE = 16 << 10


class Ancestor(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of it is read when it is asked: each file costs about as much as a step up."""

    pid: int
    name: str

    @property
    def words(self) -> tuple[str, ...]:
        """The first two it was started with: an interpreter has its script second."""
        return tuple(_entries(_read(self.pid, "cmdline"))[:2])

    @property
    def env(self) -> Mapping[str, str]:
        """As it was started; empty where that is not ours to see."""
        return _pairs(_read(self.pid, "environ"))

    def env_with(self, names: Iterable[bytes]) -> Mapping[str, str]:
        """The same where one of these is spoken of in it, else empty: few are, and the rest need not be taken apart."""
        told = _read(self.pid, "environ")
        return _pairs(told) if any(name in told for name in names) else {}


def lineage(pid: int) -> Iterator[Ancestor]:
    """A process and those above it, the nearest first, as far as the system tells."""
    seen: set[int] = set()
    while pid > 0 and pid not in seen and len(seen) < MOST:
        seen.add(pid)
        name, parent = _status(pid)
        if not name:
            return
        yield Ancestor(pid=pid, name=name)
        pid = parent


def _status(pid: int) -> tuple[str, int]:
    """Name and parent; no name where there is no such process. A name may hold spaces and brackets."""
    before, _, after = _read(pid, "stat").rpartition(b") ")
    fields = after.split(None, 2)
    _, _, name = before.partition(b" (")
    return (os.fsdecode(name), int(fields[1])) if len(fields) > 1 and fields[1].isdigit() else ("", 0)


def terminal_of(pid: int) -> int:
    """The number of the terminal that controls a process; zero where it has none, or the system does not say."""
    fields = _read(pid, "stat").rpartition(b") ")[2].split()
    return int(fields[4]) if len(fields) > 4 and fields[4].lstrip(b"-").isdigit() else 0


def _pairs(told: bytes) -> Mapping[str, str]:
    pairs = (entry.partition("=") for entry in _entries(told))
    return {key: value for key, found, value in pairs if found}


def _entries(told: bytes) -> list[str]:
    return [entry for entry in os.fsdecode(told).split("\0") if entry]


def _read(pid: int, what: str) -> bytes:
    """In pieces: room for the longest environment costs more than reading an ordinary one. Of these files the system
    gives as much as there is room for, so a piece that is not full is the last.
    """
    try:
        file = os.open(f"/proc/{pid}/{what}", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        found = part = os.read(file, _PIECE)
        while len(part) == _PIECE and len(found) < LONGEST:
            part = os.read(file, _PIECE)
            found += part
    except OSError:
        return b""
    finally:
        os.close(file)
    return found


def processors() -> int:
    """How many processors: those this process may use; not every system tells."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
