"""What is remembered between checks, through crashes and neighbours."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from leeboard.contracts.disk.drift_folder import DriftFolder, DriftState, EventCursor
from leeboard.errors import EffectError
from leeboard.model.task import TaskState


def test_the_file_and_its_fields(tmp_path: Path) -> None:
    """SP-28 to SP-31."""
    state = TaskState(score="yellow", kinds=("scope_drift",), streak=2, pit_stop_created=True, updated_at="now")
    DriftFolder(str(tmp_path)).update(lambda old: old.with_task("t", state))
    written = json.loads((tmp_path / ".speedrift" / "state.json").read_text())
    assert written["schema"] == 1
    assert {name: written["tasks"]["t"][name] for name in ("score", "kinds", "streak", "pit_stop_created")} == {
        "score": "yellow",
        "kinds": ["scope_drift"],
        "streak": 2,
        "pit_stop_created": True,
    }
    assert DriftFolder(str(tmp_path)).read().task("t") == state


def test_nothing_is_written_where_nothing_changes(tmp_path: Path) -> None:
    DriftFolder(str(tmp_path)).update(lambda old: old)
    assert not (tmp_path / ".speedrift" / "state.json").exists()


def test_a_file_of_the_earlier_tool_opens(tmp_path: Path) -> None:
    folder = DriftFolder(str(tmp_path))
    folder.make()
    old = {"score": "yellow", "kinds": ["churn_loc"], "streak": 4, "pit_stop_created": True, "updated_at": "x"}
    (tmp_path / ".speedrift" / "state.json").write_text(
        json.dumps({"schema": 1, "tasks": {"t": old}, "event_cursor": 9})
    )
    assert (folder.read().task("t").streak, folder.read().cursor.offset) == (4, 9)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"tasks": 3}', '{"tasks": {"t": {"streak": "x"}}}', "[" * 100_000])
def test_a_corrupt_file_is_kept_aside_and_said(tmp_path: Path, text: str) -> None:
    folder = DriftFolder(str(tmp_path))
    folder.make()
    (tmp_path / ".speedrift" / "state.json").write_text(text)
    folder.update(lambda old: old.with_task("t", TaskState(streak=1)))
    assert folder.read().task("t").streak == 1
    kept = list((tmp_path / ".speedrift").glob("state.json.corrupt-*"))
    assert [path.read_text() for path in kept] == [text]
    assert "set aside" in folder.notes[0]


def test_a_newer_file_is_not_touched(tmp_path: Path) -> None:
    folder = DriftFolder(str(tmp_path))
    folder.make()
    path = tmp_path / ".speedrift" / "state.json"
    path.write_text('{"schema": 2, "tasks": {}}')
    with pytest.raises(EffectError, match="newer version"):
        folder.update(lambda old: old.with_task("t", TaskState()))
    assert path.read_text() == '{"schema": 2, "tasks": {}}'


def test_a_store_that_is_gone_is_not_made_again(tmp_path: Path) -> None:
    with pytest.raises(EffectError, match="can not make"):
        DriftFolder(str(tmp_path / "gone")).update(lambda old: old)
    assert not (tmp_path / "gone").exists()


ADD = """
import sys
from msgspec.structs import replace
from leeboard.contracts.disk.drift_folder import DriftFolder
folder = DriftFolder(sys.argv[1])
for _ in range(20):
    folder.update(lambda old: old.with_task("t", replace(old.task("t"), streak=old.task("t").streak + 1)))
"""


def test_no_update_is_lost(tmp_path: Path) -> None:
    runs = [subprocess.Popen([sys.executable, "-c", ADD, str(tmp_path)]) for _ in range(6)]
    assert [run.wait(60) for run in runs] == [0] * 6
    assert DriftFolder(str(tmp_path)).read().task("t").streak == 120


def test_state_and_cursor_move_together(tmp_path: Path) -> None:
    folder = DriftFolder(str(tmp_path))
    cursor = EventCursor(inode=7, offset=30, event_id="e")
    folder.update(lambda old: replace(old.with_task("t", TaskState()), cursor=cursor))
    assert folder.read() == DriftState(tasks={"t": TaskState()}, cursor=cursor)
