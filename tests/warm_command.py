"""Commands and hooks without the wait for an interpreter: forked from a process that has loaded everything and done nothing.

Each is a process of its own, with its own stdin, stdout, stderr, folder, environment and exit code, as if it had been
started. What differs is that all modules are there already; where that is the subject, a test starts one itself.

`python -m tests.warm_command` is the process that waits. It speaks over the socket that is its stdin.
"""

from __future__ import annotations

import array
import atexit
import gc
import io
import json
import os
import posix
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import NoReturn

from leeboard.app.hook_origin import AGENT_MARKS
from leeboard.io.parents import GATE_MARK

ROOT = Path(__file__).resolve().parents[1]
MOST = 1 << 20
SECONDS = 60
_SHAPES_PYTHON = ("PYTHON", "LC_", "LANG", "TZ")
"""Beginnings of the names of variables by which an interpreter is another from its start."""
_LIKE_ANY_OTHER = {"PYTHONPATH"}
PLAIN = ("LC_ALL", "C")
"""Such an interpreter speaks UTF-8 as one does that is told nothing of a language."""
_SELDOM_LOADED = ("leeboard.surfaces.web", "leeboard.surfaces.proxy", "leeboard.app.proxy", "leeboard.testing")
"""The larger a process, the longer its fork takes."""


def can_be_warm(env: Mapping[str, str]) -> bool:
    """Whether an interpreter that was started with this environment would be as the one that waits.

    Who asks is known by the environment a process was started with too, and that of a fork is another.
    """
    tells = (*AGENT_MARKS, GATE_MARK)
    others = (name for name, value in env.items() if (name, value) != PLAIN and name not in _LIKE_ANY_OTHER)
    return not any(name.startswith(_SHAPES_PYTHON) or name in tells for name in others)


def run_command(
    words: tuple[str, ...], cwd: Path, env: Mapping[str, str], stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """`leeboard` with these words, as a process of its own; `env` is all of its environment."""
    if can_be_warm(env):
        return WARM.run("leeboard", words, stdin, cwd, env)
    line = (sys.executable, "-m", "leeboard", *words)
    return subprocess.run(line, input=stdin, cwd=cwd, env=env, capture_output=True, check=False, timeout=SECONDS)


class WarmCommands:
    """The door to the process that waits; it is started with the first command and ends with the tests."""

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        self._lock = threading.Lock()

    def run(
        self, program: str, words: tuple[str, ...], stdin: bytes, cwd: Path, env: Mapping[str, str]
    ) -> subprocess.CompletedProcess[bytes]:
        """`program` is `leeboard`, or the path of a script; what it said and how it ended."""
        pipes = [os.pipe() for _ in range(3)]
        ours, theirs = socket.socketpair()
        told = json.dumps([program, words, str(cwd), dict(env)]).encode("ascii")
        with ours, ours.makefile("rb") as heard:
            with theirs:
                self._ask(told, (pipes[0][0], pipes[1][1], pipes[2][1], theirs.fileno()))
            for end in (pipes[0][0], pipes[1][1], pipes[2][1]):
                os.close(end)
            process = int(heard.readline())
            try:
                out, err = _spoken(pipes[0][1], stdin, pipes[1][0], pipes[2][0])
            except TimeoutError as error:
                os.kill(process, signal.SIGKILL)
                raise subprocess.TimeoutExpired((program, *words), SECONDS) from error
            code = int(heard.readline())
        return subprocess.CompletedProcess((program, *words), code, out, err)

    def _ask(self, told: bytes, handed: tuple[int, ...]) -> None:
        with self._lock:
            if self._socket is None:
                self._socket = _start()
            self._socket.sendall(len(told).to_bytes(4, "big"))
            self._socket.sendall(told)
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", handed))]
            self._socket.sendmsg([b"."], rights)


def _start() -> socket.socket:
    ours, theirs = socket.socketpair()
    env = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen((sys.executable, "-m", "tests.warm_command"), stdin=theirs.fileno(), env=env, cwd=ROOT)
    theirs.close()

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def _spoken(to: int, stdin: bytes, *places: int) -> list[bytes]:
    """All that is said in these places, while all of `stdin` is told."""
    said = [io.BytesIO() for _ in places]
    open_ = dict(zip(places, said, strict=True))
    left = memoryview(stdin)
    os.set_blocking(to, False)
    writing = [to]
    if not left:
        os.close(writing.pop())
    latest = monotonic() + SECONDS
    while open_ or writing:
        readable, writable, _ = select.select(list(open_), writing, (), max(0.0, latest - monotonic()))
        if not readable and not writable:
            raise TimeoutError
        for place in readable:
            part = os.read(place, MOST)
            open_[place].write(part)
            if not part:
                os.close(place)
                del open_[place]
        if writable:
            try:
                left = left[os.write(to, left) :]
            except BrokenPipeError:
                left = left[:0]
            if not left:
                os.close(writing.pop())
    return [each.getvalue() for each in said]


WARM = WarmCommands()


# The process that waits.


def wait() -> None:
    _load()
    asking = socket.socket(fileno=os.dup(0))
    ended, tell = os.pipe()
    os.set_blocking(tell, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(tell)
    running: dict[int, socket.socket] = {}
    gc.collect()
    gc.freeze()
    while True:
        ready, _, _ = select.select((asking.fileno(), ended), (), ())
        if ended in ready:
            os.read(ended, MOST)
            _tell_ended(running)
        if asking.fileno() in ready:
            request = _received(asking)
            if request is None:
                return
            told, handed = request
            child = os.fork()
            if not child:
                signal.set_wakeup_fd(-1)
                for place in (asking.detach(), ended, tell, *(each.detach() for each in running.values())):
                    os.close(place)
                _become(json.loads(told), handed)
            for place in handed[:3]:
                os.close(place)
            running[child] = socket.socket(fileno=handed[3])
            running[child].sendall(f"{child}\n".encode("ascii"))


def _received(asking: socket.socket) -> tuple[bytes, list[int]] | None:
    """None when nobody is there any more."""
    head = asking.recv(4, socket.MSG_WAITALL)
    if len(head) < 4:
        return None
    told = asking.recv(int.from_bytes(head, "big"), socket.MSG_WAITALL)
    _, handed, _, _ = socket.recv_fds(asking, 1, 4)
    return told, handed


def _tell_ended(running: dict[int, socket.socket]) -> None:
    while running:
        child, status = os.waitpid(-1, os.WNOHANG)
        if not child:
            return
        with running.pop(child) as asked:
            asked.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode("ascii"))


def _load() -> None:
    """All that a command or a hook may load."""
    from importlib import import_module  # noqa: PLC0415 - the other side needs none of it

    for path in sorted((ROOT / "leeboard").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if not name.endswith(("__main__", "_worker")) and not name.startswith(_SELDOM_LOADED):
            import_module(name)
    for name in ("tomlkit", "ruamel.yaml", "ast_grep_py"):
        import_module(name)


def _become(told: tuple[str, list[str], str, dict[str, str]], handed: list[int]) -> NoReturn:
    """The command, in this process."""
    program, words, cwd, env = told
    os.close(handed[3])
    for place, number in zip(handed[:3], range(3), strict=True):
        os.dup2(place, number)
        os.close(place)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.chdir(cwd)
    posix.environ.clear()
    os.environ._data = posix.environ  # type: ignore[attr-defined] # what a hook takes out of one is gone from the other
    os.environ.update(env if "LC_ALL" in env else {"LC_CTYPE": "C.UTF-8", **env})
    sys.stdin = open(0, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115 - until it ends
    sys.stdout = open(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115 - as above
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False, buffering=1)  # noqa: SIM115 - as above
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr  # type: ignore[misc] # as at the start
    os._exit(_ended(program, words))


def _ended(program: str, words: list[str]) -> int:
    """The exit code an interpreter ends with."""
    code: object = 0
    try:
        if program == "leeboard":
            from leeboard.surfaces.cli.main import main  # noqa: PLC0415 - as above

            sys.argv = [str(ROOT / "leeboard" / "__main__.py"), *words]
            main()
        sys.argv = [program, *words]
        runpy.run_path(program, run_name="__main__")
    except SystemExit as end:
        code = end.code
    except BaseException:  # noqa: BLE001 - as an interpreter does
        sys.excepthook(*sys.exc_info())
        code = 1
    if code is not None and not isinstance(code, int):
        sys.stderr.write(f"{code}\n")
        code = 1
    threading._shutdown()  # type: ignore[attr-defined] # as an interpreter does
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
    except OSError:
        return 120
    return code or 0


if __name__ == "__main__":
    wait()
