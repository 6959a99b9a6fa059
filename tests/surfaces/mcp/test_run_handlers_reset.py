from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.plan.engine import Engine
from leeboard.plan.machine.moves import decide
from leeboard.surfaces.mcp.calls import Desk, RefusedError
from leeboard.surfaces.mcp.run_handlers import reset
from tests.mcp_agent import Agent


def desk(agent: Agent) -> Desk:
    return Desk(str(agent.root), None)  # type: ignore[arg-type] # a reset asks no caller


def test_the_old_state_is_kept_aside_and_the_description_stays(builder: Agent) -> None:
    aside = Path(reset(desk(builder).folder, "thing"))
    assert (aside / "stages/shape/units/unit-01-shape.md").exists()
    intent = builder("intent_get")
    assert (intent["title"], intent["body"].strip(), intent["studio"]) == ("Make the thing", "It is wanted.", "small")
    assert (intent["stage"], intent["phase"], intent["started_at"]) == ("shape", "", "")
    assert builder("run_next")["action"] == "start_stage"
    assert builder("run_next")["action"] == "elaborate"


def test_a_persons_word_is_not_wiped(builder: Agent) -> None:
    """SH-49."""
    builder.until("elaborate")
    builder.plan("a.txt")
    builder.until("gate_review")
    Engine(str(builder.root)).move("thing", lambda plan, now: decide(plan, "changes_requested", "kim", now, "No."))
    with pytest.raises(RefusedError) as caught:
        reset(desk(builder).folder, "thing")
    assert caught.value.code == "persons_word"


def test_work_that_is_not_merged_is_not_wiped(agent: Agent) -> None:
    agent.begin()
    agent.until("elaborate")
    agent.plan("shape.txt")
    agent.until("start_unit")
    with pytest.raises(RefusedError) as caught:
        reset(desk(agent).folder, "thing")
    assert caught.value.code == "units_under_way"


def test_a_plan_that_was_changed_by_hand_is_not_reset(builder: Agent) -> None:
    intent = builder.root / ".haiku/intents/thing/intent.md"
    intent.write_text(intent.read_text(encoding="utf-8").replace("status: active", "status: locked"), encoding="utf-8")
    with pytest.raises(RefusedError) as caught:
        reset(desk(builder).folder, "thing")
    assert caught.value.code == "tampered"


@pytest.mark.parametrize("how", ["not shown", "shown", "its dispatch removed", "its baseline removed"])
def test_a_change_that_nobody_classified_is_not_wiped(agent: Agent, how: str) -> None:
    """FD-11: the new beginning would take it as it is."""
    top = agent.root / ".haiku/intents/thing"
    agent.begin()
    agent.until("elaborate")
    (top / "knowledge").mkdir()
    (top / "knowledge/a.md").write_text("of a person\n", encoding="utf-8")
    if how != "not shown":
        assert agent("run_next")["action"] == "manual_change_assessment"
    if how == "its dispatch removed":
        (top / "drift-dispatch.json").unlink()
    if how == "its baseline removed":
        (top / "baseline.json").unlink()
    with pytest.raises(RefusedError) as caught:
        reset(desk(agent).folder, "thing")
    assert caught.value.code == "assessment_open"
    assert (top / "stages").exists()


def test_what_the_agent_itself_wrote_is_no_change(agent: Agent) -> None:
    top = agent.root / ".haiku/intents/thing"
    agent.begin()
    agent.until("elaborate")
    (top / "knowledge").mkdir()
    (top / "knowledge/a.md").write_text("of the agent\n", encoding="utf-8")
    assert not agent("record_agent_write", path="knowledge/a.md").is_error
    reset(desk(agent).folder, "thing")
    assert not (top / "stages").exists()
