"""The processes above one, as the system tells of them: each with the environment it was started with.

What a program takes out of its own environment later is still there, and so is what a process above it was given: a
variable that was unset for one command alone is found one step higher. Only Linux tells; elsewhere there are none.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from leeboard.io import system

GATE_MARK = "LEEBOARD_GATE"
"""Set for every quality gate and acceptance command that we start: what they run is no person's doing."""
LIMIT_MARK = "`ulimit -x`"
"""What the limit is called that they bear as well: see `limit_of`."""
HIGHEST_LIMIT = 1 << 62
"""The highest limit that we set; where nobody sets one, it is infinite."""
_LIMIT_LINE = b"Max file locks"
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


def start_of(pid: int) -> int:
    """When a process was started, on the system's own clock: a number that is given out again is told from the one
    before by it. Zero where there is no such process, or the system does not say.
    """
    fields = _read(pid, "stat").rpartition(b") ")[2].split()
    return int(fields[19]) if len(fields) > 19 and fields[19].isdigit() else 0


def limit_of(pid: int) -> int:
    """The limit of file locks that a process was given; zero where it has none of ours, or the system does not say.

    Linux has kept this limit and not applied it for twenty years. All that is started below inherits it, whatever it
    does to its environment, its session, its terminal and the processes above it, and only who may raise limits at all
    can take it off again: a mark that is not left behind. The system shows it to everybody.
    """
    line = next((line for line in _read(pid, "limits").splitlines() if line.startswith(_LIMIT_LINE)), b"")
    hard = line.split()[4:5]
    return int(hard[0]) if hard and hard[0].isdigit() and int(hard[0]) <= HIGHEST_LIMIT else 0


def program_of(pid: int) -> str:
    """The file that a process runs, the same before and after an update: where a folder is called by a number, that
    part is left out. Empty where the system does not say.
    """
    try:
        path = os.readlink(f"/proc/{pid}/exe").removesuffix(" (deleted)")  # noqa: PTH115 - as in all of this
    except OSError:
        return ""
    return "/".join(part for part in path.split("/") if not part.isdigit())


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
        file = os.open(f"/proc/{pid}/{what}", os.O_RDONLY | system.CLOEXEC)
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
