from __future__ import annotations

import os
from hashlib import sha256
from typing import Any

import pytest

from leeboard.model.truth import ABSENT, LogEntry
from leeboard.plan.disk.truth import effects
from leeboard.plan.disk.truth.effects import Ahead, MovedAwayError, abandon, begin, finish, roll_forward
from leeboard.plan.files.truth import AuditRecord
from tests.truth_project import NOW, SLUG, TruthProject

TEXT = b"of a person\n"
SHA = sha256(TEXT).hexdigest()


def ahead(project: TruthProject, place: str = "knowledge/old.md", **more: Any) -> Ahead:
    entry = LogEntry(
        entry_type="human_write",
        path=place,
        sha=SHA,
        author_class="human-via-mcp",
        timestamp=NOW,
        entry_id="HWM-1-01",
        tick_counter=1,
        before_sha=project.sha(place),
    )
    audit = AuditRecord(timestamp=NOW, entry_id="HWM-1-01", path=place, sha=SHA, dirs_created=("knowledge/deep",))
    fields: dict[str, Any] = {"spare": ".hwm-tmp-1-a.tmp", "place": place, "before": project.sha(place)}
    return Ahead(entry=entry, audit=audit, **fields | more)


def left(project: TruthProject) -> list[str]:
    notes = [path.name for path in (project.path / ".haiku/tmp").iterdir()]
    return [*notes, *(path.name for path in project.top.glob(".hwm-tmp-*"))]


def test_all_of_it(project: TruthProject) -> None:
    noted = ahead(project)
    begin(project.folder, SLUG, noted, TEXT)
    assert project.sha("knowledge/old.md") == noted.before
    finish(project.folder, SLUG, noted)
    assert project.sha("knowledge/old.md") == SHA
    assert left(project) == []
    assert project.lines("action-log.jsonl")[-1]["entry_id"] == "HWM-1-01"
    assert [line["entry_id"] for line in project.lines("write-audit.jsonl")] == ["HWM-1-01"]


@pytest.mark.parametrize("place", ["knowledge/old.md", "knowledge/deep/new.md"])
def test_what_was_begun_is_done_by_the_next_one(project: TruthProject, place: str) -> None:
    """FD-43: once, however often it is tried."""
    begin(project.folder, SLUG, ahead(project, place), TEXT)
    for _ in range(2):
        roll_forward(project.folder, SLUG)
        assert project.sha(place) == SHA
    assert left(project) == []
    assert len([line for line in project.lines("action-log.jsonl") if line["entry_type"] == "human_write"]) == 1
    assert len(project.lines("write-audit.jsonl")) == 1


def test_what_somebody_changed_meanwhile_stays(project: TruthProject) -> None:
    begin(project.folder, SLUG, ahead(project), TEXT)
    project.write("knowledge/old.md", "somebody was faster\n")
    roll_forward(project.folder, SLUG)
    assert (project.top / "knowledge/old.md").read_text() == "somebody was faster\n"
    assert left(project) == []
    assert project.lines("write-audit.jsonl")[-1]["rationale"].startswith("not written")


def test_a_note_of_somebody_else_is_none(project: TruthProject) -> None:
    """Nobody else can have a file written, or find their way out of the folder."""
    begin(project.folder, SLUG, ahead(project), TEXT)
    note = project.path / f".haiku/tmp/{SLUG}.hwm"
    note.write_text(note.read_text().replace("knowledge/old.md", "intent.md"))
    roll_forward(project.folder, SLUG)
    assert project.sha("knowledge/old.md") != SHA
    assert left(project) == []


def test_content_without_a_note_is_swept_away(project: TruthProject) -> None:
    project.write(".hwm-tmp-77-x.tmp", "half")
    roll_forward(project.folder, SLUG)
    assert left(project) == []


def test_a_file_that_popped_up_is_never_replaced(project: TruthProject) -> None:
    noted = ahead(project, "knowledge/new.md", before=ABSENT)
    begin(project.folder, SLUG, noted, TEXT)
    project.write("knowledge/new.md", "first\n")
    with pytest.raises(FileExistsError):
        finish(project.folder, SLUG, noted)
    abandon(project.folder, SLUG, noted)
    assert (project.top / "knowledge/new.md").read_text() == "first\n"
    assert left(project) == []


def test_a_folder_that_is_moved_while_it_is_written_to(project: TruthProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the check and the move, and swapped for a link to somewhere else."""
    noted = ahead(project, "knowledge/new.md", before=ABSENT)
    begin(project.folder, SLUG, noted, TEXT)
    outside = project.path / "outside"
    outside.mkdir()
    real = effects._moved

    def swapped(what: Ahead, around: int, to: int) -> None:
        (project.top / "knowledge").rename(project.path / "moved")
        (project.top / "knowledge").symlink_to(outside)
        real(what, around, to)

    monkeypatch.setattr(effects, "_moved", swapped)
    with pytest.raises(MovedAwayError):
        finish(project.folder, SLUG, noted)
    abandon(project.folder, SLUG, noted)
    assert list(outside.iterdir()) == []
    assert left(project) == []


def test_no_link_on_the_way_is_followed(project: TruthProject) -> None:
    outside = project.path / "outside"
    outside.mkdir()
    (project.top / "knowledge/away").symlink_to(outside)
    begin(project.folder, SLUG, ahead(project, "knowledge/away/x.md", before=ABSENT), TEXT)
    roll_forward(project.folder, SLUG)
    assert list(outside.iterdir()) == []
    assert left(project) == []


def test_names_that_are_no_text(project: TruthProject) -> None:
    noted = ahead(project, r"knowledge/caf\xe9.md", before=ABSENT)
    begin(project.folder, SLUG, noted, TEXT)
    roll_forward(project.folder, SLUG)
    assert project.sha(os.fsdecode(b"knowledge/caf\xe9.md")) == SHA
