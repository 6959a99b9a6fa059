"""The one place where another program is started and waited for.

Each gets a session and so a process group of its own, and no open file but those it is handed: no lock of ours outlives
us in somebody else's hands. At its time limit, or when it has printed too much, the whole group is killed.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import IO

import msgspec

MOST = 256 << 20
_CHUNK = 1 << 20

Process = subprocess.Popen[bytes]
Stream = int | IO[bytes] | None
NOTHING, PIPE, SAME = subprocess.DEVNULL, subprocess.PIPE, subprocess.STDOUT


class Streams(msgspec.Struct, frozen=True):
    """Where a program reads and writes; None is our own."""

    read: Stream = NOTHING
    written: Stream = PIPE
    said: Stream = PIPE


class Bounds(msgspec.Struct, frozen=True):
    seconds: float
    most: int = MOST
    """Bytes that it may print."""


class ProcessResult(msgspec.Struct, frozen=True, kw_only=True):
    code: int | None
    """None: it did not end within its bounds, and was killed."""
    out: bytes = b""
    err: bytes = b""


def start(
    words: Sequence[str],
    cwd: str,
    env: Mapping[str, str],
    streams: Streams = Streams(),  # noqa: B008 - frozen
    held: tuple[int, ...] = (),
) -> Process:
    """OSError or ValueError where it can not be. `held` are the only open files of ours that it gets."""
    return subprocess.Popen(
        words,
        cwd=cwd,
        env=env,
        stdin=streams.read,
        stdout=streams.written,
        stderr=streams.said,
        start_new_session=True,
        close_fds=True,
        pass_fds=held,
    )


def run(words: Sequence[str], cwd: str, env: Mapping[str, str], bounds: Bounds, given: bytes = b"") -> ProcessResult:
    """To its end, or to its bounds. OSError or ValueError where it can not be started."""
    fed = _fed(given) if given else None
    try:
        process = start(words, cwd, env, Streams(read=fed or NOTHING))
    finally:
        if fed is not None:
            fed.close()
    try:
        return _watched(process, time.monotonic() + bounds.seconds, bounds.most)
    finally:
        end(process)


def wait(process: Process, seconds: float) -> int | None:
    """Its code; None where it has not ended by then."""
    try:
        return process.wait(max(seconds, 0.0))
    except subprocess.TimeoutExpired:
        return None


def end(process: Process) -> None:
    """With all that it started. It may have ended before."""
    if process.poll() is None:
        kill_group(process)
        process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe:
            with contextlib.suppress(OSError):  # what was not sent yet can not be sent any more
                pipe.close()


def kill_group(process: Process) -> None:
    """Also what was left behind by one that has ended itself."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        if process.poll() is None:
            process.kill()


def our_python(code: str, *arguments: str) -> tuple[str, ...]:
    """The words that run code of ours in this very interpreter and installation.

    Isolated: neither the folder it is started in, nor a variable, nor a start file there brings a module of its own.
    """
    path = [place for place in sys.path if place.startswith("/")]
    return (sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:] = {path!r}; {code}", *arguments)


def search_path(path: str, root: str = "") -> str:
    """A PATH without folders that are found from where a program runs, and without those of the repository."""
    kept = (folder for folder in path.split(os.pathsep) if folder.startswith("/"))
    return os.pathsep.join(folder for folder in kept if not root or not f"{folder}/".startswith(f"{root}/"))


def _fed(given: bytes) -> IO[bytes]:
    """A file: a program that is not read yet can not keep one waiting that is still to be written to."""
    import tempfile  # noqa: PLC0415 - costs a hook process much, and few programs are told anything

    file = tempfile.TemporaryFile()  # noqa: SIM115 - whoever starts the program closes it
    file.write(given)
    file.seek(0)
    return file


def _watched(process: Process, until: float, most: int) -> ProcessResult:
    parts: dict[int, list[bytes]] = {1: [], 2: []}
    printed = 0
    with selectors.DefaultSelector() as selector:
        for number, pipe in ((1, process.stdout), (2, process.stderr)):
            if pipe:
                selector.register(pipe, selectors.EVENT_READ, number)
        while selector.get_map():
            ready = selector.select(max(until - time.monotonic(), 0))
            for key, _ in ready:
                part = os.read(key.fd, _CHUNK)
                parts[key.data].append(part)
                printed += len(part)
                if not part:
                    selector.unregister(key.fileobj)
            if not ready or printed > most:
                return ProcessResult(code=None, err=b"".join(parts[2]))
    code = wait(process, until - time.monotonic())
    return ProcessResult(code=code, out=b"".join(parts[1]), err=b"".join(parts[2]))


# Processes of our own that outlive whoever started them: the one place where we fork.
#
# Such a process has a session of its own, nothing to read and nowhere to write, and no open file but the one it is
# handed. A hook starts them, so no more is imported than the system's own calls.


HANDED = 3
"""The number of the file that is handed on."""
_KEPT = ("LEEBOARD_", "XDG_", "LC_")
_ALSO_KEPT = {"HOME", "PATH", "LANG", "USER", "LOGNAME", "TMPDIR"}


def fork(work: Callable[[], None]) -> int:
    """A child that does this and nothing else, however it ends; its number."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        work()
        code = 0
    finally:
        os._exit(code)


def fork_twice(work: Callable[[], None]) -> bool:
    """By way of a child that ends at once, so that nobody has to wait for the other one; whether it was started."""

    def between() -> None:
        os.setsid()
        fork(work)

    _pid, status = os.waitpid(fork(between), 0)
    return status == 0


def leave(handed: int = -1) -> None:
    """In a child: from here on it has nothing of whoever forked it but that file, as number `HANDED`."""
    if os.getpgrp() != os.getpid():
        os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    # Out of the way of the numbers that are given out now.
    held = fcntl.fcntl(handed, fcntl.F_DUPFD, 10) if handed >= 0 else -1
    for number in range(3):
        os.dup2(nothing, number)
    if held >= 0:
        os.dup2(held, HANDED)
    os.closerange(HANDED + (held >= 0), os.sysconf("SC_OPEN_MAX"))


def become(code: str, env: Mapping[str, str], *arguments: str, handed: int = -1) -> None:
    """In a child: this interpreter anew, isolated from where it is started, with code of ours."""
    os.chdir("/")
    leave(handed)
    # It outlives its caller: what else the caller's environment holds is none of its business.
    kept = {name: value for name, value in env.items() if name.startswith(_KEPT) or name in _ALSO_KEPT}
    path = [place for place in sys.path if place.startswith("/")]
    code = f"import sys; sys.path[:] = {path!r}; {code}"
    os.execve(sys.executable, [sys.executable, "-I", "-S", "-c", code, *arguments], kept)  # noqa: S606 - a list, and no shell


# The processes above one, as the system tells of them: each with the environment it was started with.
#
# What a program takes out of its own environment later is still there, and so is what a process above it was given: a
# variable that was unset for one command alone is found one step higher. Only Linux tells; elsewhere there are none.


GATE_MARK = "LEEBOARD_GATE"
"""Set for every quality gate and acceptance command that we start: what they run is no person's doing."""
PARENTS_MOST = 64
"""Steps that are gone up at most."""
LONGEST = 4 << 20
"""Bytes of an environment that are read."""
_PIECE = 16 << 10


class ParentsProcess(msgspec.Struct, frozen=True, kw_only=True):
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


def lineage(pid: int) -> Iterator[ParentsProcess]:
    """A process and those above it, the nearest first, as far as the system tells."""
    seen: set[int] = set()
    while pid > 0 and pid not in seen and len(seen) < PARENTS_MOST:
        seen.add(pid)
        name, parent = _status(pid)
        if not name:
            return
        yield ParentsProcess(pid=pid, name=name)
        pid = parent


def _status(pid: int) -> tuple[str, int]:
    """Name and parent; no name where there is no such process. A name may hold spaces and brackets."""
    before, _, after = _read(pid, "stat").rpartition(b") ")
    fields = after.split(None, 2)
    _, _, name = before.partition(b" (")
    return (os.fsdecode(name), int(fields[1])) if len(fields) > 1 and fields[1].isdigit() else ("", 0)


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
