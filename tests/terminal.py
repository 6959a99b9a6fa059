"""A terminal for the tests: people decide in one, and on a build server there is none.

The process of the tests gets one that controls it, and what it starts has the same. Nobody types into it.
"""

from __future__ import annotations

import fcntl
import os
import pty
import subprocess
import sys
import termios
from collections.abc import Mapping
from pathlib import Path

_SITTING = """
import fcntl, os, sys, termios
os.setsid()
fcntl.ioctl(os.open(sys.argv[1], os.O_RDWR), termios.TIOCSCTTY, 0)
os.execvp(sys.argv[2], sys.argv[2:])
"""


def sit_down() -> None:
    """Take a terminal for this process, unless it has one."""
    if has_terminal():
        return
    if os.getpid() != os.getsid(0):
        _lead_a_session()
    _, terminal = pty.openpty()  # open for as long as this process lives
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)


def has_terminal() -> bool:
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY))
    except OSError:
        return False
    return True


def _lead_a_session() -> None:
    try:
        os.setsid()
    except PermissionError:  # a shell made it the leader of a group: such a one can not, its child can
        child = os.fork()
        if child:
            _, status = os.waitpid(child, 0)
            os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
        os.setsid()


def at_terminal(
    words: tuple[str, ...], env: Mapping[str, str], cwd: Path, stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Run in a session of its own with a terminal of its own, as a window that somebody opened."""
    master, terminal = pty.openpty()
    try:
        command = (sys.executable, "-c", _SITTING, os.ttyname(terminal), *words)
        return subprocess.run(
            command, input=stdin, env=dict(env), cwd=cwd, capture_output=True, check=False, timeout=60
        )
    finally:
        os.close(terminal)
        os.close(master)
