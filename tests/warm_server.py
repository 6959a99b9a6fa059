"""The MCP server without the wait for its start: forked from a process that has loaded everything and done nothing.

`python -m tests.warm_server wait SOCKET` is that process, until its stdin ends. `python -I -S tests/warm_server.py take SOCKET PID_FILE` is
what a client starts: it hands its own stdin, stdout and environment over to a new fork, which is the server and writes
down whom to kill, and ends with it. With `DIE_AFTER` in the environment the server kills itself after so many changes.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from socket import socket

MOST = 65536
DIE_AFTER = "DIE_AFTER"


def take(path: str, pid_file: str) -> None:
    """Imports next to nothing: it is started hundreds of times."""
    import _socket  # noqa: PLC0415 - as above
    from array import array  # noqa: PLC0415 - as above

    own = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    own.connect(path)
    here = os.getcwd()  # noqa: PTH109 - without pathlib
    words = "\0".join((pid_file, here, *(f"{name}={value}" for name, value in os.environ.items()))).encode()
    own.sendmsg([words + b"\0\0"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, array("i", (0, 1)))])
    own.recv(1)  # ends when whoever has the other end is gone


def wait(path: str) -> None:
    from select import select  # noqa: PLC0415 - the other one has no time for it
    from socket import AF_UNIX, SOCK_STREAM, recv_fds, socket  # noqa: PLC0415 - as above

    _load()
    with socket(AF_UNIX, SOCK_STREAM) as listening:
        listening.bind(path)
        listening.listen()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while sys.stdin not in select((sys.stdin, listening), (), ())[0]:  # whoever wanted it is there
            client, _ = listening.accept()
            words, pipes, _, _ = recv_fds(client, MOST, 2)
            while not words.endswith(b"\0\0"):
                words += client.recv(MOST)
            _fork(client, listening, pipes, words.decode().rstrip("\0").split("\0"))


def _load() -> None:
    """All that a call would load."""
    from importlib import import_module  # noqa: PLC0415 - as above

    for name in (
        "ruamel.yaml",
        *(f"leeboard.surfaces.mcp.{name}" for name in ("calls", "handlers", "server", "tools")),
    ):
        import_module(name)
    for name in ("leeboard.plan.machine.table", "tests.killed_plan"):
        import_module(name)


def _fork(client: socket, listening: socket, pipes: list[int], words: list[str]) -> None:
    for _ in range(2):  # those that ended since; until then nobody else gets their number
        try:
            os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            break
    child = os.fork()
    if not child:
        listening.close()
        _serve(pipes, words)
    client.close()
    for pipe in pipes:
        os.close(pipe)


def _serve(pipes: list[int], words: list[str]) -> None:
    from pathlib import Path  # noqa: PLC0415 - as above

    from leeboard.surfaces.mcp.server import serve  # noqa: PLC0415 - as above
    from tests.killed_plan import die_after  # noqa: PLC0415 - as above

    for pipe, place in zip(pipes, (0, 1), strict=True):
        os.dup2(pipe, place)
        os.close(pipe)
    pid_file, here, *environment = words
    Path(pid_file).write_text(str(os.getpid()), encoding="ascii")
    os.chdir(here)
    os.environ.clear()
    os.environ.update({name: value for name, _, value in (word.partition("=") for word in environment)})
    if DIE_AFTER in os.environ:
        die_after(int(os.environ[DIE_AFTER]))
    try:
        serve()
    finally:
        os._exit(0)


if __name__ == "__main__":
    if sys.argv[1] == "wait":
        wait(sys.argv[2])
    else:
        take(sys.argv[2], sys.argv[3])
