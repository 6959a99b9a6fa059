"""What is done about a report, and done once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from leeboard.app.tasks.drift_actions import Done, Wanted, act
from leeboard.contracts.disk.workgraph import Workgraph
from leeboard.contracts.report import MOST_ORIGINS, StreakStep
from leeboard.errors import EffectError
from leeboard.model.contract import Contract
from leeboard.model.task import Drifted, DriftReport, TaskState

STAMP, LATER = "2026-01-01T00:00:00.000000Z", "2026-01-01T00:01:00.000000Z"
BOTH = Wanted(log=True, followups=True)
TASK = {"kind": "task", "id": "one", "title": "Do it", "description": "", "status": "in-progress"}
REPORT = DriftReport(
    task_id="one",
    task_title="Do it",
    git_root="/r",
    score="yellow",
    contract={},
    telemetry={},
    findings=(
        Drifted(kind="scope_drift", severity="warn", summary="docs/a.md lies outside"),
        Drifted(kind="hardening_in_core", severity="warn", summary="a retry"),
    ),
)
STEP = StreakStep(state=TaskState(score="yellow", streak=3), changed=True, pit_stop_due=True)
IDS = ["drift-harden-one", "drift-scope-one", "speedrift-pit-one"]


class Store(Workgraph):
    def __init__(self, folder: Path, *others: dict[str, Any]) -> None:
        super().__init__(str(folder))
        self.place = folder / "graph.jsonl"
        self.place.write_text("".join(json.dumps(task) + "\n" for task in (TASK, *others)))

    def tasks(self) -> dict[str, dict[str, Any]]:
        found = [json.loads(line) for line in self.place.read_text().splitlines()]
        return {task["id"]: task for task in found}

    def logged(self) -> list[str]:
        return [entry["message"] for entry in self.tasks()["one"].get("log", [])]

    def edit(self, task_id: str, **values: object) -> None:
        tasks = self.tasks()
        tasks[task_id] |= values
        self.place.write_text("".join(json.dumps(task) + "\n" for task in tasks.values()))


def acted(store: Store, step: StreakStep = STEP, wanted: Wanted = BOTH, stamp: str = STAMP) -> Done:
    return act(store, REPORT, Contract(), step, wanted, stamp)


def test_all_of_it_is_done(tmp_path: Path) -> None:
    """SP-39, SP-40, SP-42, SP-44, SP-45, SP-46."""
    store = Store(tmp_path)
    done = acted(store)
    assert list(done.created) == IDS
    assert store.logged() == [done.logged] == ["Speedrift: yellow (hardening_in_core, scope_drift)"]
    assert (done.state.pit_stop_created, done.state.pit_stops) == (True, 1)
    assert done.state.logged == "yellow hardening_in_core scope_drift"
    tasks = store.tasks()
    assert all(tasks[name]["after"] == ["one"] for name in IDS)
    assert tasks["one"]["status"] == "in-progress"


def test_the_second_time_nothing_happens_and_the_state_is_the_same(tmp_path: Path) -> None:
    """SP-41."""
    store = Store(tmp_path)
    first, graph = acted(store), store.place.read_bytes()
    second = acted(store)
    assert store.place.read_bytes() == graph
    assert second == replace(first, created=(), logged="")


def test_the_same_check_makes_no_second_pit_stop_though_the_first_has_ended(tmp_path: Path) -> None:
    store = Store(tmp_path)
    acted(store)
    store.edit("speedrift-pit-one", status="done")
    assert not acted(store).created
    assert acted(store, stamp=LATER).created == ("speedrift-pit-one-2",)


@pytest.mark.parametrize(
    ("wanted", "made", "entries"),
    [(Wanted(), 0, 0), (Wanted(log=True), 0, 1), (Wanted(followups=True), 3, 0), (BOTH, 3, 1)],
)
def test_only_what_is_wanted(tmp_path: Path, wanted: Wanted, made: int, entries: int) -> None:
    """SP-38."""
    store = Store(tmp_path)
    done = acted(store, wanted=wanted)
    assert (len(done.created), len(store.logged())) == (made, entries)
    assert done.state.pit_stop_created == wanted.followups


def test_a_pit_stop_that_nobody_makes_is_no_reason_to_log(tmp_path: Path) -> None:
    store = Store(tmp_path)
    due = StreakStep(state=STEP.state, pit_stop_due=True)
    acted(store, due, Wanted(log=True))
    assert store.logged() == []
    acted(store, due)
    assert len(store.logged()) == 1


def test_open_follow_ups_are_brought_up_to_date_and_others_left(tmp_path: Path) -> None:
    store = Store(tmp_path)
    acted(store)
    store.edit("drift-scope-one", status="done")
    newer = replace(REPORT, findings=tuple(replace(one, summary="as it is now") for one in REPORT.findings))
    past = act(store, newer, Contract(), StreakStep(state=TaskState()), replace(BOTH, refresh=False), LATER)
    assert past.refreshed == ()
    done = act(store, newer, Contract(), StreakStep(state=TaskState()), BOTH, LATER)
    assert done.refreshed == ("drift-harden-one",)
    assert "as it is now" in store.tasks()["drift-harden-one"]["description"]
    assert "as it is now" not in store.tasks()["drift-scope-one"]["description"]


def test_where_there_is_no_room_the_pit_stop_stays_due(tmp_path: Path) -> None:
    taken = [
        {"kind": "task", "id": f"drift-scope-{n}", "title": "", "status": "open", "after": [str(n)]}
        for n in range(MOST_ORIGINS)
    ]
    store = Store(tmp_path, *taken)
    done = acted(store, StreakStep(state=STEP.state, pit_stop_due=True))
    assert (list(done.held_back), done.created, done.state.pit_stop_created) == (IDS, (), False)
    assert store.logged() == []


def test_a_graph_that_can_not_be_read_is_not_written(tmp_path: Path) -> None:
    store = Store(tmp_path)
    broken = store.place.read_bytes() + b"{broken\n"
    store.place.write_bytes(broken)
    with pytest.raises(EffectError, match="line 2"):
        acted(store)
    assert store.place.read_bytes() == broken
