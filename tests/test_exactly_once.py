"""Monitor and redirect killed at any instant: nothing is lost, nothing is done twice.

Each part is compared with the same work undisturbed. The folder lies in memory where the machine has one, because a
kill does not care for the disk and hundreds of flushes do.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.killed_work import TASKS

ROOT = Path(__file__).resolve().parent.parent
MEMORY = Path("/dev/shm")
WALL_CLOCK = {"last_interaction_at", "created_at", "inode"}
STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
KILLS = int(os.environ.get("LEEBOARD_WORK_KILLS", "60"))
"""At random moments, of each part; `make kills` has it often. Those after each change are counted by nobody: it is all."""


@pytest.fixture
def folder() -> Iterator[Path]:
    place = str(MEMORY) if os.access(MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=place) as made:
        yield Path(made)


def ran(part: str, folder: Path, kills: int = 0) -> dict[str, int]:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "WG_", "LEEBOARD_"))}
    env |= {"HOME": str(folder / "home"), "XDG_STATE_HOME": str(folder / "home"), "PYTHONPATH": str(ROOT)}
    (folder / "home").mkdir()
    command = [sys.executable, "-m", "tests.killed_work", part, str(folder), "1", str(kills)]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    counted: dict[str, int] = json.loads(done.stdout)
    return counted


def lines(path: Path) -> list[dict[str, Any]]:
    """Every one of them whole, but for notes of people."""
    return [json.loads(line) for line in path.read_text().splitlines() if not line.startswith("#")]


def timeless(found: Any) -> Any:
    """Without what the clock of the run says."""
    if isinstance(found, dict):
        return {name: timeless(value) for name, value in found.items() if name not in WALL_CLOCK}
    return [timeless(one) for one in found] if isinstance(found, list) else found


def left(root: Path) -> Any:
    """What a redirect leaves: every task of the graph with its log, and what is remembered."""
    store = root / ".workgraph"
    state = json.loads((store / ".speedrift" / "state.json").read_text())
    return timeless([lines(store / "graph.jsonl"), state])


def said(root: Path) -> list[tuple[object, ...]]:
    """What a monitor leaves; half a line of one that was killed is ended by the next."""
    found: list[tuple[object, ...]] = []
    for line in (root / ".workgraph" / ".speedrift" / "events.jsonl").read_text().splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            continue
        kinds = [one["kind"] for one in event["findings"]]
        found.append((event["task_id"], event["score"], kinds, event["tree"], event["base_commit"]))
    return found


def undated(found: Any) -> Any:
    """For two runs that saw the same at different times; offsets and ids are of their own events."""
    tasks, state = json.loads(STAMP.sub("then", json.dumps(found)))
    kept = {name: task | {"counted_at": 0} for name, task in state["tasks"].items()}
    return tasks, kept


def assert_well(root: Path) -> None:
    """What must hold however it came about."""
    tasks = lines(root / ".workgraph" / "graph.jsonl")
    ids = [task["id"] for task in tasks]
    assert len(ids) == len(set(ids))
    assert {"drift-scope-one", "speedrift-pit-one", "speedrift-pit-two"} <= set(ids)
    for task in tasks:
        stamps = [entry["timestamp"] for entry in task.get("log", [])]
        assert len(stamps) == len(set(stamps))
    third = next(line for line in (root / ".workgraph" / "graph.jsonl").read_text().splitlines() if '"three"' in line)
    assert third == json.dumps(TASKS[2])


def test_both_killed_at_random_while_the_work_goes_on(folder: Path) -> None:
    met = ran("disturbed", folder, KILLS)
    assert met["monitor"] >= KILLS
    whole, torn = folder / "undisturbed", folder / "disturbed"
    assert said(torn) == said(whole)
    assert undated(left(torn)) == undated(left(whole))
    assert_well(torn)


def test_redirect_killed_at_random_over_waiting_events(folder: Path) -> None:
    met = ran("consumed", folder, KILLS)
    assert met["redirect"] >= KILLS
    expected = left(folder / "undisturbed")
    for number in range(1, met["runs"] + 1):
        place = folder / f"disturbed-{number}"
        assert left(place) == expected
        assert_well(place)


def test_redirect_crashed_at_every_call_that_changes_something(folder: Path) -> None:
    points = ran("every_call_of_redirect", folder)["redirect"]
    assert points > 100
    expected = left(folder / "undisturbed")
    assert all(left(folder / f"disturbed-{number}") == expected for number in range(1, points + 1))


def test_monitor_crashed_at_every_call_that_changes_something(folder: Path) -> None:
    points = ran("every_call_of_monitor", folder)["monitor"]
    assert points > 2
    expected = said(folder / "undisturbed")
    assert all(said(folder / f"disturbed-{number}") == expected for number in range(1, points + 1))
