"""Both together, as processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from leeboard.io import clock
from tests.killed_work import work_tree
from tests.surfaces.cli.conftest import COMMAND

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk

WATCH = [*COMMAND, "steer-tree", "--watch", "--json", "--task", "one", "--interval", "1", "--redirect-interval", "0.1"]


@pytest.fixture
def working(desk: Desk) -> Desk:
    work_tree(desk.repo)
    (desk.repo / "beyond.md").write_text("x")
    return desk


def graph(desk: Desk) -> str:
    return (desk.repo / ".workgraph" / "graph.jsonl").read_text()


def watching(desk: Desk) -> subprocess.Popen[bytes]:
    """A watch that has acted on the first event, and whose next one is on its way."""
    process = subprocess.Popen(WATCH, cwd=desk.repo, env=desk.env, stdout=subprocess.PIPE)
    assert process.stdout
    event, acted = sorted((json.loads(process.stdout.readline()) for _ in range(2)), key=lambda one: "streak" in one)
    assert (event["kind"], acted["created"]) == ("drift_report", ["drift-scope-one"])
    return process


def children(process: subprocess.Popen[bytes]) -> dict[str, int]:
    found = {}
    for child in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
        words = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
        found["monitor" if b"monitor" in words else "redirect"] = int(child)
    return found


def has_ended(child: int) -> bool:
    """Within a time that no machine needs."""
    until = clock.monotonic() + 30
    while clock.monotonic() < until:
        try:
            if not Path(f"/proc/{child}/cmdline").read_bytes():
                return True
        except OSError:
            return True
    return False


def test_one_round_of_each(working: Desk) -> None:
    event, other, acted, second = working.ok("steer-tree", "--json").objects
    assert (event["kind"], other["kind"]) == ("drift_report", "drift_report")
    assert (acted["event_id"], second["event_id"]) == (event["event_id"], other["event_id"])
    assert acted["created"] == ["drift-scope-one"]
    assert working.ok("steer-tree").out == ""


def test_only_what_is_wanted(working: Desk) -> None:
    before = graph(working)
    assert working.ok("steer-tree", "--no-write-log", "--no-create-followups", "--task", "one").out
    assert graph(working) == before


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_a_signal_ends_both(working: Desk, number: signal.Signals, code: int) -> None:
    with watching(working) as process:
        both = children(process)
        assert set(both) == {"monitor", "redirect"}
        process.send_signal(number)
        assert process.wait(30) == code
    assert all(has_ended(child) for child in both.values())


@pytest.mark.parametrize(
    ("name", "number", "code"), [("monitor", signal.SIGTERM, 0), ("redirect", signal.SIGKILL, 137)]
)
def test_when_one_ends_so_does_the_other(working: Desk, name: str, number: signal.Signals, code: int) -> None:
    with watching(working) as process:
        both = children(process)
        os.kill(both.pop(name), number)
        assert process.wait(30) == code
    assert all(has_ended(child) for child in both.values())


def test_when_it_is_killed_nobody_is_left_behind(working: Desk) -> None:
    with watching(working) as process:
        both = children(process)
        process.kill()
        process.wait(30)
    assert all(has_ended(child) for child in both.values())


def test_wrong_use(working: Desk) -> None:
    assert working.run("steer-tree", "--task", "none").code == 2
