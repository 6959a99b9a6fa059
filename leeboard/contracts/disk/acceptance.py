"""Acceptance commands, really run: one after another in the work tree, each with a time limit of its own.

A command runs below a warden, in a session and a process group of its own. All that it started ends with it: at the
limit, at an interrupt, when the command has ended and left something behind, and when whoever runs it is killed. One
that kills its warden is known by the limit it was given. Only the end of the output is kept, redacted, as is the
command. A result belongs to the tree it was made on: it is kept with that tree's digest and counts for no other.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Iterable, Mapping

import msgspec

from leeboard.io import clock, system
from leeboard.io.file import read_regular, replace_file
from leeboard.io.parents import GATE_MARK, HIGHEST_LIMIT, limit_of
from leeboard.io.pipes import open_pipes
from leeboard.io.process import NOTHING, PIPE, SAME, Process, Streams, kill_group, our_python, shell_line, start, wait
from leeboard.io.warden import pids
from leeboard.model.touch import AcceptanceRun
from leeboard.secrets.redaction import redact

SECONDS = 600.0
TAIL_BYTES = 4_096
_DRAIN_SECONDS = 1.0
"""How long output is waited for that a process which was left behind may still write."""
_MOST_KEPT = 100
_MOST_BYTES = 16 << 20
_WARDEN = "from leeboard.io.warden import main; main()"
_ENDS_SECONDS = 5.0
"""How long a warden may take to end what a command has left behind."""
_RAW_TAIL = 4 * TAIL_BYTES
"""Redacted before it is cut: half a secret would not be known as one."""


def run_commands(
    commands: Iterable[str], root: str, tree: str, seconds: float = SECONDS, began: Callable[[str], None] | None = None
) -> tuple[AcceptanceRun, ...]:
    """Each command's run. `began` hears of each before it starts."""
    runs: list[AcceptanceRun] = []
    for command in commands:
        if began is not None:
            began(command)
        runs.append(run_one(command, root, tree, seconds))
    return tuple(runs)


def run_one(command: str, root: str, tree: str, seconds: float = SECONDS) -> AcceptanceRun:
    began_at, limit = clock.monotonic(), _new_limit()
    try:
        process = _started(command, root, limit)
    except (OSError, ValueError) as error:
        return AcceptanceRun(command=command, passed=False, tree=tree, tail=f"could not be started: {error}")
    with process:
        try:
            output = _watched(process, began_at + seconds)
            code = process.poll()
        finally:
            _end(process)
            _end_all_with(limit)
    took = clock.monotonic() - began_at
    tail = redact(output.decode("utf-8", "replace"))[-TAIL_BYTES:]
    if code is None:
        tail = f"{tail}\nkilled after {seconds:g} s"
    return AcceptanceRun(command=command, passed=code == 0, tree=tree, code=code, seconds=round(took, 3), tail=tail)


def _started(command: str, root: str, limit: int) -> Process:
    """Below a warden, where there can be one; else by itself, and then what it starts and lets go of outlives it."""
    env = _environment(os.environ)
    if system.HAS_FORK:
        return start(our_python(_WARDEN, str(limit), command), root, env, Streams(PIPE, PIPE, SAME))
    return start(shell_line(command, system.OURS, env), root, env, Streams(NOTHING, PIPE, SAME))


def _end(process: Process) -> None:
    """The warden ends all that is left when nobody holds its input any more; then itself."""
    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.close()
        wait(process, _ENDS_SECONDS)
    kill_group(process)


def _new_limit() -> int:
    """One that no other command has. A command below another one can only lower what it was given."""
    top = limit_of(os.getpid()) or HIGHEST_LIMIT
    return top // 2 + int.from_bytes(os.urandom(8), "big") % (top // 2)


def _end_all_with(limit: int) -> None:
    """What the warden has not ended since it was killed first. What was killed forks no more."""
    found: set[int] = set()
    while left := {pid for pid in pids() if limit_of(pid) == limit} - found:
        for pid in left:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        found |= left


def _environment(env: Mapping[str, str]) -> dict[str, str]:
    """Inside a git hook, GIT_DIR and its like would send every git of a test suite into the wrong repository. The mark
    says whose command it is: nothing below it decides for a person.
    """
    return {name: value for name, value in env.items() if not name.startswith("GIT_")} | {GATE_MARK: "1"}


def _watched(process: Process, deadline: float) -> bytes:
    """The end of its output, read until it ends or its time is over."""
    assert process.stdout is not None  # noqa: S101 - it was asked for
    tail = b""
    with contextlib.closing(open_pipes()) as pipes:
        pipes.add(("", "out"), process.stdout)
        while (now := clock.monotonic()) < deadline:
            if came := pipes.read(min(0.1, deadline - now)):
                tail = (tail + b"".join(chunk for _, chunk in came))[-_RAW_TAIL:]
                if not pipes.names():
                    wait(process, deadline - clock.monotonic())  # it has closed its output; that is not yet its end
                    break
            elif process.poll() is not None:
                deadline = min(deadline, now + _DRAIN_SECONDS)
    return tail


class _Kept(msgspec.Struct, frozen=True, kw_only=True):
    schema: int = 1
    runs: tuple[AcceptanceRun, ...] = ()


def known_runs(path: str, commands: Iterable[str], tree: str) -> tuple[AcceptanceRun, ...]:
    """What was run over exactly this tree. What can not be read is as good as not run."""
    wanted = {redact(command): command for command in commands}
    runs = (run for run in _read(path).runs if run.tree == tree and run.command in wanted)
    return tuple(msgspec.structs.replace(run, command=wanted[run.command]) for run in runs)


def keep_runs(path: str, runs: Iterable[AcceptanceRun]) -> None:
    """Keep the newest run of each command, beside those of others."""
    kept_words = (msgspec.structs.replace(run, command=redact(run.command)) for run in runs)
    new = {run.command: run for run in kept_words}
    old = [run for run in _read(path).runs if run.command not in new]
    kept = _Kept(runs=tuple((*old, *new.values())[-_MOST_KEPT:]))
    replace_file(path, msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")


def _read(path: str) -> _Kept:
    try:
        return msgspec.json.decode(read_regular(path, _MOST_BYTES), type=_Kept)
    except (OSError, ValueError, RecursionError):
        return _Kept()
