"""Ratios that hold on a busy machine: the parts of a comparison take turns, and medians are compared."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "leeboard-bench")
"""Where programs lie that others wrote and that we are compared with."""


class Ratio(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    ratio: float
    aim: float
    detail: str = ""

    @property
    def line(self) -> str:
        met = "ok" if self.ratio <= self.aim else "miss"
        return f"{self.name:<58} {self.ratio:>9.2f}   aim <= {self.aim:<8g} {met:<5} {self.detail}".rstrip()


def in_turns(
    parts: Mapping[str, Callable[[], object]],
    rounds: int,
    pick: Callable[[list[float]], float] = statistics.median,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """Median seconds of each part, or whichever `pick` takes, by that clock; the first round only warms up."""
    taken: dict[str, list[float]] = {name: [] for name in parts}
    for _ in range(rounds + 1):
        for name, run in parts.items():
            began = clock()
            run()
            taken[name].append(clock() - began)
    return {name: pick(seconds[1:]) for name, seconds in taken.items()}


def processor_time() -> float:
    """What this process and those it waited for have used until now, whoever else is at work on the machine."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def processor_seconds(command: tuple[str, ...], payload: bytes, env: Mapping[str, str]) -> float:
    """Of a process and all that it waited for, whoever else is at work on the machine."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, env=env, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdin, process.stdout:
        process.stdin.write(payload)
        process.stdin.close()
        process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime


def used_by(process: subprocess.Popen[bytes]) -> float:
    """Seconds of processor time that a process has had, as finely as the system tells: hundredths of a second."""
    fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def installed(package: str, program: str) -> str:
    """A program in an environment of its own, built where it is missing; empty where that is not possible."""
    place = CACHE / program
    build = (sys.executable, "-m", "venv", str(place))
    install = (str(place / "bin" / "pip"), "install", "-q", "--disable-pip-version-check", package)
    return _found(place / "bin" / program, package, build, install)


def installed_by_npm(package: str) -> str:
    """The same for a package of npm that has a program of its own name."""
    install = ("npm", "install", "--prefix", str(CACHE / package), "--no-audit", "--no-fund", package)
    return _found(CACHE / package / "node_modules" / ".bin" / package, package, install)


def _found(program: Path, package: str, *lines: tuple[str, ...]) -> str:
    if not program.exists():
        print(f"installing {package} into {CACHE}", flush=True)
        try:
            for line in lines:
                subprocess.run(line, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            print(f"{package} can not be installed: it is left out", flush=True)
    return str(program) if program.exists() else ""


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms"
