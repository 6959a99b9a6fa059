"""What was said last of each task."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.app.tasks.event_place import EventMark, EventMarks, Failed, epoch, failed, seen
from leeboard.contracts.report_json import DriftEvent, render_event
from leeboard.model.task import Drifted, DriftReport, Score

STAMP = "2026-01-01T00:00:00.500000Z"
AT = 1767225600.5


def line(task: str, score: Score = "yellow", tree: str = "t1", base: str = "b") -> bytes:
    drifted = (Drifted(kind="scope_drift", severity="warn", summary=""), Drifted(kind="z", severity="info", summary=""))
    report = DriftReport(
        task_id=task, task_title="", git_root="/r", score=score, contract=None, telemetry={}, findings=drifted
    )
    return render_event(DriftEvent(id="1", timestamp=STAMP, report=report, tree=tree, base=base))


def test_the_last_event_of_each_task_counts_in_both_files(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    (tmp_path / "events.jsonl.1").write_bytes(line("one") + line("two"))
    path.write_bytes(line("two", tree="t2") + b"{half a line\n" + b'{"timestamp": 3}\n' + b"[]\n" + line("one")[:-1])
    marks = EventMarks(str(path))
    assert marks.read() == {
        "one": EventMark(says=seen("yellow", ("scope_drift",), "t1"), at=AT, base="b"),
        "two": EventMark(says=seen("yellow", ("scope_drift",), "t2"), at=AT, base="b"),
    }
    with path.open("ab") as file:
        file.write(b"\n" + line("", "green", "t3"))
    assert marks.read()[""].says == seen("green", ("scope_drift",), "t3")


def test_a_failure_keeps_where_the_work_began(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    event = Failed(event_id="1", timestamp=STAMP, task_id="one", error="git is gone")
    path.write_bytes(line("one") + msgspec.json.encode(event) + b"\n")
    assert EventMarks(str(path)).read()["one"] == EventMark(says=failed("git is gone"), at=AT, base="b")


def test_where_there_is_no_file_nothing_was_said(tmp_path: Path) -> None:
    assert EventMarks(str(tmp_path / "events.jsonl")).read() == {}


@pytest.mark.parametrize(
    ("text", "reason"),
    [("", "Invalid"), ("now", "Invalid"), ("2026-01-01T00:00:00", "time zone"), ("2026-13-01T00:00:00Z", "month")],
)
def test_what_is_no_moment(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        epoch(text)


@given(st.lists(st.binary(max_size=80), max_size=6))
def test_any_bytes_are_read(tmp_path_factory: pytest.TempPathFactory, chunks: list[bytes]) -> None:
    path = tmp_path_factory.mktemp("marks") / "events.jsonl"
    path.write_bytes(b"\n".join(chunks) + b"\n" + line("one"))
    assert "one" in EventMarks(str(path)).read()
