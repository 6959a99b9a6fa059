"""The program's adapter beside a stand-in of the program, sound and broken."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from leeboard.app.work_contract import notes_of, open_tasks
from leeboard.contracts.block_text import new_block, with_block, with_values
from leeboard.contracts.disk import wg_program
from leeboard.contracts.disk.wg_program import WgProgram
from leeboard.contracts.disk.workgraph import Workgraph
from leeboard.contracts.table import read_task
from leeboard.errors import ConfigError, EffectError
from leeboard.model.task import Task
from tests.wg_stand_in import ROOT, calls, put_wg

SOUND, BROKEN = ("", "crashes after it", "leaves something behind"), ("fails", "garbage", "wireguard")
FOLLOW_UP = Task(id="drift-scope-t", title="scope: T", description="words", after=("t",), tags=("drift", "scope"))
NOW, LATER = "2026-01-01T00:00:00.500000Z", "2999-01-01T00:00:00Z"


class Desk:
    def __init__(self, folder: Path) -> None:
        self.root = folder / "p"
        self.store = self.root / ".wg"
        self.bin = folder / "bin"
        self.store.mkdir(parents=True)
        self.put({"kind": "task", "id": "t", "title": "T", "status": "in-progress", "description": "old"})

    def put(self, *records: dict[str, Any]) -> None:
        (self.store / "graph.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records))

    def open(self, way: str = "", **env: str) -> WgProgram:
        put_wg(self.bin, way)
        found = open_tasks(str(self.root), {"PATH": f"{self.bin}:{os.environ['PATH']}"} | env)
        assert isinstance(found, WgProgram)
        return found

    @property
    def records(self) -> dict[str, dict[str, Any]]:
        lines = (self.store / "graph.jsonl").read_text().splitlines()
        return {record["id"]: record for record in map(json.loads, lines)}

    @property
    def said(self) -> list[str]:
        return [entry["message"] for entry in self.records["t"].get("log", [])]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def do_everything(tasks: Workgraph) -> None:
    assert tasks.redescribe("t", lambda old: f"{old} and new").description == "old and new"
    assert tasks.log("t", "Speedrift: OK", NOW)
    assert tasks.add(FOLLOW_UP)


def test_a_change_goes_through_the_program(desk: Desk) -> None:
    """SP-46, SP-47."""
    tasks = desk.open()
    do_everything(tasks)
    start = ["--dir", str(desk.store)]
    assert [call["words"] for call in calls(desk.bin)] == [
        [*start, "edit", "--description=old and new", "--", "t"],
        [*start, "log", "--actor", "speedrift", "--", "t", "Speedrift: OK"],
        [
            *(*start, "add", "--id=drift-scope-t", "--description=words", "--after=t", "--tag=drift", "--tag=scope"),
            *("--", "scope: T"),
        ],
    ]
    made, origin = desk.records["drift-scope-t"], desk.records["t"]
    assert (made["paused"], made["after"], made["tags"], made["status"]) == (True, ["t"], ["drift", "scope"], "open")
    assert (origin["status"], origin["before"], origin["log"][0]["user"]) == ("in-progress", [made["id"]], "speedrift")
    assert (notes_of(tasks), (desk.store / "log" / "operations.jsonl").exists()) == ((), True)


@pytest.mark.parametrize("way", [*SOUND, *BROKEN, "old", "strict"])
def test_each_thing_is_done_exactly_once(desk: Desk, way: str) -> None:
    tasks = desk.open(way)
    do_everything(tasks)
    for again in (tasks, desk.open(way), Workgraph(str(desk.store))):
        assert again.redescribe("t", lambda old: old).description == "old and new"
        assert not again.add(FOLLOW_UP)
    for again in (tasks, desk.open(way)):
        assert not again.log("t", "Speedrift: OK", NOW)
    assert desk.records["t"]["description"] == "old and new"
    assert (desk.said, desk.records["t"]["before"]) == (["Speedrift: OK"], ["drift-scope-t"])
    assert desk.records["drift-scope-t"]["paused"] is True
    assert sorted(desk.records) == ["drift-scope-t", "t"]


@pytest.mark.parametrize("way", ["fails", "garbage"])
def test_what_the_program_did_not_do_is_noted(desk: Desk, way: str) -> None:
    tasks = desk.open(way)
    do_everything(tasks)
    assert [note.split(" did")[0] for note in notes_of(tasks)] == ["wg edit", "wg log", "wg add"]
    assert all(str(desk.store / "graph.jsonl") in note for note in notes_of(tasks))
    if way == "fails":
        assert "IPC socket is gone" in notes_of(tasks)[0]


@pytest.mark.parametrize("way", ["old", "wireguard"])
def test_what_the_program_can_not_do_is_no_failure_of_it(desk: Desk, way: str) -> None:
    tasks = desk.open(way)
    do_everything(tasks)
    assert notes_of(tasks) == ()
    assert [call["words"][2] for call in calls(desk.bin)] == (["log", "add"] if way == "old" else [])


@pytest.mark.parametrize("way", ["hangs", "hangs when asked", "hangs after it"])
def test_a_program_that_hangs_is_killed_and_nothing_lost(desk: Desk, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    monkeypatch.setattr(wg_program, "SECONDS", 0.5)
    tasks = desk.open(way)
    do_everything(tasks)
    assert (desk.said, len(desk.records)) == (["Speedrift: OK"], 2)
    assert notes_of(tasks)
    assert len(calls(desk.bin, probes=True)) <= 2, "one that hung is not waited for again"


def test_no_agents_messages_are_eaten(desk: Desk) -> None:
    (desk.store / "messages").mkdir()
    unread = desk.store / "messages" / "agent-7.unread"
    unread.write_text("stop what you do\n")
    do_everything(desk.open(WG_AGENT_ID="agent-7", WG_TASK_ID="t", WG_MESSAGE_ID="3", WG_USER="kim"))
    assert unread.exists()
    assert desk.records["drift-scope-t"]["paused"] is True
    assert {json.dumps(call["env"]) for call in calls(desk.bin)} == {'{"WG_USER": "speedrift"}'}


def test_the_same_words_of_before_are_another_entry(desk: Desk) -> None:
    entry = {"timestamp": "2026-01-01T00:00:00.499999999+00:00", "actor": "speedrift", "message": "Speedrift: OK"}
    theirs = entry | {"timestamp": LATER, "actor": "agent-7"}
    desk.put({"kind": "task", "id": "t", "title": "T", "log": [entry, theirs, {"message": 7}, None]})
    assert desk.open("fails").log("t", "Speedrift: OK", NOW)
    assert not desk.open("fails").log("t", "Speedrift: OK", NOW)
    assert desk.records["t"]["log"][-1]["timestamp"] == NOW


def test_without_a_key_it_is_said_each_time(desk: Desk) -> None:
    for way in ("", "crashes after it", "fails", ""):
        assert desk.open(way).log("t", "x")
    assert desk.said == ["x"] * 4


def test_what_is_too_large_or_odd_for_an_argument_goes_to_the_file(desk: Desk) -> None:
    tasks = desk.open()
    long = "x" * 100_001
    assert tasks.redescribe("t", lambda _: long).description == long
    assert tasks.redescribe("t", lambda _: "a\0b").description == "a\0b"
    assert tasks.log("t", "--help")
    assert tasks.add(Task(id="a,b", title="-x"))
    assert tasks.add(Task(id="c", title="c", after=("a,b",)))
    assert tasks.add(Task(id="d", title=".d"))
    assert [call["words"][3] for call in calls(desk.bin)] == ["--id=a,b"]
    assert desk.records["c"]["after"] == ["a,b"]
    assert desk.records["d"]["paused"] is True
    assert notes_of(tasks) == ()


def test_texts_with_a_dash_at_their_front_arrive(desk: Desk) -> None:
    tasks = desk.open()
    tasks.redescribe("t", lambda _: "- [ ] first\n--dir x")
    tasks.log("t", "--actor nobody")
    tasks.add(Task(id="n", title="--id other", description="-d", after=("t",)))
    assert (desk.records["t"]["description"], desk.said) == ("- [ ] first\n--dir x", ["--actor nobody"])
    assert (desk.records["n"]["title"], desk.records["n"]["description"]) == ("--id other", "-d")
    assert notes_of(tasks) == ()


def test_what_somebody_else_adds_at_the_same_time_is_theirs(desk: Desk) -> None:
    tasks = desk.open()

    def meanwhile(task: Task) -> bool:
        Workgraph(str(desk.store)).add(task)
        return False

    assert not made_between(tasks, meanwhile)
    assert len(calls(desk.bin)) == 1


def made_between(tasks: WgProgram, meanwhile: Callable[[Task], bool]) -> bool:
    """Add a task that another process makes after it was looked for and before the program looks."""
    look = tasks._known

    def looks(task_id: str) -> Task | None:
        found = look(task_id)
        if found is None:
            meanwhile(FOLLOW_UP)
        return found

    tasks._known = looks  # type: ignore[method-assign] # as above
    return tasks.add(FOLLOW_UP)


def test_a_task_or_graph_that_is_not_there_is_named(desk: Desk) -> None:
    tasks = desk.open()
    with pytest.raises(ConfigError, match="no task nobody"):
        tasks.log("nobody", "x")
    with pytest.raises(ConfigError, match="no task nobody"):
        tasks.redescribe("nobody", lambda old: f"{old}!")
    with (desk.store / "graph.jsonl").open("a") as file:
        file.write("{half\n")
    with pytest.raises(EffectError, match="line 2"):
        tasks.log("t", "x")
    with pytest.raises(ConfigError, match="use wg"):
        tasks.set_status("t", "done")


def test_a_contract_survives_rewrites_that_drop_what_they_do_not_know(desk: Desk) -> None:
    """SP-20."""
    block = with_values(with_block("## Notes\n\u00e9", new_block("T", touch=("src/**",))), {"x_own": "kept"})
    commented = block.replace("touch =", "# why\ntouch =")
    desk.put({"kind": "task", "id": "t", "title": "T", "description": commented, "metadata": {"a": 1}, "odd": True})
    tasks = desk.open()
    tasks.log("t", "one")
    assert "odd" not in desk.records["t"], "the stand-in drops it as wg does"
    tasks.redescribe("t", lambda old: with_values(old, {"touch": ("src/**", "docs/**")}))
    tasks.log("t", "two")
    reading = read_task(tasks.all()[0])
    assert reading.contract is not None
    assert reading.contract.touch == ("src/**", "docs/**")
    assert reading.table["x_own"] == "kept"
    assert "# why\n" in tasks.all()[0].description
    assert tasks.all()[0].description.endswith("## Notes\n\u00e9")


def test_our_own_tasks_need_no_program(tmp_path: Path) -> None:
    put_wg(tmp_path / "bin")
    (tmp_path / ".leeboard").mkdir()
    (tmp_path / ".leeboard" / "graph.jsonl").write_text("")
    assert type(open_tasks(str(tmp_path), {"PATH": str(tmp_path / "bin")})) is Workgraph


WRITER = """
import os, sys
from leeboard.app.work_contract import open_tasks
from leeboard.model.task import Task
root, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
for number in range(count):
    tasks = open_tasks(root, os.environ)
    tasks.log("t", f"{name} {number}")
    tasks.log("t", f"shared {number}", "2026-01-01T00:00:00Z")
    tasks.redescribe("t", lambda words: f"{words}{name};")
    tasks.add(Task(id=f"new-{number}", title="n", after=("t",)))
"""


def start(desk: Desk, code: str, *words: str) -> subprocess.Popen[bytes]:
    env = {"PATH": f"{desk.bin}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    return subprocess.Popen([sys.executable, "-c", code, str(desk.root), *words], env=env)


def test_writers_at_once_lose_and_double_nothing(desk: Desk) -> None:
    put_wg(desk.bin)
    writers, each = 3, 2
    runs = [start(desk, WRITER, str(name), str(each)) for name in range(writers)]
    assert [run.wait(60) for run in runs] == [0] * writers
    wanted = [f"{name} {number}" for name in range(writers) for number in range(each)]
    assert sorted(desk.said) == sorted([*wanted, *(f"shared {number}" for number in range(each))])
    pieces = desk.records["t"]["description"].removeprefix("old").split(";")[:-1]
    assert sorted(pieces) == sorted(str(name) for name in range(writers) for _ in range(each))
    assert sorted(desk.records["t"]["before"]) == [f"new-{number}" for number in range(each)]


KILLED = """
import os, sys
from leeboard.app.work_contract import open_tasks
open_tasks(sys.argv[1], os.environ).log("t", "Speedrift: OK", "2026-01-01T00:00:00Z")
"""


def test_a_caller_that_is_killed_while_the_program_runs_says_nothing_twice(desk: Desk) -> None:
    """The program goes on when its caller is gone: who comes next waits for it."""
    put_wg(desk.bin, "waits")
    go = desk.bin / "wg.calls.go"
    os.mkfifo(go)
    first = start(desk, KILLED)
    with go.open("wb"):  # opens when the program waits for it
        first.send_signal(signal.SIGKILL)
        first.wait()
        with (desk.store / ".speedrift" / "wg.lock").open("rb") as lock, pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        second = start(desk, KILLED)
    assert second.wait(60) == 0
    assert desk.said == ["Speedrift: OK"]
