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
def waiting(desk: Desk) -> Desk:
    """Two events wait."""
    work_tree(desk.repo)
    (desk.repo / "beyond.md").write_text("x")
    desk.ok("monitor", "--once")
    return desk


def graph(desk: Desk) -> str:
    return (desk.repo / ".workgraph" / "graph.jsonl").read_text()


def test_for_people_then_silence(waiting: Desk) -> None:
    out = waiting.ok("redirect", "--once").out
    assert out.startswith("one: Speedrift: yellow (scope_drift)")
    assert "  made drift-scope-one\n" in out
    assert graph(waiting).count("Speedrift: yellow") == 2
    before = graph(waiting)
    assert waiting.ok("redirect", "--once").out == ""
    assert waiting.ok("redirect", "--once", "--from-start").out == ""
    assert graph(waiting) == before


def test_for_programs_and_only_what_is_wanted(waiting: Desk) -> None:
    before = graph(waiting)
    found = waiting.ok("redirect", "--once", "--json", "--no-write-log", "--no-create-followups").objects
    assert [(one["task_id"], one["streak"], one["logged"], one["created"]) for one in found] == [
        *(("one", 1, None, []), ("two", 1, None, []))
    ]
    assert graph(waiting) == before


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_one_at_a_time_until_a_signal(waiting: Desk, number: signal.Signals, code: int) -> None:
    command = [*COMMAND, "redirect", "--json", "--interval", "0.1"]
    with subprocess.Popen(command, cwd=waiting.repo, env=waiting.env, stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert json.loads(process.stdout.readline())["task_id"] == "one"
        assert json.loads(process.stdout.readline())["task_id"] == "two"
        second = waiting.run("redirect", "--once")
        assert (second.code, "another redirect is at work" in second.err) == (5, True)
        (waiting.repo / "further.md").write_text("x")
        waiting.ok("monitor", "--once", "--task", "one")
        assert json.loads(process.stdout.readline())["streak"] == 2
        process.send_signal(number)
        assert process.wait(30) == code


def test_who_waits_takes_over(waiting: Desk) -> None:
    command = [*COMMAND, "redirect", "--json"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": waiting.repo, "env": waiting.env}
    first = subprocess.Popen(command, **pipes)  # type: ignore[call-overload]  # two pipes and a place
    assert first.stdout.readline()
    second = subprocess.Popen([*command, "--once", "--wait"], **pipes)  # type: ignore[call-overload]  # as above
    assert b"waiting for another redirect" in second.stderr.readline()
    first.kill()
    first.communicate(timeout=30)
    second.communicate(timeout=30)
    assert second.returncode == 0


def test_what_can_not_be_done_is_said_and_kept(waiting: Desk) -> None:
    whole = graph(waiting)
    (waiting.repo / ".workgraph" / "graph.jsonl").write_text(whole + "{broken\n")
    ran = waiting.run("redirect", "--once")
    assert (ran.code, ran.out, "will be tried again" in ran.err) == (5, "", True)
    (waiting.repo / ".workgraph" / "graph.jsonl").write_text(whole)
    assert len(waiting.ok("redirect", "--once", "--json").objects) == 2


def test_where_there_are_no_events_there_is_silence(desk: Desk) -> None:
    ran = desk.ok("redirect", "--once")
    assert (ran.out, ran.err) == ("", "")
    assert not (desk.repo / ".speedrift").exists()
