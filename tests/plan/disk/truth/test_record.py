from __future__ import annotations

import json

import pytest

from leeboard.plan.disk.seal import DRIFT_SEAL
from leeboard.plan.disk.truth.record import kept_files
from leeboard.plan.files.truth import format_baseline, format_markers
from tests.truth_project import TruthProject


def test_what_is_sealed() -> None:
    assert "stages/a/baseline.json" in kept_files(("", "a"))
    assert {"baseline.json", "drift-markers.json", "drift-dispatch.json"} < set(kept_files(("",)))


def test_every_stage_begins_with_a_baseline(project: TruthProject) -> None:
    """FD-04, FD-13: later ones too."""
    assert [project.record().standing(scope) for scope in ("", "shape", "build")] == [("established", "")] * 3
    assert project.record().entries("")["knowledge/old.md"].sha256 == project.sha("knowledge/old.md")


def test_one_that_somebody_wrote_is_altered(project: TruthProject) -> None:
    """Laundering by hand: the digest is set to what lies there."""
    project.write("knowledge/old.md", "changed\n")
    found = project.json("baseline.json")
    found["knowledge/old.md"]["sha256"] = project.sha("knowledge/old.md")
    project.write("baseline.json", json.dumps(found))
    assert project.record().standing("")[0] == "altered"
    assert project.record().standing("shape")[0] == "established", "the others are good"


@pytest.mark.parametrize("with_seal", [False, True])
def test_one_that_was_taken_away_is_missing(project: TruthProject, *, with_seal: bool) -> None:
    """Also where the seal was taken along, and where everything on this machine is forgotten but the log."""
    (project.top / "baseline.json").unlink()
    if with_seal:
        (project.top / DRIFT_SEAL).unlink()
    assert project.record().standing("")[0] == "missing"
    for mark in (project.path.parent / "state/seals").iterdir():
        mark.unlink()
    assert project.record().standing("")[0] == "missing"


def test_what_is_written_over_a_lost_seal_does_not_heal_it(project: TruthProject) -> None:
    """FD-10: the report of the loss makes a seal anew, which knows of no baseline."""
    lost = [*project.top.glob("stages/*/baseline.json"), project.top / "baseline.json"]
    for path in (*lost, project.top / DRIFT_SEAL, project.top / "action-log.jsonl"):
        path.unlink()
    project.write("knowledge/old.md", "of a person\n")
    for _ in range(3):
        assert project.tick().payload["error"] == "baseline_corrupt"
        (project.top / "action-log.jsonl").unlink()
    assert {project.record().standing(scope)[0] for scope in ("", "shape", "build")} == {"missing"}
    assert not any(path.exists() for path in lost)


def test_a_tree_from_elsewhere_is_taken_as_it_is(project: TruthProject) -> None:
    (project.top / DRIFT_SEAL).unlink()
    for mark in (project.path.parent / "state/seals").iterdir():
        mark.unlink()
    assert project.record().standing("")[0] == "established"


def test_what_can_not_be_read_is_corrupt(project: TruthProject) -> None:
    path = project.top / "baseline.json"
    record = project.record()
    record.write({"baseline.json": b'{"knowledge/old.md": {}}'})
    assert project.record().standing("")[0] == "corrupt"
    assert project.record().entries("") == {}
    path.unlink()
    path.mkdir()
    assert project.record().standing("")[0] == "corrupt"
    path.rmdir()
    path.symlink_to(project.top / "knowledge/old.md")
    assert project.record().standing("")[0] in {"corrupt", "altered"}


def test_markers_and_dispatch_of_somebody_else_count_for_nothing(project: TruthProject) -> None:
    """A marker that was put there by hand hides nothing."""
    marker = {
        "path": "knowledge/old.md",
        "created_at": "",
        "created_by_assessment_id": "AS-01",
        "outcome": "surface-as-feedback",
        "linked_feedback_id": "FB-01",
        "baseline_sha_at_creation": "a" * 64,
    }
    project.write("drift-markers.json", json.dumps({"markers": [marker]}))
    project.write("drift-dispatch.json", "{}")
    record = project.record()
    assert (record.markers(), record.dispatch()) == ((), None)
    assert len(record.notes) == 2
    record.write({"drift-markers.json": format_markers([])})
    assert project.record().markers() == ()
    project.record().write({"drift-markers.json": b"noise"})
    unread = project.record()
    assert unread.markers() == ()
    assert "can not be read" in unread.notes[0]


def test_writing_is_whole(project: TruthProject) -> None:
    project.record().write({"baseline.json": format_baseline({}), "drift-dispatch.json": None})
    record = project.record()
    assert record.standing("") == ("established", "")
    assert record.entries("") == {}
    assert record.is_good("", (project.top / "baseline.json").read_bytes())
    assert not record.is_good("", b"{}")


def test_what_changed_since_the_digest_was_taken_is_not_believed(project: TruthProject) -> None:
    record = project.record()
    project.write("baseline.json", "{}")
    assert record.entries("") == {}
    assert record.standing("")[0] == "corrupt"


def test_knowledge_of_an_earlier_tool_is_not_the_stages(project: TruthProject) -> None:
    """O-16."""
    entries = project.record().entries("")
    project.record().write({"stages/shape/baseline.json": format_baseline(entries)})
    assert project.record().entries("shape") == {}
    assert list(project.record().earlier_knowledge("shape")) == ["knowledge/old.md"]
    project.write("stages/shape/baseline.json", "{}")
    assert project.record().earlier_knowledge("shape") == {}


def test_forgotten(project: TruthProject) -> None:
    project.record().forget()
    (project.top / "baseline.json").unlink()
    (project.top / "action-log.jsonl").unlink()
    assert project.record().standing("")[0] == "unestablished"
