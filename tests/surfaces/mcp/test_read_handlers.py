from __future__ import annotations

import json

import pytest

from tests.mcp_agent import Agent


def test_how_an_intent_stands(builder: Agent) -> None:
    intent = builder("intent_get")
    assert (intent["slug"], intent["stage"], intent["phase"]) == ("thing", "build", "elaborate")
    assert intent["stages"][0] == {"name": "shape", "status": "completed"}
    assert builder("intent_list")["intents"][0]["stage"] == "build"
    assert builder("dashboard")["lines"] == ["thing: build, elaborate; 0 of 0 units done, 0 findings open"]
    assert builder("stage_get", stage="shape")["units"] == {"unit-01-shape": "completed"}


def test_a_unit_is_shown(builder: Agent) -> None:
    unit = builder("unit_get", stage="shape", unit="unit-01-shape")
    assert unit["criteria"] == [{"text": "shape.txt is there", "done": True}]
    assert builder("unit_get", stage="shape", unit="unit-01-shape", field="hat")["hat"] == "worker"
    assert builder.refused("unit_get", stage="shape", unit="unit-01-shape", field="nonsense") == "unknown_field"
    assert builder.refused("unit_get", unit="unit-01-shape") == "unit_not_found"


def test_nobody_is_given_the_whole_map(builder: Agent) -> None:
    """SH-03: units of a stage that is to come are told by no tool."""
    later = builder.root / ".haiku/intents/thing/stages/ship/units/unit-01-secret.md"
    later.parent.mkdir(parents=True)
    later.write_text("---\ntitle: Hidden\n---\nx\n", encoding="utf-8")
    answers = [
        builder(tool)
        for tool in (
            "run_next",
            "intent_get",
            "intent_list",
            "dashboard",
            "stage_get",
            "unit_list",
            "feedback_list",
            "repair",
        )
    ]
    for stage in ("stage_get", "unit_list", "feedback_list"):
        assert builder.refused(stage, stage="ship") == "stage_not_reached"
    assert builder.refused("unit_read", stage="ship", unit="unit-01-secret") == "stage_not_reached"
    assert "secret" not in json.dumps([answer.json for answer in answers])
    assert "Hidden" not in json.dumps([answer.json for answer in answers])


def test_without_an_intent(agent: Agent) -> None:
    assert agent("intent_list")["intents"] == []
    assert agent("dashboard")["lines"] == []
    assert agent.refused("intent_get") == "not_possible"


@pytest.mark.parametrize("stage", ["nonsense", "main"])
def test_stages_that_are_none(builder: Agent, stage: str) -> None:
    assert builder.refused("stage_get", stage=stage) == "stage_not_found"


def test_which_version_answers(agent: Agent) -> None:
    assert agent("version_info")["protocol_versions"][-1] == "2025-11-25"
