"""A graph.jsonl written by many at once, `wg` among them."""

from __future__ import annotations

import fcntl
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from leeboard.contracts.disk.workgraph import Workgraph
from leeboard.errors import ConfigError, EffectError
from leeboard.model.task import Task

ORIGIN = {"kind": "task", "id": "t", "title": "T", "status": "in-progress", "unheard_of": {"a": [1, None]}}


def graph(folder: Path, *records: dict[str, Any]) -> Workgraph:
    folder.mkdir(exist_ok=True)
    lines = [json.dumps(record, separators=(",", ":")) for record in records or (ORIGIN,)]
    (folder / "graph.jsonl").write_text("".join(f"{line}\n" for line in lines))
    return Workgraph(str(folder))


def records(folder: Path) -> dict[str, dict[str, Any]]:
    lines = (folder / "graph.jsonl").read_text().splitlines()
    return {record["id"]: record for record in map(json.loads, lines)}


def test_only_the_target_line_changes(tmp_path: Path) -> None:
    """SP-48."""
    other = '{"kind": "task",  "id":"o","title":"odd spacing","x":1.50}\n'
    tasks = graph(tmp_path)
    path = tmp_path / "graph.jsonl"
    path.write_text(f"# kept\n{other}{path.read_text()}\n{other.replace('o', 'p')}")
    before = path.read_text().splitlines()
    task = tasks.redescribe("t", lambda old: f"{old}new words")
    after = path.read_text().splitlines()
    assert task.description == "new words"
    assert [number for number, line in enumerate(after) if line != before[number]] == [2]
    assert records_of(after[2])["unheard_of"] == {"a": [1, None]}


def records_of(line: str) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(line)
    return fields


def test_a_follow_up_is_a_node_that_waits_and_blocks_nothing(tmp_path: Path) -> None:
    """SP-42, SP-45, SP-47."""
    tasks = graph(tmp_path)
    new = Task(id="drift-scope-t", title="scope: T", after=("t",), tags=("drift", "scope"))
    assert tasks.add(new)
    assert not tasks.add(new)
    made, origin = records(tmp_path)["drift-scope-t"], records(tmp_path)["t"]
    assert (made["status"], made["after"], made["paused"]) == ("open", ["t"], True)
    assert (origin["status"], origin["before"]) == ("in-progress", ["drift-scope-t"])
    assert "after" not in origin


def test_a_log_entry_with_a_key_is_written_once(tmp_path: Path) -> None:
    tasks = graph(tmp_path)
    assert tasks.log("t", "Speedrift: OK", "2026-01-01T00:00:00.5Z")
    assert not tasks.log("t", "Speedrift: OK", "2026-01-01T00:00:00.5Z")
    assert tasks.log("t", "Speedrift: OK")
    assert len(records(tmp_path)["t"]["log"]) == 2


def test_nothing_is_written_where_a_line_can_not_be_read(tmp_path: Path) -> None:
    tasks = graph(tmp_path)
    path = tmp_path / "graph.jsonl"
    path.write_bytes(path.read_bytes() + b"{half a line\n")
    before = path.read_bytes()
    with pytest.raises(EffectError, match="line 2"):
        tasks.log("t", "x")
    assert path.read_bytes() == before
    assert [task.id for task in tasks.all()] == ["t"]
    assert len(tasks.problems()) == 1


def test_a_task_or_graph_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no task nobody"):
        graph(tmp_path).log("nobody", "x")
    with pytest.raises(EffectError, match="can not read"):
        Workgraph(str(tmp_path / "none")).all()
    assert not (tmp_path / "none").exists()


def test_a_workgraphs_status_is_never_written(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="use wg"):
        graph(tmp_path).set_status("t", "done")


def test_a_held_lock_is_waited_for_and_then_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = graph(tmp_path)
    monkeypatch.setattr("leeboard.contracts.disk.workgraph.LOCK_SECONDS", 0.2)
    with (tmp_path / "graph.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(EffectError, match="was not given free"):
            tasks.log("t", "x")
    assert tasks.log("t", "x")


def test_who_writes_without_the_lock_is_not_overwritten(tmp_path: Path) -> None:
    tasks = graph(tmp_path)

    def meanwhile(words: str) -> str:
        (tmp_path / "graph.jsonl").write_text('{"kind":"task","id":"t","title":"theirs"}\n')
        return f"{words}!"

    with pytest.raises(EffectError, match="does not lock it"):
        tasks.redescribe("t", meanwhile)
    assert records(tmp_path)["t"]["title"] == "theirs"


WRITER = """
import sys
from leeboard.contracts.disk.workgraph import Workgraph
from leeboard.model.task import Task
folder, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
tasks = Workgraph(folder)
for number in range(count):
    tasks.log("t", f"{name} {number}")
    tasks.redescribe(f"own-{name}", lambda words: f"{words}{number};")
    tasks.add(Task(id=f"new-{name}-{number}", title="n", after=("t",)))
"""
LIKE_WG = """
import fcntl, json, os, random, sys
folder, count = sys.argv[1], int(sys.argv[2])
path = os.path.join(folder, "graph.jsonl")
for _ in range(count):
    with open(os.path.join(folder, "graph.lock"), "a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        records = [json.loads(line) for line in open(path)]
        for record in records:
            if record["id"] == "wg":
                record["loop_iteration"] = record.get("loop_iteration", 0) + 1
        random.shuffle(records)
        beside = os.path.join(folder, f".graph.tmp.{os.getpid()}")
        with open(beside, "w") as file:
            for record in records:
                file.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\\n")
            file.flush()
            os.fsync(file.fileno())
        os.rename(beside, path)
"""


def test_eight_writers_beside_wg_lose_nothing(tmp_path: Path) -> None:
    writers, each, rewrites = 8, 12, 60
    others: list[dict[str, Any]] = [
        {"kind": "task", "id": f"o{n}", "title": f"\u00e9{n}", "odd": {"n": n, "x": [None]}} for n in range(20)
    ]
    own = [{"kind": "task", "id": f"own-{name}", "title": "own"} for name in range(writers)]
    graph(tmp_path, ORIGIN, {"kind": "task", "id": "wg", "title": "wg"}, *others, *own)
    runs = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), str(name), str(each)]) for name in range(writers)
    ]
    runs.append(subprocess.Popen([sys.executable, "-c", LIKE_WG, str(tmp_path), str(rewrites)]))
    assert [run.wait(120) for run in runs] == [0] * (writers + 1)
    found = records(tmp_path)
    said = [entry["message"] for entry in found["t"]["log"]]
    assert sorted(said) == sorted(f"{name} {number}" for name in range(writers) for number in range(each))
    assert found["wg"]["loop_iteration"] == rewrites
    assert [found[record["id"]] for record in others] == others
    assert {found[f"own-{name}"]["description"] for name in range(writers)} == {"".join(f"{n};" for n in range(each))}
    assert len(found) == 2 + len(others) + writers + writers * each
    assert sorted(found["t"]["before"]) == sorted(f"new-{w}-{n}" for w in range(writers) for n in range(each))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["graph.jsonl", "graph.lock"]
    assert found["t"]["unheard_of"] == ORIGIN["unheard_of"]
