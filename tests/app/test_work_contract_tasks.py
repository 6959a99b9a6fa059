from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.work_contract import notes_of, open_tasks, own_tasks
from leeboard.contracts.disk.wg_program import WgProgram
from leeboard.contracts.disk.workgraph import Workgraph
from leeboard.model.task import Task
from tests.wg_stand_in import put_wg


def put(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "graph.jsonl").write_text("")
    return folder


def where(root: Path, **env: str) -> str | None:
    found = open_tasks(str(root), env)
    return found.folder if found else None


def test_our_own_stand_alone_and_stay_out_of_git(tmp_path: Path) -> None:
    assert where(tmp_path) is None
    tasks = own_tasks(str(tmp_path))
    assert tasks.add(Task(id="w", title="Work", status="in-progress", started_at="2026-01-01T00:00:00Z"))
    again = own_tasks(str(tmp_path))
    assert where(tmp_path) == again.folder
    assert (again.kind, [(task.id, task.status) for task in again.all()]) == ("leeboard", [("w", "in-progress")])
    again.set_status("w", "done")
    assert again.all()[0].is_ended
    assert (tmp_path / ".leeboard" / ".gitignore").read_text() == "*\n"
    put(tmp_path / ".wg")
    assert where(tmp_path) == str(tmp_path / ".wg")


def test_the_program_counts_where_it_can_be_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / ".wg")
    program = put_wg(tmp_path / "bin")
    monkeypatch.chdir(tmp_path)

    def kind(path: str) -> type | None:
        return type(open_tasks(str(tmp_path), {"PATH": path}))

    assert kind(f"/nonexistent:{program}") is WgProgram
    assert kind(f"bin::{tmp_path}/none") is Workgraph, "a folder that is not absolute may be the project's own"
    (program / "wg").chmod(0o644)
    assert kind(str(program)) is Workgraph
    assert type(open_tasks(str(tmp_path), {})) is Workgraph


def test_who_needs_no_program_has_no_notes(tmp_path: Path) -> None:
    assert notes_of(None) == notes_of(own_tasks(str(tmp_path))) == ()
    program = WgProgram(str(put(tmp_path / ".wg")), "/nonexistent/wg", {})
    program.notes.append("x")
    assert notes_of(program) == ("x",)
