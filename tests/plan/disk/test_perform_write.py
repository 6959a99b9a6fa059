from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.plan.engine import Engine
from leeboard.errors import StateError
from leeboard.model.plan import Plan
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.perform import FileEffect, PlanWriter
from leeboard.plan.disk.read import look_at
from leeboard.plan.effect import (
    NewFeedback,
    RecordReport,
    RecordRuling,
    WriteFeedback,
    WriteIntent,
    WriteStage,
    WriteUnit,
)
from tests.git_repository import GitRepository

NOW = "2026-01-01T10:00:00Z"
FINDING = NewFeedback(stage="shape", title="Too long!", body="Shorten it.", origin="agent", author="critic", key="k1")


@pytest.fixture
def folder(repository: GitRepository) -> PlanFolder:
    Engine(repository.root).create("Count words", "Do it.", "x", "small")
    path = ".haiku/intents/x/stages/shape/units/unit-01-a.md"
    repository.write(path, "---\ntitle: A # why\nodd: {a: 1}\n---\nBody stays.\n")
    return PlanFolder(repository.root)


def perform(folder: PlanFolder, *effects: FileEffect) -> Plan:
    seen = look_at(folder, "x")
    PlanWriter(folder, seen.plan, seen.seal).perform(effects, NOW)
    after = look_at(folder, "x")
    assert after.plan.sealed
    return after.plan


def test_fields_are_set_and_everything_else_stays(folder: PlanFolder) -> None:
    plan = perform(
        folder,
        WriteIntent(fields={"active_stage": "shape"}),
        WriteStage(stage="shape", fields={"status": "active", "phase": "execute"}),
        WriteUnit(stage="shape", unit="unit-01-a", fields={"status": "active", "bolt": 1}),
        WriteUnit(stage="shape", unit="unit-01-a", fields={"hat": "worker"}),
    )
    unit = plan.stages[0].units[0]
    assert (unit.status, unit.bolt, unit.hat) == ("active", 1, "worker")
    assert (plan.intent.active_stage, plan.stages[0].state.phase) == ("shape", "execute")
    text = folder.text("intents/x/stages/shape/units/unit-01-a.md") or ""
    assert "title: A # why\nodd: {a: 1}\n" in text
    assert text.endswith("---\nBody stays.\n")


def test_a_finding_is_filed_once(folder: PlanFolder) -> None:
    perform(folder, FINDING)
    other = NewFeedback(stage="", title="?", body="b", origin="user-chat", author="kim", key="k1", fields={"bolt": 2})
    again = NewFeedback(stage="shape", title="More", body="b", origin="agent", author="critic", key="k2")
    plan = perform(folder, FINDING, again, again, other)
    assert [(item.id, item.title) for item in plan.stages[0].feedback] == [("FB-01", "Too long!"), ("FB-02", "More")]
    assert plan.stages[0].feedback[0].file == ".haiku/intents/x/stages/shape/feedback/01-too-long.md"
    (whole,) = plan.feedback
    assert (whole.id, whole.is_human, whole.bolt, whole.created_at) == ("FB-01", True, 2, NOW)
    plan = perform(folder, WriteFeedback(stage="shape", feedback="FB-02", fields={"status": "closed"}))
    assert [item.status for item in plan.stages[0].feedback] == ["pending", "closed"]


def test_reports_and_rulings_are_kept(folder: PlanFolder) -> None:
    ruling = RecordRuling(stage="shape", decision="approved", feedback="", by="kim", visit=0, context="stage_gate")
    report = RecordReport(stage="shape", agent="critic", verdict="pass", body="Fine.")
    view = perform(folder, ruling, report, ruling).stages[0]
    assert [one.agent for one in view.reports] == ["critic"]
    assert [one.decision for one in view.rulings] == ["approved"], "done again it is the same one"


@pytest.mark.parametrize(
    ("effect", "said"),
    [
        (WriteUnit(stage="shape", unit="unit-09-gone", fields={"status": "active"}), "unit-09-gone.md is gone"),
        (WriteFeedback(stage="shape", feedback="FB-09", fields={"status": "closed"}), "has no FB-09"),
        (
            WriteUnit(stage="shape", unit="unit-02-bad", fields={"status": "active"}),
            "unit-02-bad.md can not be changed",
        ),
        (
            WriteUnit(stage="shape", unit="unit-03-link", fields={"status": "active"}),
            "unit-03-link.md leads over a sym",
        ),
        (WriteStage(stage="linked", fields={"status": "active"}), "leads over a symbolic link"),
    ],
)
def test_a_refusal_comes_before_the_first_write(
    folder: PlanFolder, tmp_path: Path, effect: FileEffect, said: str
) -> None:
    folder.write("intents/x/stages/shape/units/unit-02-bad.md", b"---\n{[\n---\n")
    seen = look_at(folder, "x")
    (tmp_path / "outside").mkdir()
    Path(folder.spelled("intents/x/stages/shape/units/unit-03-link.md")).symlink_to(tmp_path / "outside" / "u.md")
    Path(folder.spelled("intents/x/stages/linked")).symlink_to(tmp_path / "outside")
    before = folder.read("intents/x/intent.md")
    with pytest.raises(StateError, match=said):
        PlanWriter(folder, seen.plan, seen.seal).perform([WriteIntent(fields={"active_stage": "shape"}), effect], NOW)
    assert folder.read("intents/x/intent.md") == before
    assert list((tmp_path / "outside").iterdir()) == []


def test_what_somebody_changes_between_look_and_write_is_not_sealed(folder: PlanFolder) -> None:
    perform(folder, WriteUnit(stage="shape", unit="unit-01-a", fields={"status": "active"}))
    seen = look_at(folder, "x")
    path = "intents/x/stages/shape/units/unit-01-a.md"
    folder.write(path, (folder.read(path) or b"").replace(b"active", b"completed"))
    with pytest.raises(StateError, match="changed by somebody else"):
        PlanWriter(folder, seen.plan, seen.seal).perform(
            [WriteUnit(stage="shape", unit="unit-01-a", fields={"hat": "worker"})], NOW
        )
    assert look_at(folder, "x").plan.tampered == ("stages/shape/units/unit-01-a.md",)
