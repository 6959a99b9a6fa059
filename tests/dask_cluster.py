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


class Certificates:
    """An authority of its own and one certificate by it, made by openssl."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.authority, self.certificate, self.key = (folder / name for name in ("ca.pem", "own.pem", "own.key"))
        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
        lines = (
            ("req", "-x509", *curve, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=authority", "-days", "2"),
            ("req", *curve, "-keyout", "own.key", "-out", "own.csr", "-subj", "/CN=dask"),
            (*("x509", "-req", "-in", "own.csr", "-CA", "ca.pem", "-CAkey", "ca.key"), "-days", "2", "-out", "own.pem"),
        )
        for line in lines:
            subprocess.run(("openssl", *line), cwd=folder, check=True, capture_output=True)

    @property
    def options(self) -> tuple[str, ...]:
        files = {"ca-file": self.authority, "cert": self.certificate, "key": self.key}
        return ("--protocol", "tls", *(word for name, file in files.items() for word in (f"--tls-{name}", str(file))))

    @property
    def settings(self) -> dict[str, str]:
        """What a client says by Dask's own variables."""
        part = "DASK_DISTRIBUTED__COMM__TLS__"
        return {
            f"{part}CA_FILE": str(self.authority),
            f"{part}CLIENT__CERT": str(self.certificate),
            f"{part}CLIENT__KEY": str(self.key),
        }


class DaskCluster:
    def __init__(self, address: str, folder: Path, stack: ExitStack, tls: tuple[str, ...] = ()) -> None:
        self.address = address
        self.workers: dict[str, subprocess.Popen[str]] = {}
        """By their addresses."""
        self._folder, self._stack, self._tls = folder, stack, tls

    def add_worker(self, path: str = str(ROOT)) -> str:
        """Its address; `path` is where it finds Leeboard."""
        words = (*_WORKER, "--local-directory", str(self._folder / "scratch"), *self._tls)
        worker, told = _start("worker", self._folder, (self.address, *words), r"Start worker at: +(\S+)", path)
        self._stack.callback(end, worker)
        self.workers[told] = worker
        return told

    def kill_worker(self, address: str) -> None:
        end(self.workers.pop(address))


@contextmanager
def dask_cluster(folder: Path, workers: int = 2, *, certificates: Certificates | None = None) -> Iterator[DaskCluster]:
    """Encrypted where certificates are given: nobody without one of the same authority is let in."""
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        tls = certificates.options if certificates else ()
        words = ("--host", "127.0.0.1", "--port", "0", *_QUIET, *tls)
        scheduler, address = _start("scheduler", folder, words, r"Scheduler at: +(\S+)", str(ROOT))
        stack.callback(end, scheduler)
        cluster = DaskCluster(address, folder, stack, tls)
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
