"""The one place where another program is started and waited for.

Each gets a session and so a process group of its own, and no open file but those it is handed: no lock of ours outlives
us in somebody else's hands. At its time limit, or when it has printed too much, the whole group is killed.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import IO

import msgspec

from leeboard.io import system
from leeboard.io.pipes import open_pipes
from leeboard.model.workspace import System

MOST = 256 << 20
_KILLS_SECONDS = 10.0
_WINDOWS = r"C:\Windows"

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
        start_new_session=system.HAS_FORK,
        close_fds=True,
        pass_fds=held if system.HAS_FORK else (),
    )


def start_in_front(words: Sequence[str], env: Mapping[str, str]) -> Process:
    """Where we are: in our folder, terminal and process group, as if it had been started instead of us."""
    return subprocess.Popen(words, env=env, close_fds=True)


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


def ask_server(
    words: Sequence[str], cwd: str, env: Mapping[str, str], given: bytes, answered: bytes, seconds: float
) -> bytes:
    """What a program prints that answers on its stdin and ends with it, up to the line with `answered`; empty where
    none came in time. OSError or ValueError where it can not be started.
    """
    process = start(words, cwd, env, Streams(read=PIPE, said=NOTHING))
    until, printed = time.monotonic() + seconds, b""
    try:
        if process.stdin is None or process.stdout is None:
            return b""
        process.stdin.write(given)
        process.stdin.flush()
        with closing(open_pipes()) as pipes:
            pipes.add(("", "out"), process.stdout)
            while part := b"".join(part for _, part in pipes.read(until - time.monotonic())):
                printed += part
                found = printed.find(answered)
                if found >= 0 and printed.find(b"\n", found) >= 0:
                    return printed
                if len(printed) > MOST:
                    break
        return b""
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
    except AttributeError:  # not every system has groups
        _kill_tree(process)
    except (ProcessLookupError, PermissionError):
        if process.poll() is None:
            process.kill()


def _kill_tree(process: Process) -> None:
    """With what it started and still knows of; what was left behind by one that has ended is not found."""
    if process.poll() is not None:
        return
    if system.OURS == "windows":
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            words = tree_killer(process.pid, os.environ)
            subprocess.run(words, stdin=NOTHING, capture_output=True, timeout=_KILLS_SECONDS, check=False)
    process.kill()


def tree_killer(pid: int, env: Mapping[str, str]) -> tuple[str, ...]:
    """The words by which Windows ends a process with all below it, whatever folder they are said in."""
    return (f"{env.get('SYSTEMROOT', _WINDOWS)}\\System32\\taskkill.exe", "/F", "/T", "/PID", str(pid))


def shell_line(command: str, named: System, env: Mapping[str, str]) -> str | tuple[str, ...]:
    """What starts a line that somebody wrote for their shell: `sh`, on Windows `cmd`.

    With `/s`, `cmd` takes off the outer quotes and reads the rest as it stands, so it is one text there: words would be
    quoted for programs that read backslashes. It ends at a line's end, so lines are joined as they would follow.
    """
    if named == "posix":
        return ("/bin/sh", "-c", command)
    lines = (line.strip() for line in command.replace("\\\n", " ").splitlines())
    shell = env.get("COMSPEC") or f"{env.get('SYSTEMROOT', _WINDOWS)}\\System32\\cmd.exe"
    return f'"{shell}" /d /s /c "{" & ".join(filter(None, lines))}"'


def our_python(code: str, *arguments: str) -> tuple[str, ...]:
    """The words that run code of ours in this very interpreter and installation.

    Isolated: neither the folder it is started in, nor a variable, nor a start file there brings a module of its own.
    """
    path = [place for place in sys.path if os.path.isabs(place)]  # noqa: PTH117 - a list of names
    return (sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:] = {path!r}; {code}", *arguments)


def search_path(path: str, root: str = "") -> str:
    """A PATH without folders that are found from where a program runs, and without those of the repository."""
    kept = (folder for folder in path.split(os.pathsep) if os.path.isabs(folder))  # noqa: PTH117 - as above
    return os.pathsep.join(folder for folder in kept if not root or not f"{folder}/".startswith(f"{root}/"))


def _fed(given: bytes) -> IO[bytes]:
    """A file: a program that is not read yet can not keep one waiting that is still to be written to."""
    import tempfile  # noqa: PLC0415 - costs a hook process much, and few programs are told anything

    file = tempfile.TemporaryFile()  # noqa: SIM115 - whoever starts the program closes it
    file.write(given)
    file.seek(0)
    return file


def _watched(process: Process, until: float, most: int) -> ProcessResult:
    parts: dict[str, list[bytes]] = {"out": [], "err": []}
    printed = 0
    with closing(open_pipes()) as pipes:
        for name, pipe in (("out", process.stdout), ("err", process.stderr)):
            if pipe:
                pipes.add(("", name), pipe)
        while pipes.names():
            ready = pipes.read(until - time.monotonic())
            for (_, kind), part in ready:
                parts[kind].append(part)
                printed += len(part)
            if not ready or printed > most:
                return ProcessResult(code=None, err=b"".join(parts["err"]))
    code = wait(process, until - time.monotonic())
    return ProcessResult(code=code, out=b"".join(parts["out"]), err=b"".join(parts["err"]))


_DUMPABLE = 4
"""`PR_SET_DUMPABLE` of Linux."""


def hide_memory() -> None:
    """From now on no other process of this user can look into this one's memory; where the system has a way to."""
    import ctypes  # noqa: PLC0415 - for a server alone, and expensive

    library = ctypes.CDLL(None)
    if hasattr(library, "prctl"):
        library.prctl(_DUMPABLE, 0, 0, 0, 0)


def known_signals(*names: str) -> tuple[signal.Signals, ...]:
    """Those of them that this system has: Windows knows few."""
    return tuple(getattr(signal, name) for name in names if hasattr(signal, name))
