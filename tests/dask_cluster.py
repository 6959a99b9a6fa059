"""A real Dask cluster for tests: a scheduler and workers, each a process of its own that can be killed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_QUIET = ("--no-dashboard",)
_WORKER = ("--no-nanny", "--nthreads", "1", "--memory-limit", "0", "--no-dashboard")


class DaskCluster:
    def __init__(self, address: str, folder: Path, stack: ExitStack) -> None:
        self.address = address
        self.workers: dict[str, subprocess.Popen[str]] = {}
        """By their addresses."""
        self._folder, self._stack = folder, stack

    def add_worker(self, path: str = str(ROOT)) -> str:
        """Its address; `path` is where it finds Leeboard."""
        words = (*_WORKER, "--local-directory", str(self._folder / "scratch"))
        worker, told = _start("worker", self._folder, (self.address, *words), r"Start worker at: +(\S+)", path)
        self._stack.callback(end, worker)
        self.workers[told] = worker
        return told

    def kill_worker(self, address: str) -> None:
        end(self.workers.pop(address))


@contextmanager
def dask_cluster(folder: Path, workers: int = 2) -> Iterator[DaskCluster]:
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        words = ("--host", "127.0.0.1", "--port", "0", *_QUIET)
        scheduler, address = _start("scheduler", folder, words, r"Scheduler at: +(\S+)", str(ROOT))
        stack.callback(end, scheduler)
        cluster = DaskCluster(address, folder, stack)
        for _ in range(workers):
            cluster.add_worker()
        yield cluster


def _start(part: str, folder: Path, words: tuple[str, ...], told: str, path: str) -> tuple[subprocess.Popen[str], str]:
    command = (sys.executable, "-m", f"distributed.cli.dask_{part}", *words)
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "PYTHONPATH": path,
        "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "info",
    }
    started = subprocess.Popen(command, cwd=folder, env=env, stderr=subprocess.PIPE, text=True)
    assert started.stderr is not None
    said = []
    for line in started.stderr:
        said.append(line)
        if found := re.search(told, line):
            return started, found[1]
    raise AssertionError(f"the {part} did not start: {''.join(said)}")


def end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    if process.stderr is not None:
        process.stderr.close()
