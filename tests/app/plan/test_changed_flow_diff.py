from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.plan.changed import StageDiff, stage_diff
from leeboard.model.plan import StageState
from tests.flow_desk import SLUG, FlowDesk


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    return FlowDesk(tmp_path, monkeypatch)


def state(desk: FlowDesk, stage: str = "build") -> StageState:
    view = desk.plan_now.stage(stage)
    assert view is not None
    return view.state


def test_what_a_stage_changed_and_none_of_the_records(desk: FlowDesk) -> None:
    desk.at_stage_gate()
    desk.repository.write(f".haiku/intents/{SLUG}/knowledge/NOTES.md", "Known.\n")
    desk.repository.write(f".haiku/intents/{SLUG}/baseline-content/0123", "kept\n")
    desk.repository.write(f".haiku/intents/{SLUG}/stages/build/drift-assessments/DA-01.json", "{}\n")
    desk.repository.write("app.py", "first = 2\n")
    desk.repository.run("add", "--all", "--", ".haiku", "app.py")
    diff = stage_diff(str(desk.root), SLUG, state(desk))
    assert desk.repository.run("log", "-1", "--format=%s", diff.base) == f"haiku({SLUG}): begin stage build"
    assert [path for path, *_ in diff.files] == [
        f".haiku/intents/{SLUG}/knowledge/NOTES.md",
        "app.py",
        "left.txt",
        "right.txt",
    ]
    assert ("app.py", 1, 1) in diff.files
    assert diff.records > 2, "they are counted"
    assert "+first = 2" in diff.lines
    cut = stage_diff(str(desk.root), SLUG, state(desk), most=3)
    assert (cut.lines, cut.left_out) == (diff.lines[:3], len(diff.lines) - 3)


def test_a_file_that_is_no_text(desk: FlowDesk) -> None:
    desk.at_plan_gate()
    desk.repository.write("image", b"\0\1\2")
    desk.repository.run("add", "image")
    assert ("image", -1, -1) in stage_diff(str(desk.root), SLUG, state(desk)).files


def test_where_the_plan_is_not_committed_time_tells(desk: FlowDesk) -> None:
    desk.repository.write(".gitignore", ".haiku/intents/\n")
    begin = desk.repository.commit("ignore the plan", at="2020-01-01T00:00:00Z")
    desk.begin()
    desk.until("elaborate")
    desk.repository.write("new.txt", "new\n")
    desk.repository.commit("later", at="2099-01-01T00:00:00Z")
    diff = stage_diff(str(desk.root), SLUG, state(desk, "shape"))
    assert (diff.base, [path for path, *_ in diff.files]) == (begin, ["new.txt"])


def test_without_git_there_is_nothing_to_compare(tmp_path: Path, desk: FlowDesk) -> None:
    assert stage_diff(str(tmp_path / "elsewhere"), SLUG, StageState(stage="x")) == StageDiff()
    assert stage_diff(str(desk.root), SLUG, StageState(stage="x")) == StageDiff(), "the intent has no branch yet"
