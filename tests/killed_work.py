"""Monitor and redirect killed in the middle of their work, and the same work undisturbed. Run as a program.

The commands run in children of a process that has everything loaded already, so that a kill costs milliseconds and
falls into the work, not into the start of an interpreter. `python -m tests.killed_work PART FOLDER SEED` does one part
below a folder and prints what happened as JSON; what is left on the disk is for the caller to look at.
"""

from __future__ import annotations

import fcntl
import itertools
import json
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from leeboard.surfaces.cli.main import run
from tests.git_repository import ENVIRONMENT, GitRepository

CONTRACT = '```wg-contract\nschema = 1\nmode = "core"\ntouch = ["src/**"]\npit_stop_after = 2\n```\n\nDo it well.'
TASKS: list[dict[str, object]] = [
    {"kind": "task", "id": "one", "title": "Do it", "description": CONTRACT, "status": "in-progress", "unknown": [1]},
    {"kind": "task", "id": "two", "title": "Do more", "description": "No contract.", "status": "in-progress"},
    {"kind": "task", "id": "three", "title": "Later", "description": "", "status": "open", "x": {"y": None}},
]
STEPS = 12
CRASHED = 9
LOOK, ACT = ["monitor", "--once", "--json"], ["redirect", "--once", "--json"]


def work_tree(folder: Path) -> GitRepository:
    repository = GitRepository(folder)
    repository.write("src/a.py", "first = 1\n")
    repository.write(".gitignore", ".workgraph/\n")
    repository.commit("begin", at="2026-01-01T00:00:00Z")
    graph = "".join(json.dumps(task) + "\n" for task in TASKS)
    repository.write(".workgraph/graph.jsonl", "# by hand\n" + graph)
    return repository


def change(repository: GitRepository, number: int) -> None:
    """One step of the work: the same for the same number, whoever takes it."""
    match number % 6:
        case 0:
            repository.write("src/a.py", f"first = {number}\n")
        case 1 | 2:
            repository.write(f"docs/{number}.md", f"beyond the contract {number}\n")
        case 3:
            repository.commit(f"step {number}", at=f"2026-01-02T00:{number:02d}:00Z")
        case 4:
            repository.write(f"docs/{number}.md", "more of it\n")
        case _:
            shutil.rmtree(repository.path / "docs")


def started(root: Path, words: list[str], prepare: Callable[[], None] = lambda: None) -> int:
    """A child that runs one command in a work tree; its process id."""
    child = os.fork()
    if child:
        return child
    code = 99
    try:
        os.chdir(root)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (1, 2):
            os.dup2(nowhere, stream)
        prepare()
        code = run(words)
    finally:
        os._exit(code)


def ended(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def finished(root: Path, words: list[str]) -> float:
    """Let it end by itself; how long it took."""
    began = time.monotonic()
    code = ended(started(root, words))
    assert code == 0, f"{words} ended with {code}"
    return time.monotonic() - began


def killed(root: Path, words: list[str], seconds: float) -> bool:
    """Whether the kill met it at work."""
    child = started(root, words)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    return ended(child) == -signal.SIGKILL


def undisturbed(folder: Path) -> tuple[float, float]:
    """Every step of the work looked at and acted on; the longest that each took."""
    repository = work_tree(folder)
    looks, acts = [], []
    for number in range(STEPS):
        change(repository, number)
        looks.append(finished(folder, LOOK))
        acts.append(finished(folder, ACT))
    return max(looks), max(acts)


def disturbed(folder: Path, dice: random.Random, kills: int) -> dict[str, Any]:
    """The same steps, with a monitor and a redirect killed several times in each, now one and now both at once."""
    look, act = undisturbed(folder / "undisturbed")
    repository = work_tree(folder / "disturbed")
    met = {"monitor": 0, "redirect": 0}
    for number in range(STEPS):
        change(repository, number)
        tries = 0
        while met["monitor"] < kills * (number + 1) // STEPS:
            tries += 1
            assert tries < 20 * kills, "no kill meets it at work"
            other = started(repository.path, ACT) if dice.random() < 0.5 else 0
            met["monitor"] += killed(repository.path, LOOK, dice.uniform(0, look * 1.1))
            if other:
                os.kill(other, signal.SIGKILL)
                met["redirect"] += ended(other) == -signal.SIGKILL
            met["redirect"] += killed(repository.path, ACT, dice.uniform(0, act * 1.1))
        finished(repository.path, LOOK)
        finished(repository.path, ACT)
    return met


def events_alone(folder: Path) -> Path:
    """A work tree whose events wait to be acted on."""
    repository = work_tree(folder / "waiting")
    for number in range(STEPS):
        change(repository, number)
        finished(repository.path, LOOK)
    return repository.path


def copied(source: Path, place: Path) -> Path:
    shutil.copytree(source, place, ignore=shutil.ignore_patterns("hooks"), symlinks=True)
    return place


def consumed(folder: Path, dice: random.Random, kills: int) -> dict[str, Any]:
    """One file of events acted on over and over, each time from its beginning, with a kill every few milliseconds."""
    source = events_alone(folder)
    took = finished(copied(source, folder / "undisturbed"), ACT)
    met, runs = 0, 0
    while met < kills:
        runs += 1
        place = copied(source, folder / f"disturbed-{runs}")
        while killed(place, ACT, dice.uniform(0, took * 0.7)):
            met += 1
            assert met < 100 * kills, "it never gets anywhere"
        finished(place, ACT)
    return {"redirect": met, "runs": runs}


def crash_at(number: int, names: tuple[str, ...]) -> Callable[[], None]:
    """Makes the process end at its n-th call of these; of a write half is done by then."""
    calls = itertools.count(1)

    def crashing(call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **options: Any) -> Any:
            if next(calls) == number:
                if call is write:
                    write(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
                os._exit(CRASHED)
            return call(*arguments, **options)

        return counted

    write = os.write

    def prepare() -> None:
        for name in names:
            setattr(os, name, crashing(getattr(os, name)))
        fcntl.flock = crashing(fcntl.flock)

    return prepare


def crashed_everywhere(folder: Path, words: list[str], source: Path, names: tuple[str, ...]) -> int:
    """One run for each call at which it could end; how many there are."""
    finished(copied(source, folder / "undisturbed"), words)
    for number in itertools.count(1):
        place = copied(source, folder / f"disturbed-{number}")
        code = ended(started(place, words, crash_at(number, names)))
        if code == 0:
            return number - 1
        assert code == CRASHED, f"{words} ended with {code} at call {number}"
        finished(place, words)
    raise AssertionError("unreachable")


def every_call_of_redirect(folder: Path, _dice: random.Random, _kills: int) -> dict[str, Any]:
    source = events_alone(folder)
    events = source / ".workgraph" / ".speedrift" / "events.jsonl"
    events.write_bytes(b"".join(events.read_bytes().splitlines(keepends=True)[:7]))
    names = ("write", "fsync", "replace", "rename", "unlink", "fchmod", "mkdir", "close")
    return {"redirect": crashed_everywhere(folder, ACT, source, names)}


def every_call_of_monitor(folder: Path, _dice: random.Random, _kills: int) -> dict[str, Any]:
    """Only of what it writes with: the programs it asks are nobody's to crash."""
    repository = work_tree(folder / "waiting")
    change(repository, 1)
    return {"monitor": crashed_everywhere(folder, LOOK, repository.path, ("write", "fsync", "mkdir"))}


def warm_up(folder: Path) -> None:
    """Do all of it once in this very process: what was loaded for it is there in every child."""
    repository = work_tree(folder)
    before, stdout = Path.cwd(), sys.stdout
    os.chdir(repository.path)
    with open(os.devnull, "w") as sys.stdout:  # noqa: PTH123 - of this short time
        for words in (LOOK, ACT, ACT):
            assert run(words) == 0
    sys.stdout = stdout
    os.chdir(before)


PARTS = {
    "disturbed": disturbed,
    "consumed": consumed,
    "every_call_of_redirect": every_call_of_redirect,
    "every_call_of_monitor": every_call_of_monitor,
}

if __name__ == "__main__":
    part, place, seed, kills = sys.argv[1:]
    os.environ.update(ENVIRONMENT)
    warm_up(Path(place) / "warm")
    sys.stdout.write(json.dumps(PARTS[part](Path(place), random.Random(seed), int(kills))))
