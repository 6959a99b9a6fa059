"""Scanning a Python tree against bandit on the same files: both as a whole command, and by the processor time they use.

A first scan, of which nothing is kept, and one of a tree that is as it was. Both programs run from compiled modules, as
installed ones do, whatever the environment says of writing them.

bandit is no dependency: it is installed once into the user's cache. Where that fails the part says so and is left out.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from shutil import copytree, ignore_patterns, rmtree

from benchmarks.measure import Ratio, in_turns, milliseconds

ROUNDS = 3
PACKAGES = ("asyncio", "email", "http", "json", "logging", "urllib", "xml", "unittest", "concurrent", "importlib")
INSTALL_SECONDS = 180


def measure() -> Iterator[Ratio]:
    bandit = _bandit()
    if bandit is None:
        print("scan: bandit can not be installed here, so there is nothing to compare with")
        return
    with tempfile.TemporaryDirectory() as folder:
        tree = _tree(Path(folder))
        ours = (sys.executable, "-m", "leeboard", "scan", str(tree), "--json")
        theirs = (str(bandit), "-q", "-r", str(tree), "-f", "json", "-o", os.devnull)
        kept = Path(folder, "kept")
        commands = {"first scan": ours, "scan again": ours, "bandit": theirs}
        runs = {name: _runner(command, folder, kept) for name, command in commands.items()}
        yield from _compared({**runs, "first scan": _forgetting(runs["first scan"], kept)}, _lines(tree))


def _compared(runs: dict[str, Callable[[], float]], lines: int) -> Iterator[Ratio]:
    spent: dict[str, list[float]] = {name: [] for name in runs}
    taken = in_turns({name: partial(_note, spent[name], run) for name, run in runs.items()}, ROUNDS)
    worked = {name: min(seconds) for name, seconds in spent.items()}
    for name in ("first scan", "scan again"):
        detail = f"{milliseconds(taken[name])} / {milliseconds(taken['bandit'])} for {lines} lines"
        ratio = taken[name] / taken["bandit"]
        yield Ratio(name=f"{name} / bandit, until it is done", ratio=ratio, aim=0.1, detail=detail)
        detail = f"{milliseconds(worked[name])} / {milliseconds(worked['bandit'])}"
        ratio = worked[name] / worked["bandit"]
        yield Ratio(name=f"{name} / bandit, processor time", ratio=ratio, aim=0.1, detail=detail)


def _note(seconds: list[float], run: Callable[[], float]) -> None:
    seconds.append(run())


def _forgetting(run: Callable[[], float], kept: Path) -> Callable[[], float]:
    """Nothing is known of the tree when it starts."""

    def anew() -> float:
        rmtree(kept, ignore_errors=True)
        return run()

    return anew


def _runner(command: tuple[str, ...], home: str, kept: Path) -> Callable[[], float]:
    """Runs it and tells the processor time it used, its processes included."""
    environment = os.environ | {
        "HOME": home,
        "LEEBOARD_CACHE_DIR": str(kept),
        "PYTHONPATH": str(Path(__file__).parents[1]),
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": f"{home}/compiled",
    }

    def run() -> float:
        before = _children()
        subprocess.run(command, env=environment, capture_output=True, check=False)
        return _children() - before

    return run


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _tree(folder: Path) -> Path:
    """A part of the standard library: the same everywhere, and written by many hands."""
    library = Path(sysconfig.get_paths()["stdlib"])
    for name in PACKAGES:
        copytree(library / name, folder / "tree" / name, ignore=ignore_patterns("__pycache__", "test*"))
    return folder / "tree"


def _lines(tree: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in tree.rglob("*.py"))


def _bandit() -> Path | None:
    """The command, installed into the cache where it is not there yet."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "leeboard-bench" / "bandit"
    command = cache / "bin" / "bandit"
    if command.exists():
        return command
    print(f"scan: installing bandit into {cache}")
    steps = ((sys.executable, "-m", "venv", str(cache)), (str(cache / "bin" / "pip"), "install", "-q", "bandit"))
    try:
        for step in steps:
            subprocess.run(step, capture_output=True, check=True, timeout=INSTALL_SECONDS)
    except (OSError, subprocess.SubprocessError):
        return None
    return command if command.exists() else None
