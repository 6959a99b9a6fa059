"""Stands over one command of somebody else's, and sees to it that nothing of it is left. Run as a program.

What the command starts and lets go of, by forking twice, in a session of its own or with an environment of its own,
becomes the warden's child where the system lets a process ask for that (Linux). When the command has ended, or whoever
started the warden is gone or wants it to end, all of them are killed. Where the system does not tell of processes, the
command's own group is.

It is a process of its own since such orphans come to the process as a whole: in a server they would be taken for its
own.

The command may kill the warden. What it is then still known by is a limit that it can not take off, which whoever
started the warden has chosen: see `leeboard.io.parents.limit_of`.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import sys

_SET_CHILD_SUBREAPER = 36
_DROP_FROM_BOUNDS, _MAY_RAISE_LIMITS = 24, 24
"""`PR_CAPBSET_DROP` and `CAP_SYS_RESOURCE` of Linux."""
_FILE_LOCKS = 10
_ROUNDS = 1_000
"""Times that it looks for what is left: what forks faster than it is killed is not followed for ever."""
_SHELL = "/bin/sh"


def main() -> None:
    """The command is the last argument, its limit the one before. Ends as the command ended."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    _bear(int(sys.argv[-2]))
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    child = os.fork()
    if child == 0:
        _become(sys.argv[-1])
    status = _until_end(child, woken)
    _end_all(child)
    code = os.waitstatus_to_exitcode(status) if status is not None else -signal.SIGKILL
    if code < 0:
        signal.signal(-code, signal.SIG_DFL) if -code not in {signal.SIGKILL, signal.SIGSTOP} else None
        os.kill(os.getpid(), -code)
    os._exit(max(code, 0))


def _bear(limit: int) -> None:
    """From here on, and below: who may raise limits, may not any more as soon as another program runs."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_DROP_FROM_BOUNDS, _MAY_RAISE_LIMITS, 0, 0, 0)
    import resource  # noqa: PLC0415 - where there is none, there is no warden either

    with contextlib.suppress(OSError, ValueError, OverflowError):  # not every system knows it, or one so high
        resource.setrlimit(_FILE_LOCKS, (limit, limit))


def _become(command: str) -> None:
    """In a group of its own, so that `kill 0` in it is its own affair. It hears nothing."""
    try:
        os.setpgid(0, 0)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.execv(_SHELL, (_SHELL, "-c", command))  # noqa: S606 - what the user wrote to be run
    finally:
        os._exit(127)


def _until_end(child: int, woken: int) -> int | None:
    """How it ended; None: nobody waits for it any more, which shows by the end of our input."""
    while True:
        ready, _, _ = select.select([0, woken], [], [])
        if woken in ready:
            os.read(woken, 4096)
        while (found := _reaped()) is not None:
            if found[0] == child:
                return found[1]
        if 0 in ready and not os.read(0, 4096):
            return None


def _reaped() -> tuple[int, int] | None:
    try:
        pid, status = os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return None
    return (pid, status) if pid else None


def _end_all(child: int) -> None:
    for _ in range(_ROUNDS):
        with contextlib.suppress(OSError):
            os.killpg(child, signal.SIGKILL)
        left = descendants(os.getpid())
        for pid in left:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        while _reaped() is not None:
            pass
        if not left:
            return


def descendants(top: int) -> tuple[int, ...]:
    """The processes below one, as the system tells; those that only wait to be reaped are none."""
    below: dict[int, list[int]] = {}
    for pid in pids():
        parent = _parent(pid)
        if parent:
            below.setdefault(parent, []).append(pid)
    found: list[int] = []
    waiting = [top]
    while waiting:
        found += (children := below.get(waiting.pop(), []))
        waiting += children
    return tuple(found)


def pids() -> list[int]:
    """The ids of all processes, as far as the system tells."""
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208 - starts before every gate
    except OSError:
        return []


def _parent(pid: int) -> int:
    """Zero where there is no such process, or none that still runs."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - as above
            state, parent, _ = file.read().rpartition(b") ")[2].split(None, 2)
    except (OSError, ValueError):
        return 0
    return 0 if state in {b"Z", b"X"} else int(parent)
