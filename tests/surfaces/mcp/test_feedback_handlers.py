from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.plan.engine import Engine
from leeboard.plan.machine.moves import FeedbackDraft, feedback_new
from tests.mcp_agent import Agent


@pytest.fixture
def filed(builder: Agent) -> Agent:
    """With one finding of an agent and one of a person, both of the stage `build`."""
    builder.until("elaborate")
    answer = builder("feedback", title="Too slow", body="It takes a minute.", author="critic")
    assert (answer["feedback_id"], answer["filed_for"]) == ("FB-01", "build")
    finding = FeedbackDraft(
        title="I do not like it", body="Make it nicer.", stage="build", origin="user-chat", author="kim"
    )
    Engine(str(builder.root)).move("thing", lambda plan, now: feedback_new(plan, finding, now))
    return builder


def listed(agent: Agent, **arguments: str) -> list[str]:
    return [item["id"] for item in agent("feedback_list", **arguments)["feedback"]]


def test_findings_are_filed_listed_and_read(filed: Agent) -> None:
    assert listed(filed) == ["FB-01", "FB-02"]
    assert [item["of_a_person"] for item in filed("feedback_list")["feedback"]] == [False, True]
    assert filed("feedback_read", feedback_id="fb-01")["body"].strip() == "It takes a minute."
    assert filed.refused("feedback_read", feedback_id="FB-09") == "feedback_not_found"
    whole = filed("feedback", stage="intent", title="The whole", body="All of it.")
    assert (whole["feedback_id"], whole["filed_for"]) == ("FB-01", "intent")
    assert filed("feedback_read", stage="intent", feedback_id="FB-01")["title"] == "The whole"
    assert listed(filed, stage="intent") == ["FB-01"]
    assert listed(filed, stage="build", status="closed") == []


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"stage": "ship"}, "stage_not_reached"),
        ({"stage": "nonsense"}, "stage_not_found"),
        ({"stage": "../x"}, "invalid_arguments"),
        ({"title": "a\nb"}, "invalid_title"),
        ({"origin": "user-chat"}, "invalid_arguments"),
    ],
)
def test_what_is_not_filed(filed: Agent, arguments: dict[str, str], code: str) -> None:
    """An agent can not speak with a person's voice."""
    assert filed.refused("feedback", **({"title": "x", "body": "y"} | arguments)) == code


def test_a_persons_finding_stays_a_persons(filed: Agent) -> None:
    for tool, more in (
        ("feedback_update", {"status": "closed"}),
        ("feedback_reject", {"reason": "no"}),
        ("feedback_write", {"body": "It is fine."}),
        ("feedback_delete", {}),
    ):
        assert filed.refused(tool, feedback_id="FB-02", **more) == "human_item"


def test_triage(filed: Agent) -> None:
    assert filed("run_next")["action"] == "feedback_triage"
    for more in ({"to_stage": "build", "resolution": "question"}, {"to_stage": "shape"}, {"to_stage": "intent"}):
        assert filed.refused("feedback_move", feedback_id="FB-02", **more) == "human_item"
    assert filed.refused("feedback_update", feedback_id="FB-02", resolution="question", reply="Nicer.") == "human_item"
    assert not filed("feedback_move", feedback_id="FB-02", to_stage="build", resolution="inline_fix").is_error
    assert filed("feedback_read", feedback_id="FB-02")["status"] == "pending"
    assert filed.refused("feedback_move", feedback_id="FB-01", to_stage="ship") == "stage_not_reached"
    assert not filed("feedback_move", feedback_id="FB-01", to_stage="intent").is_error
    assert listed(filed, stage="intent") == ["FB-01"]


def test_a_body_is_replaced_and_nothing_else(filed: Agent) -> None:
    path = filed.root / filed("feedback_read", feedback_id="FB-01")["file"]
    before = path.read_text(encoding="utf-8")
    assert not filed("feedback_write", feedback_id="FB-01", body="It takes two minutes.").is_error
    assert path.read_text(encoding="utf-8") == before.replace("a minute", "two minutes")


def test_an_ended_finding_is_removed_and_the_seal_holds(filed: Agent) -> None:
    path = Path(filed.root, filed("feedback_read", feedback_id="FB-01")["file"])
    assert filed.refused("feedback_delete", feedback_id="FB-01") == "lifecycle_violation"
    assert not filed("feedback_reject", feedback_id="FB-01", reason="It was the network.").is_error
    assert filed("feedback_delete", feedback_id="FB-01")["deleted"] == "FB-01"
    assert not path.exists()
    assert not filed("run_next").is_error


def test_hats_of_a_fix_come_in_review(filed: Agent) -> None:
    assert filed.refused("feedback_advance_hat", feedback_id="FB-01") == "wrong_phase"
    assert filed.refused("feedback_reject_hat", feedback_id="FB-01", reason="x") == "wrong_phase"
