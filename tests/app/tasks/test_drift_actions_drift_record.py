"""A check remembered, beside others who remember theirs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from leeboard.app.tasks.drift_actions import Recorded, Wanted, Work, judged, record
from leeboard.contracts.disk.drift_folder import DriftFolder, EventCursor
from leeboard.contracts.disk.workgraph import Workgraph
from leeboard.contracts.report import LEAST_SECONDS, TreeCheck
from leeboard.errors import EffectError
from leeboard.model.contract import Contract
from leeboard.model.task import Drifted, DriftReport, Score, Task, TaskState

BOTH = Wanted(log=True, followups=True)


def check(number: int, score: Score = "yellow") -> TreeCheck:
    findings = (Drifted(kind="scope_drift", severity="warn", summary="beyond"),) if score != "green" else ()
    report = DriftReport(
        task_id="one", task_title="Do it", git_root="", score=score, contract={}, telemetry={}, findings=findings
    )
    return TreeCheck(report=report, tree=f"tree-{number}", now=1000.0 + number, stamp=f"2026-01-01T00:00:{number:02d}Z")


class Desk:
    def __init__(self, folder: Path, **contract: Any) -> None:
        self.graph = folder / "graph.jsonl"
        self.graph.write_text('{"kind":"task","id":"one","title":"Do it","status":"in-progress"}\n')
        self.store = str(folder)
        self.contract = Contract(pit_stop_after=2, **contract)

    def record(
        self, found: TreeCheck, wanted: Wanted = BOTH, tasks: Workgraph | None = None, **others: Any
    ) -> Recorded:
        work = Work(
            name="one",
            folder=DriftFolder(self.store),
            contract=self.contract,
            tasks=tasks or Workgraph(self.store),
            base="b1",
        )
        return record(work, found, wanted, **others)

    @property
    def state(self) -> TaskState:
        return DriftFolder(self.store).read().task("one")

    def logged(self) -> list[str]:
        return [entry["message"] for entry in json.loads(self.graph.read_text().splitlines()[0]).get("log", [])]


def test_persistence_leads_to_a_pit_stop_and_recovery_arms_it_again(tmp_path: Path) -> None:
    """SP-30 to SP-32, SP-43."""
    desk = Desk(tmp_path)
    seen = []
    for number, score in enumerate(("yellow", "yellow", "yellow", "green", "yellow", "yellow"), start=1):
        made = desk.record(check(number, score)).done.created  # type: ignore[arg-type]  # three words of a table
        seen.append((desk.state.streak, desk.state.pit_stop_created, "speedrift-pit-one" in made))
    assert seen == [
        *((1, False, False), (2, True, True), (3, True, False), (0, False, False), (1, False, False)),
        (2, True, False),
    ]
    assert desk.state.pit_stops == 2


def test_what_lasts_is_red_and_said_once(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    scores = [desk.record(check(number)).report.score for number in range(1, 8)]
    assert scores == ["yellow"] * 3 + ["red"] * 4
    assert (desk.state.score, desk.state.kinds) == ("red", ("drift_persists", "scope_drift"))
    assert [line for line in desk.logged() if "drift_persists" in line] == [
        "Speedrift: red (drift_persists, scope_drift)"
    ]


def test_the_log_follows_changes_alone(tmp_path: Path) -> None:
    desk = Desk(tmp_path, auto_followups=False)
    for number, score in enumerate(("green", "green", "yellow", "yellow", "green"), start=1):
        desk.record(check(number, score))  # type: ignore[arg-type]  # as above
    assert desk.logged() == [
        *("Speedrift: OK (no findings)", "Speedrift: yellow (scope_drift)", "Speedrift: OK (no findings)")
    ]


def test_state_and_cursor_and_base_are_saved_together(tmp_path: Path) -> None:
    desk, cursor = Desk(tmp_path), EventCursor(inode=1, offset=2, event_id="x")
    desk.record(check(1), cursor=cursor)
    assert (DriftFolder(desk.store).read().cursor, desk.state.base_commit) == (cursor, "b1")


def test_a_task_that_is_not_at_work_has_no_beginning(tmp_path: Path) -> None:
    Desk(tmp_path)
    record(Work(name="one", folder=DriftFolder(str(tmp_path)), base="b1", active=False), check(1), Wanted())
    assert DriftFolder(str(tmp_path)).read().task("one").base_commit == ""


class Meddling(Workgraph):
    """While it is written to, somebody else remembers a check of theirs."""

    def __init__(self, desk: Desk, theirs: TreeCheck) -> None:
        super().__init__(desk.store)
        self._desk, self._theirs = desk, theirs

    def add(self, task: Task) -> bool:
        self._desk.record(self._theirs, Wanted())
        return super().add(task)


def test_a_check_remembered_meanwhile_is_not_lost(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.record(check(1), Wanted())
    desk.record(check(3), tasks=Meddling(desk, check(2)))
    state = desk.state
    assert (state.streak, state.tree, state.pit_stop_created, state.pit_stops) == (3, "tree-3", True, 1)
    assert state.logged == "yellow scope_drift"


def test_what_can_not_be_done_is_said_or_raised(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.graph.write_text(desk.graph.read_text() + "{broken\n")
    assert "will be tried again" in desk.record(check(1)).notes[0]
    assert (desk.state.streak, desk.state.logged) == (1, "")
    before = desk.state
    with pytest.raises(EffectError, match="line 2"):
        desk.record(check(2), replace(BOTH, must=True))
    assert desk.state == before


def test_a_corrupt_state_is_said_once(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    DriftFolder(desk.store).make()
    (tmp_path / ".speedrift" / "state.json").write_text("{")
    notes = desk.record(check(1)).notes
    assert len([note for note in notes if "can not be read" in note]) == 1
    assert desk.state.streak == 1


def test_the_same_check_twice_counts_once() -> None:
    first, _ = judged(TaskState(), check(1), None)
    again, _ = judged(first.state, check(1), None)
    later, _ = judged(first.state, replace(check(1), now=1001.0 + LEAST_SECONDS), None)
    assert (first.state.streak, again.state.streak, later.state.streak) == (1, 1, 2)
