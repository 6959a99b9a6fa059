from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from leeboard.model.truth import EntryType, LogEntry
from leeboard.plan.disk.folder import PlanFolder, hold
from leeboard.plan.disk.truth import action_log
from leeboard.plan.disk.truth.action_log import (
    append,
    highest_tick,
    holds,
    last_of_baseline,
    next_id,
    size,
    told,
    was_established,
)
from leeboard.plan.files.truth import baseline_mark

ROOT = Path(__file__).resolve().parents[4]
LOG = ".haiku/intents/x/action-log.jsonl"
_WRITER = """
import sys
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.truth.action_log import append
from leeboard.model.truth import LogEntry
for number in range(25):
    name = f"knowledge/{sys.argv[2]}-{number}"
    append(PlanFolder(sys.argv[1]), "x", [LogEntry(entry_type="agent_write", path=name, sha="a" * 64,
        author_class="agent", timestamp="2026-01-01T00:00:00Z", tick_counter=7)])
"""


@pytest.fixture
def folder(tmp_path: Path) -> PlanFolder:
    (tmp_path / ".haiku/intents/x").mkdir(parents=True)
    return PlanFolder(str(tmp_path))


def entry(path: str, sha: str = "a", tick: int = 1, kind: EntryType = "agent_write", **more: str) -> LogEntry:
    author = "human-via-mcp" if kind == "human_write" else "agent"
    return LogEntry(
        entry_type=kind,
        path=path,
        sha=sha * 64,
        author_class=author,  # type: ignore[arg-type] # one of them
        timestamp="2026-01-01T00:00:00Z",
        tick_counter=tick,
        **more,  # type: ignore[arg-type] # as above
    )


def test_ids_count_on_for_each_kind_and_tick(folder: PlanFolder) -> None:
    """FD-44."""
    made = append(folder, "x", [entry("a"), entry("b"), entry("c", kind="human_write"), entry("d", tick=2)])
    assert [each.entry_id for each in made] == ["AGW-1-01", "AGW-1-02", "HWM-1-01", "AGW-2-01"]
    assert next_id(folder, "x", entry("e", tick=2)) == "AGW-2-02"
    assert holds(folder, "x", made[2])
    assert not holds(folder, "x", entry("c", kind="human_write", entry_id="HWM-1-02"))


def test_what_is_told_of_a_path(folder: PlanFolder) -> None:
    append(folder, "x", [entry("a", "1"), entry("b", "2"), entry("a", "3", tick=4)])
    assert [line.sha[0] for line in told(folder, "x", ["a"]).entries["a"]] == ["1", "3"]
    assert [line.sha[0] for line in told(folder, "x", ["a"], since=2).entries["a"]] == ["3"]
    assert told(folder, "x", []).entries == {}


def test_what_is_told_of_a_scope(folder: PlanFolder) -> None:
    """With all its paths, and that its baseline was established."""
    mark = baseline_mark("baseline_established", "s")
    lines = [entry("stages/s/artifacts/a", "1"), entry("knowledge/b", "2"), entry(mark, kind="baseline_established")]
    append(folder, "x", [*lines, entry("stages/s/artifacts/a", "3")])
    found = told(folder, "x", [], scopes=["s"]).entries
    assert {path: [line.entry_type for line in said] for path, said in found.items()} == {
        "stages/s/artifacts/a": ["agent_write", "baseline_established", "agent_write"]
    }
    assert size(folder, "x") == Path(folder.spelled("intents/x/action-log.jsonl")).stat().st_size
    assert size(folder, "none") == 0


def test_what_was_said_last_is_not_said_again(folder: PlanFolder) -> None:
    """A step that is replayed."""
    first = [entry("a", "1"), entry("b", "1")]
    assert len(append(folder, "x", first, once=True)) == 2
    assert append(folder, "x", first, once=True) == ()
    append(folder, "x", [entry("a", "2")], once=True)
    assert len(append(folder, "x", first, once=True)) == 1


def test_lines_that_nobody_signed_explain_nothing(folder: PlanFolder, tmp_path: Path) -> None:
    """O-14: the agent can not write its own explanation; a line that is moved to another path is none either."""
    append(folder, "x", [entry("a", "1")])
    line = json.loads((tmp_path / LOG).read_text())
    with (tmp_path / LOG).open("a") as file:
        file.write(json.dumps(line | {"sha": "2" * 64}) + "\n" + json.dumps(line | {"path": "b"}) + "\n")
        file.write('{"path": "a", "tick_counter": 1}\nnoise\n{"half')
    found = told(folder, "x", ["a", "b"])
    assert {path: len(lines) for path, lines in found.entries.items()} == {"a": 1}
    assert found.unsigned == 3
    append(folder, "x", [entry("a", "3")])
    assert [each.sha[0] for each in told(folder, "x", ["a"]).entries["a"]] == ["1", "3"], "a half line is ended first"


def test_only_the_end_is_read(folder: PlanFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(action_log, "_STEPS", (2000, 20000))
    append(folder, "x", [entry("old", tick=1)])
    append(folder, "x", [entry(f"{number}", tick=2) for number in range(200)])
    sizes: list[int] = []
    tail = PlanFolder.tail

    def counted(self: PlanFolder, path: str, most: int) -> bytes:
        sizes.append(most)
        return tail(self, path, most)

    append(folder, "x", [entry("new", tick=3)])
    monkeypatch.setattr(PlanFolder, "tail", counted)
    assert told(folder, "x", ["new"], since=3).entries.keys() == {"new"}
    assert sizes == [2000]
    found = told(folder, "x", ["old"])
    assert (found.entries, found.cut) == ({}, True)


def test_what_befell_a_baseline(folder: PlanFolder) -> None:
    assert not was_established(folder, "x", "build")
    assert last_of_baseline(folder, "x", "build") is None
    kinds: tuple[EntryType, ...] = ("baseline_established", "baseline_corruption_event", "baseline_established")
    for kind in kinds:
        append(folder, "x", [entry(baseline_mark(kind, "build"), kind=kind, tick=3, entry_id="BLN")])
        last = last_of_baseline(folder, "x", "build")
        assert last is not None
        assert last.entry_type == kind
    assert was_established(folder, "x", "build")
    assert not was_established(folder, "x", "")


def test_the_newest_tick(folder: PlanFolder, tmp_path: Path) -> None:
    """A counter that was lost goes on from here; nobody can set it forward by a line of their own."""
    assert highest_tick(folder, "x") == 0
    (tmp_path / LOG).write_text('{"path": "a", "tick_counter": 40}\n')
    assert highest_tick(folder, "x") == 40, "a tree from another machine"
    append(folder, "x", [entry("a", tick=41)])
    with (tmp_path / LOG).open("a") as file:
        file.write('{"path": "a", "tick_counter": 900}\n')
    assert highest_tick(folder, "x") == 41


def test_eight_processes_at_once(folder: PlanFolder, tmp_path: Path) -> None:
    """Every line whole, every id once; and the intent's lock is not needed."""
    with hold(folder, "x"):
        command = [sys.executable, "-c", _WRITER, str(tmp_path)]
        writers = [subprocess.Popen([*command, str(number)], cwd=ROOT, env=dict(os.environ)) for number in range(8)]
        assert [writer.wait(60) for writer in writers] == [0] * 8
    lines = [json.loads(line) for line in (tmp_path / LOG).read_text().splitlines()]
    assert len(lines) == 200
    assert sorted(line["entry_id"] for line in lines) == sorted(f"AGW-7-{number:02}" for number in range(1, 201))
    assert told(folder, "x", [line["path"] for line in lines]).unsigned == 0
