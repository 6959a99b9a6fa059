"""A process in which nothing is there that only POSIX systems have.

`python -m tests.without_posix import|hook|ask|cli|gate ...` runs one.

It is Linux all the same: names of files, and what the system's calls do, are not those of Windows. `msvcrt`, which Linux
does not have, stands on a lock of the same byte.
"""

from __future__ import annotations

import _socket
import asyncio.subprocess  # noqa: F401 - the standard library is loaded before anything is hidden from it
import ctypes  # noqa: F401 - as above
import email.message  # noqa: F401 - as above
import errno
import fcntl
import http.server  # noqa: F401 - as above
import importlib.resources  # noqa: F401 - as above
import multiprocessing  # noqa: F401 - as above
import os
import pkgutil
import platform  # noqa: F401 - as above
import shutil  # noqa: F401 - as above
import signal
import socket
import sqlite3  # noqa: F401 - as above
import subprocess  # noqa: F401 - as above
import sys
import tempfile  # noqa: F401 - as above
import types
import urllib.request  # noqa: F401 - as above
import uuid  # noqa: F401 - as above
import xml.etree.ElementTree as ET  # noqa: F401 - as above
from collections.abc import Callable
from importlib import import_module

import ast_grep_py  # noqa: F401 - as above
import click  # noqa: F401 - as above
import msgspec  # noqa: F401 - as above
import pathspec  # noqa: F401 - as above
import ruamel.yaml  # noqa: F401 - as above
import tomlkit  # noqa: F401 - as above

MODULES = "fcntl posix pwd grp termios resource tty pty syslog readline".split()
NAMES = {
    os: "fork getuid geteuid getgid setsid setpgid getpgrp killpg fchmod nice pwrite pread uname sched_getaffinity sysconf"
    " environb O_NONBLOCK O_NOFOLLOW O_CLOEXEC O_NOCTTY O_DIRECTORY mkfifo WNOHANG",
    socket: "AF_UNIX SO_PEERCRED",
    _socket: "AF_UNIX SO_PEERCRED",
    signal: "SIGKILL SIGALRM alarm setitimer SIGCHLD SIGHUP SIGQUIT SIGUSR1 SIGSTOP SIGCONT SIGPIPE pthread_sigmask",
}
NOT_IMPORTED = ("leeboard.surfaces.web", "leeboard.__main__")
"""What an extra brings along, and what runs when it is imported."""


def _locking(file: int, mode: int, length: int) -> None:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | (fcntl.LOCK_NB if mode == 2 else 0), length, 0, os.SEEK_CUR)
    except OSError as error:
        raise OSError(errno.EACCES, "Permission denied") from error


BY_FOLDER = "open stat unlink mkdir rename rmdir link symlink readlink access utime chmod".split()
"""What only POSIX systems do relative to an open folder."""


def _without_folders(call: Callable[..., object]) -> Callable[..., object]:
    def instead(*given: object, **named: object) -> object:
        if any(named.get(name) is not None for name in ("dir_fd", "src_dir_fd", "dst_dir_fd")):
            raise NotImplementedError("dir_fd unavailable on this platform")
        return call(*given, **{name: value for name, value in named.items() if not name.endswith("dir_fd")})

    return instead


def hide(*kept: str) -> None:
    for name in BY_FOLDER:
        setattr(os, name, _without_folders(getattr(os, name)))
    windows = types.ModuleType("msvcrt")
    windows.__dict__.update(LK_NBLCK=2, LK_LOCK=1, locking=_locking)
    sys.modules["msvcrt"] = windows
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment] # the mark of what is not there
    for module, names in NAMES.items():
        for name in names.split():
            if hasattr(module, name) and name not in kept:
                delattr(module, name)


def import_all() -> list[str]:
    """What can not be imported, and why."""
    import leeboard  # noqa: PLC0415 - after all was hidden

    failed = []
    for found in pkgutil.walk_packages(leeboard.__path__, "leeboard."):
        if found.name.startswith(NOT_IMPORTED):
            continue
        try:
            import_module(found.name)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told
            failed.append(f"{found.name}: {error!r}")
    return failed


def ask(payload: bytes) -> bytes:
    """What the resident alone says to a hook; a hook that finds none would judge by itself."""
    client = import_module("leeboard.surfaces.hook_client")
    env = {os.fsencode(name): os.fsencode(value) for name, value in os.environ.items()}
    answer: bytes | None = client._ask(client.socket_path(env), env, payload, client.SECONDS)
    return b"nobody" if answer is None else answer


def main() -> None:
    part, *words = sys.argv[1:]
    # What waits for a program and ends it is the standard library's, which needs these two on Linux.
    hide(*("WNOHANG", "SIGKILL") if part in {"gate", "hook"} else ())
    if part == "import":
        sys.stdout.write("\n".join(import_all()))
    elif part == "gate":
        ended = import_module("leeboard.contracts.disk.acceptance").run_one(words[0], ".", "", float(words[1]))
        sys.stdout.write(f"{ended.code} {ended.tail}")
    elif part == "ask":
        sys.stdout.buffer.write(ask(sys.stdin.buffer.read()))
    elif part == "cli":
        sys.argv[1:] = words
        import_module("leeboard.surfaces.cli.main").main()
    else:
        sys.argv[1:] = words
        import_module(f"leeboard.surfaces.{part}").main()


if __name__ == "__main__":
    main()
