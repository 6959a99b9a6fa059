"""Events acted on: in order, once, and none passed over in silence."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.app.tasks.drift_actions import Handled, Redirect, Wanted, redirects
from leeboard.contracts.disk.drift_folder import DriftFolder, DriftState
from leeboard.contracts.disk.workgraph import Workgraph
from leeboard.contracts.report import LEAST_SECONDS
from leeboard.contracts.report_json import DriftEvent, render_event
from leeboard.errors import EffectError
from leeboard.io import clock
from leeboard.model.task import Drifted, DriftReport, Score

BOTH = Wanted(log=True, followups=True)
CONTRACT = {"schema": 1, "mode": "core", "touch": ["src/**"], "pit_stop_after": 2}
START = 1_800_000_000.0


class Desk:
    """A graph with three tasks, and a file of events."""

    def __init__(self, folder: Path) -> None:
        self.store = folder
        self.graph = folder / "graph.jsonl"
        tasks = [("one", "in-progress"), ("two", "in-progress"), ("gone-by", "done")]
        lines = [{"kind": "task", "id": name, "title": name, "status": status} for name, status in tasks]
        self.graph.write_text("".join(json.dumps(line) + "\n" for line in lines))
        self.folder = DriftFolder(str(folder))
        self.folder.make()
        self.events = Path(self.folder.events)

    def event(self, number: int, score: Score = "yellow", task: str = "one", tree: str = "") -> bytes:
        findings = (Drifted(kind="scope_drift", severity="warn", summary="beyond"),) if score != "green" else ()
        report = DriftReport(
            task_id=task,
            task_title="Do it",
            git_root="/r",
            score=score,
            contract=CONTRACT,
            telemetry={},
            findings=findings,
        )
        stamp = clock.stamp(START + number)
        return render_event(
            DriftEvent(id=f"id{number}", timestamp=stamp, report=report, tree=tree or f"t{number}", base="b1")
        )

    def append(self, *lines: bytes) -> None:
        with self.events.open("ab") as file:
            file.write(b"".join(lines))

    def redirect(self, wanted: Wanted = BOTH) -> Redirect:
        return Redirect(DriftFolder(str(self.store)), Workgraph(str(self.store)), wanted)

    def act(self, wanted: Wanted = BOTH) -> list[Handled]:
        return list(self.redirect(wanted).round())

    @property
    def state(self) -> DriftState:
        return DriftFolder(str(self.store)).read()

    @property
    def tasks(self) -> dict[str, dict[str, Any]]:
        found = [json.loads(line) for line in self.graph.read_text().splitlines()]
        return {task["id"]: task for task in found}

    def logged(self, task: str = "one") -> list[str]:
        return [entry["timestamp"] for entry in self.tasks[task].get("log", [])]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_events_in_order_task_and_log_out(desk: Desk) -> None:
    """SP-36."""
    desk.append(desk.event(1, "green"), desk.event(2), desk.event(3), desk.event(4, task="two"))
    handled = desk.act()
    assert [(one.event.id, one.streak) for one in handled if one.event] == [
        ("id1", 0),
        ("id2", 1),
        ("id3", 2),
        ("id4", 1),
    ]
    assert list(desk.tasks)[3:] == ["drift-scope-one", "speedrift-pit-one", "drift-scope-two"]
    assert desk.logged() == [clock.stamp(START + number) for number in (1, 2)]
    assert (desk.state.task("one").streak, desk.state.task("one").base_commit) == (2, "b1")
    assert desk.state.cursor.event_id == "id4"
    graph = desk.graph.read_bytes()
    assert desk.act() == []
    assert desk.graph.read_bytes() == graph


def test_time_passes_between_events_and_not_between_readings(desk: Desk) -> None:
    seconds = int(LEAST_SECONDS)
    desk.append(*(desk.event(number, tree="same") for number in (1, 2, seconds, seconds + 1, 2 * seconds + 2)))
    assert [one.streak for one in desk.act()] == [1, 1, 1, 2, 3]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{half a li\n", "line at byte {at}"),
        (b"[]\n", "must be an object"),
        (b'{"score": "blue"}\n', "score must be one of"),
        (b'{"score": "red", "task_id": "one"}\n', "line at byte {at}"),
        (b'{"score": "red", "task_id": "one", "timestamp": "2026-01-01T00:00:00"}\n', "time zone"),
        (
            b'{"kind": "drift_report", "score": "red", "task_id": "nowhere", "timestamp": "2026-01-01T00:00:00Z"}\n',
            "gone",
        ),
        (b'{"score": "red", "task_id": "gone-by", "timestamp": "2026-01-01T00:00:00Z"}\n', "that task is done"),
    ],
)
def test_what_nobody_can_act_on_is_passed_over_and_said(desk: Desk, line: bytes, reason: str) -> None:
    first = desk.event(1)
    desk.append(first, line, desk.event(2))
    handled = desk.act()
    assert [one.event.id if one.event else "" for one in handled] == ["id1", "", "id2"]
    assert reason.format(at=len(first)) in handled[1].notes[0]
    assert desk.act() == []


@pytest.mark.parametrize("line", [b"\n", b'{"kind": "monitor_error", "task_id": "one"}\n', b'{"kind": "other"}\n'])
def test_events_of_others_are_nobodys_business(desk: Desk, line: bytes) -> None:
    desk.append(desk.event(1), line)
    assert [one.notes for one in desk.act()] == [(), ()]
    assert desk.state.cursor.offset == desk.events.stat().st_size
    assert desk.act() == []


def test_half_a_line_waits(desk: Desk) -> None:
    second = desk.event(2)
    desk.append(desk.event(1), second[:40])
    assert len(desk.act()) == 1
    desk.append(second[40:])
    assert [one.event.id for one in desk.act() if one.event] == ["id2"]


def test_a_report_inside_of_an_event_and_no_kind_are_read_too(desk: Desk) -> None:
    fields = json.loads(desk.event(1))
    report = {name: fields.pop(name) for name in ("task_id", "task_title", "score", "contract", "findings")}
    del fields["kind"]
    desk.append(json.dumps(fields | {"report": report}).encode() + b"\n")
    assert [one.streak for one in desk.act()] == [1]


def test_what_can_not_be_done_now_keeps_its_event_and_all_behind_it(desk: Desk) -> None:
    desk.append(desk.event(1))
    desk.act()
    desk.append(desk.event(2), desk.event(3))
    graph = desk.graph.read_text()
    desk.graph.write_text(graph + "{broken\n")
    before = desk.state
    with pytest.raises(EffectError, match="nothing is written"):
        desk.act()
    assert desk.state == before
    desk.graph.write_text(graph)
    assert [one.streak for one in desk.act()] == [2, 3]


@pytest.mark.parametrize(
    ("wanted", "entries", "made"),
    [(Wanted(), 0, 0), (Wanted(log=True), 1, 0), (Wanted(followups=True), 0, 1), (BOTH, 1, 1)],
)
def test_only_what_is_wanted(desk: Desk, wanted: Wanted, entries: int, made: int) -> None:
    desk.append(desk.event(1))
    desk.act(wanted)
    assert (len(desk.logged()), len(desk.tasks) - 3) == (entries, made)
    assert desk.state.task("one").streak == 1


def many(desk: Desk) -> None:
    scores: tuple[Score, ...] = ("green", "yellow", "yellow", "green", "yellow", "yellow", "yellow", "yellow", "yellow")
    desk.append(*(desk.event(number, score) for number, score in enumerate(scores, start=1)))


def test_from_the_start_nothing_grows(desk: Desk) -> None:
    many(desk)
    desk.act()
    graph, state = desk.graph.read_bytes(), desk.state
    for _ in range(3):
        assert list(desk.redirect().replay()) == []
        assert desk.act() == []
    assert (desk.graph.read_bytes(), desk.state) == (graph, state)


def test_from_the_start_what_is_missing_is_made_up_for(desk: Desk) -> None:
    many(desk)
    desk.act(Wanted())
    desk.append(desk.event(20))
    state = desk.state
    list(desk.redirect().replay())
    assert desk.state == state
    assert desk.logged() == [clock.stamp(START + number) for number in (1, 2, 4, 5, 8)]
    assert list(desk.tasks)[3:] == ["drift-scope-one"]


def test_a_file_that_was_moved_aside_or_copied_is_read_on(desk: Desk) -> None:
    many(desk)
    desk.act()
    state = desk.state
    copy = desk.events.read_bytes()
    desk.events.rename(desk.events.with_suffix(".kept"))
    desk.events.write_bytes(copy)
    assert desk.act() == []
    assert desk.state == state
    desk.events.unlink()
    desk.append(desk.event(30, "green"))
    assert [one.event.id for one in desk.act() if one.event] == ["id30"]


def test_a_corrupt_state_is_set_aside_and_counted_anew_from_the_events(desk: Desk) -> None:
    many(desk)
    desk.act()
    graph, task = desk.graph.read_bytes(), desk.state.task("one")
    state = Path(desk.folder.path) / "state.json"
    state.write_text("{")
    notes = [note for one in desk.act() for note in one.notes]
    assert any("can not be read" in note for note in notes)
    assert (desk.graph.read_bytes(), desk.state.task("one").streak) == (graph, task.streak)


def test_work_without_a_task_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    (redirect,) = redirects(str(tmp_path), os.environ, BOTH)
    redirect.folder.make()
    (tmp_path / "store").mkdir()
    Path(redirect.folder.events).write_bytes(Desk(tmp_path / "store").event(1, task=""))
    assert [one.streak for one in redirect.round()] == [1]
    assert redirect.folder.read().task("contract").streak == 1


@given(st.lists(st.one_of(st.binary(max_size=60), st.integers(1, 9)), max_size=8))
def test_whatever_stands_in_the_file_every_event_is_acted_on_once(
    tmp_path_factory: pytest.TempPathFactory, parts: list[bytes | int]
) -> None:
    desk = Desk(tmp_path_factory.mktemp("desk"))
    numbers = [part for part in parts if isinstance(part, int)]
    for part in parts:
        desk.append(desk.event(part) if isinstance(part, int) else part.replace(b"\n", b" ") + b"\n")
    acted = [one.event.id for one in desk.act() if one.event]
    assert acted == [f"id{number}" for number in numbers]
    assert desk.act() == []
