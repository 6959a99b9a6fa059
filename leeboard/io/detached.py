"""Processes of our own that outlive whoever started them: the one place where we fork.

Such a process has a session of its own, nothing to read and nowhere to write, and no open file but the one it is
handed. A hook starts them, so no more is imported than the system's own calls. Where the system can not fork, the work
is done here and now; an interpreter that is started anew runs beside us there too.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping

from leeboard.io.system import HAS_FORK

HANDED = 3
"""The number of the first file that is handed on."""
_KEPT = ("LEEBOARD_", "XDG_", "LC_")
_ALSO_KEPT = {"HOME", "PATH", "LANG", "USER", "LOGNAME", "TMPDIR", "USERPROFILE", "LOCALAPPDATA", "TEMP"}


def fork(work: Callable[[], None]) -> int:
    """A child that does this and nothing else, however it ends; its number, zero where it was done here."""
    if not HAS_FORK:
        work()
        return 0
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
    if not HAS_FORK:
        work()
        return True

    def between() -> None:
        os.setsid()
        fork(work)

    _pid, status = os.waitpid(fork(between), 0)
    return status == 0


def leave(*handed: int) -> None:
    """In a child: from here on it has nothing of whoever forked it but these files, by the numbers from `HANDED` on."""
    if not HAS_FORK:
        return
    import fcntl  # noqa: PLC0415 - not every system has it

    if os.getpgrp() != os.getpid():
        os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    # Out of the way of the numbers that are given out now.
    held = [fcntl.fcntl(number, fcntl.F_DUPFD, HANDED + len(handed) + 7) for number in handed]
    for number in range(3):
        os.dup2(nothing, number)
    for place, number in enumerate(held, HANDED):
        os.dup2(number, place)
    os.closerange(HANDED + len(held), os.sysconf("SC_OPEN_MAX"))


def become(code: str, env: Mapping[str, str], *arguments: str, handed: tuple[int, ...] = ()) -> None:
    """In a child: this interpreter anew, isolated from where it is started, with code of ours. Where the system can not
    fork, it is started beside us, without the files.
    """
    # It outlives its caller: what else the caller's environment holds is none of its business.
    kept = {name: value for name, value in env.items() if name.startswith(_KEPT) or name in _ALSO_KEPT}
    path = [place for place in sys.path if os.path.isabs(place)]  # noqa: PTH117 - as in all of this
    code = f"import sys; sys.path[:] = {path!r}; {code}"
    words = [sys.executable, "-I", "-S", "-c", code, *arguments]
    if not HAS_FORK:
        _start_beside(words, {**kept, "SYSTEMROOT": env.get("SYSTEMROOT", "")})
        return
    os.chdir("/")
    leave(*handed)
    os.execve(sys.executable, words, kept)  # noqa: S606 - a list, and no shell


def _start_beside(words: list[str], env: Mapping[str, str]) -> None:
    import subprocess  # noqa: PLC0415 - where we can fork, a hook does without

    apart = getattr(subprocess, "DETACHED_PROCESS", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    nothing = subprocess.DEVNULL
    subprocess.Popen(words, env=env, stdin=nothing, stdout=nothing, stderr=nothing, creationflags=apart)
