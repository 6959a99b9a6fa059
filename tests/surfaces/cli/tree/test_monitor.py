"""The command, as a process."""

from __future__ import annotations

import json
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.killed_work import work_tree
from tests.surfaces.cli.conftest import COMMAND

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


@pytest.fixture
def working(desk: Desk) -> Desk:
    work_tree(desk.repo)
    return desk


def test_one_look_for_people_and_for_programs(working: Desk) -> None:
    out = working.ok("monitor", "--once").out
    assert out.startswith("one: Speedrift: OK (no findings)\ntwo: Speedrift: yellow (missing_contract)")
    assert working.ok("monitor", "--once", "--json").out == ""
    (working.repo / "beyond.md").write_text("x")
    found = working.ok("monitor", "--once", "--json").objects
    events = (working.repo / ".workgraph" / ".speedrift" / "events.jsonl").read_text().splitlines()
    assert found == [json.loads(line) for line in events[2:]]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_it_goes_on_until_a_signal(working: Desk, number: signal.Signals, code: int) -> None:
    command = [*COMMAND, "monitor", "--json", "--interval", "1", "--task", "one"]
    with subprocess.Popen(command, cwd=working.repo, env=working.env, stdout=subprocess.PIPE) as process:
        assert process.stdout
        scores = [json.loads(process.stdout.readline())["score"]]
        (working.repo / "beyond.md").write_text("x")
        scores.append(json.loads(process.stdout.readline())["score"])
        process.send_signal(number)
        assert process.wait(30) == code
    assert scores == ["green", "yellow"]


def test_a_task_that_can_not_be_looked_at(working: Desk) -> None:
    graph = working.repo / ".workgraph" / "graph.jsonl"
    graph.write_text(graph.read_text().replace('"id": "one",', '"id": "one", "started_at": "yesterday",'))
    ran = working.run("monitor", "--once", "--json")
    assert ran.code == 5
    assert "leeboard: one: " in ran.err
    assert [one["kind"] for one in ran.objects] == ["monitor_error", "drift_report"]


@pytest.mark.parametrize("words", [("--interval", "0.5"), ("--task", "none")])
def test_wrong_use(working: Desk, words: tuple[str, str]) -> None:
    assert working.run("monitor", "--once", *words).code == 2


def test_where_there_is_nothing_to_look_at_there_is_silence(desk: Desk) -> None:
    ran = desk.ok("monitor", "--once")
    assert (ran.out, ran.err) == ("", "")


def test_a_task_that_is_not_in_progress_is_said(working: Desk) -> None:
    ran = working.ok("monitor", "--once", "--task", "three")
    assert (ran.out, ran.err) == ("", "leeboard: three is open: it is only watched while it is in progress\n")
