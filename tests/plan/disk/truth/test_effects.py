from __future__ import annotations

import resource

import pytest

from leeboard.errors import EffectError
from leeboard.model.truth import Dispatch, DriftAssessment, Marker
from leeboard.plan.disk.truth.effects import TRUTH_EFFECTS, TruthWriter
from leeboard.plan.disk.truth.reset import reset_accept, reset_preview
from leeboard.plan.effect import (
    EstablishBaseline,
    LogBaseline,
    RecordAssessment,
    WriteBaseline,
    WriteDispatch,
    WriteMarkers,
)
from tests.truth_project import NOW, SLUG, TruthProject

MARKER = Marker(
    path="knowledge/a",
    created_at=NOW,
    created_by_assessment_id="AS-01",
    outcome="surface-as-feedback",
    baseline_sha_at_creation="a" * 64,
    linked_feedback_id="FB-01",
)
DISPATCH = Dispatch(tick_id="t", stage="shape", tick_counter=1, mode="", created_at=NOW, findings=(), legal_outcomes={})


def perform(project: TruthProject, *effects: object) -> None:
    writer = TruthWriter(project.folder, project.plan())
    for effect in effects:
        assert isinstance(effect, TRUTH_EFFECTS)
        writer.perform(effect, NOW)


def test_a_baseline_is_only_begun_once(project: TruthProject) -> None:
    """FD-13: a step that is replayed after a kill does not take in what changed since."""
    project.write("knowledge/old.md", "changed after it was recorded\n")
    before = project.json("baseline.json")
    perform(project, EstablishBaseline(scopes=("", "shape", "build"), tick=9))
    assert project.json("baseline.json") == before


def test_the_author_of_what_is_recorded(project: TruthProject) -> None:
    """O-14: the log entry with the same digest decides, else nobody knows."""
    for name in ("baseline.json", "action-log.jsonl"):
        (project.top / name).unlink()
    project.record().forget()
    project.agent_writes("knowledge/mine.md", "x\n")
    perform(project, EstablishBaseline(scopes=("",), tick=3))
    found = project.json("baseline.json")
    assert {path: entry["author_class"] for path, entry in found.items()} == {
        "knowledge/mine.md": "agent",
        "knowledge/old.md": "human-implicit",
    }
    assert {entry["acknowledged_via"] for entry in found.values()} == {"baseline-init"}
    assert (
        list(found["knowledge/old.md"])
        == (
            "path sha256 bytes mtime_ns is_binary author_class acknowledged_at acknowledged_via stage tracking_class"
            " acknowledged_tick"
        ).split()
    )


def test_a_lost_one_is_not_taken_without_an_operators_word(project: TruthProject) -> None:
    (project.top / "baseline.json").unlink()
    perform(project, EstablishBaseline(scopes=("",), tick=9))
    assert not (project.top / "baseline.json").exists()
    shown = reset_preview(project.folder, SLUG, "")
    reset_accept(project.folder, SLUG, "", shown.diff_hash, "looked at it", NOW)
    perform(project, EstablishBaseline(scopes=("",), tick=9))
    assert (project.top / "baseline.json").exists()
    assert not (project.top / ".baseline-ack").exists(), "for one use"


def test_entries_are_put_and_dropped(project: TruthProject) -> None:
    entry = project.record().entries("")["knowledge/old.md"]
    new = type(entry)(**{name: getattr(entry, name) for name in entry.__struct_fields__} | {"path": "knowledge/new.md"})
    effect = WriteBaseline(scope="", put=(new,), drop=("knowledge/old.md",))
    for _ in range(2):
        perform(project, effect)
        assert list(project.json("baseline.json")) == ["knowledge/new.md"]
    assert (project.top / "baseline.json").read_text().endswith("\n}\n")


def test_nothing_is_put_into_one_that_somebody_changed(project: TruthProject) -> None:
    """It would be sealed with all that was done to it."""
    entry = project.record().entries("")["knowledge/old.md"]
    project.write("baseline.json", "{}")
    perform(project, WriteBaseline(scope="", put=(entry,)))
    assert project.json("baseline.json") == {}
    assert project.record().standing("")[0] == "altered"


def test_markers(project: TruthProject) -> None:
    other = Marker(**{name: getattr(MARKER, name) for name in MARKER.__struct_fields__} | {"path": "knowledge/b"})
    perform(project, WriteMarkers(put=(MARKER, other)))
    perform(project, WriteMarkers(put=(MARKER,), drop=(other,)))
    assert project.record().markers() == (MARKER,)
    assert list(project.json("drift-markers.json")) == ["markers"]


def test_dispatch(project: TruthProject) -> None:
    perform(project, WriteDispatch(dispatch=DISPATCH))
    assert project.record().dispatch() == DISPATCH
    perform(project, WriteDispatch(dispatch=None), WriteDispatch(dispatch=None))
    assert project.record().dispatch() is None
    assert not (project.top / "drift-dispatch.json").exists()


def test_an_assessment_is_recorded_with_the_active_stage(project: TruthProject) -> None:
    """FD-55, FD-56."""
    made = DriftAssessment(
        id="AS-07", created_at=NOW, tick_id="t", findings=(), classifications=(), agent_rationale="why"
    )
    perform(project, RecordAssessment(stage="shape", number=7, assessment=made))
    assert project.json("stages/shape/drift-assessments/DA-07.json")["id"] == "AS-07"
    truth = project.truth()
    assert (truth.last_assessment, truth.next_assessment) == (made, 8)


def test_a_loss_is_put_down_once(project: TruthProject) -> None:
    """However often it is looked at; a loss after it was made anew is another one."""
    lost = LogBaseline(scope="", entry_type="baseline_corruption_event", tick=4)
    perform(project, lost, lost)
    perform(project, LogBaseline(scope="", entry_type="baseline_corruption_event", tick=5))
    assert len(project.json("baseline-thrash.json")["events"]) == 1
    perform(project, LogBaseline(scope="", entry_type="baseline_established", tick=6))
    perform(project, LogBaseline(scope="", entry_type="baseline_corruption_event", tick=7))
    assert [event["tick_counter"] for event in project.json("baseline-thrash.json")["events"]] == [4, 7]
    ids = [line["entry_id"][:8] for line in project.lines("action-log.jsonl")[-3:]]
    assert ids == ["BLN-CORR", "BLN-EST-", "BLN-CORR"]


@pytest.mark.parametrize("size", [600, 60])
def test_a_full_disk_in_the_middle_of_the_gate(project: TruthProject, size: int) -> None:
    """It is said with the next step; afterwards nothing is lost and nothing is half."""
    project.write("knowledge/old.md", "changed\n")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        with pytest.raises(EffectError, match="call again"):
            project.tick()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert project.findings() == {"knowledge/old.md": ("modified", "human-implicit")}
    project.classify("inline-fix")
    assert project.findings() == {}
