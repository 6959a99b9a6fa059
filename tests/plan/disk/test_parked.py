"""Two intents in one project: whoever works on one finds it, whatever was worked on last."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.flow_desk import FlowDesk


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    """`thing` waits at the gate of its plan; `other` was begun since, and its branch is checked out."""
    made = FlowDesk(tmp_path, monkeypatch)
    made.at_plan_gate()
    made.ok("new", "Other", "--slug", "other", "--studio", "small")
    made("run_next", intent="other")
    assert made.repository.run("branch", "--show-current") == "haiku/other/main"
    return made


def test_the_first_one_goes_on_as_if_nothing_had_come_between(desk: FlowDesk) -> None:
    assert desk("run_next", intent="thing")["action"] == "gate_review"
    assert desk("run_next", intent="other")["action"] == "elaborate"
    desk.ok("review", "--approve", "--intent", "thing")
    desk("run_next", intent="other")
    assert desk("run_next", intent="thing")["action"] == "start_units"
    desk("run_next", intent="other")
    assert "thing is put away" in desk.ok("archive", "thing")


def test_who_only_looks_moves_nothing(desk: FlowDesk) -> None:
    desk.flow("status", "--intent", "thing")
    desk("intent_get", intent="thing")
    desk("intent_list")
    assert desk.repository.run("branch", "--show-current") == "haiku/other/main"
    assert "thing" in desk.ok("status", "--all")


def test_work_that_is_not_committed_is_not_taken_along(desk: FlowDesk) -> None:
    desk.repository.write("app.py", "changed = 1\n")
    assert desk.refused("run_next", intent="thing") == "not_possible"
    assert "app.py" in desk.denied("next", "--intent", "thing", code=2)
    assert (desk.root / "app.py").read_text() == "changed = 1\n"
    assert desk.repository.run("branch", "--show-current") == "haiku/other/main"
