from __future__ import annotations

import pytest

from leeboard.model.plan import Clue, Intent, Plan, StageState, StageStatus, StageView
from leeboard.model.studio import StageSpec
from leeboard.plan.disk.folder import hold
from leeboard.plan.disk.read import look_at
from leeboard.plan.effect import Refusal
from leeboard.surfaces.mcp.calls import Desk, RefusedError, handed, reached_stages, sealing, stage_of
from tests.mcp_agent import Agent, Answer


def plan(*statuses: StageStatus) -> Plan:
    views = [
        StageView(spec=StageSpec(name=f"s{at}"), state=StageState(stage=f"s{at}", status=status))
        for at, status in enumerate(statuses)
    ]
    return Plan(intent=Intent(slug="x"), stages=tuple(views))


def test_a_clue_is_handed_over() -> None:
    answer = Answer(
        handed("x", Clue(action="elaborate", message="Split it.", payload={"turns": 1}, waits=True), more=2)
    )
    assert answer.json == {
        "action": "elaborate",
        "intent": "x",
        "message": "Split it.",
        "turns": 1,
        "more": 2,
        "waits": True,
    }
    assert answer.words.startswith("Split it.")
    assert not answer.is_error


def test_a_clue_that_is_an_error_has_a_code() -> None:
    answer = Answer(handed("x", Clue(action="error", message="No.", payload={"error": "tampered"}, is_error=True)))
    assert answer.is_error
    assert (answer["code"], answer["next"]) == ("tampered", "haiku_run_next")


def test_a_refusal_is_handed_over() -> None:
    details = {"next_step": "Look with haiku_feedback_list.", "missing": ["y"]}
    answer = Answer(handed("x", Refusal(code="c", message="No.", details=details)))
    assert answer.json == {"code": "c", "message": "No.", "next": "haiku_feedback_list", "missing": ["y"]}
    assert answer.is_error


def test_what_the_agent_itself_answers_is_not_waited_for() -> None:
    answer = Answer(handed("x", Clue(action="manual_change_assessment", message="Classify.", waits=True)))
    assert ("waits" in answer.json, answer["next"]) == (False, "haiku_classify_drift")


def test_without_the_intent_that_is_meant_a_tool_that_helps_is_named(agent: Agent) -> None:
    assert agent("run_next")["next"] == "haiku_intent_create"
    assert agent("baseline_init")["next"] == "haiku_intent_create"
    agent("intent_create", title="One", description="x", slug="one")
    assert agent("run_next", intent="nothing")["next"] == "haiku_intent_list"
    agent("intent_create", title="Two", description="x", slug="two")
    assert agent("run_next")["next"] == "haiku_intent_list"


@pytest.mark.parametrize(
    ("statuses", "reached"),
    [
        (("active", "pending"), ["s0"]),
        (("completed", "pending", "completed"), ["s0", "s1"]),
        (("completed", "completed"), ["s0", "s1"]),
        ((), []),
    ],
)
def test_how_far_the_work_has_come(statuses: tuple[StageStatus, ...], reached: list[str]) -> None:
    """SH-03."""
    assert [view.spec.name for view in reached_stages(plan(*statuses))] == reached


def test_which_stage_is_meant() -> None:
    assert stage_of(plan("completed", "active"), {}).spec.name == "s1"
    assert stage_of(plan("completed", "active"), {"stage": "s0"}).spec.name == "s0"
    for arguments, code in (({"stage": "s1"}, "stage_not_reached"), ({"stage": "s9"}, "stage_not_found")):
        with pytest.raises(RefusedError) as caught:
            stage_of(plan("active", "pending"), arguments)
        assert caught.value.code == code
    with pytest.raises(RefusedError) as caught:
        stage_of(plan("completed"), {})
    assert caught.value.code == "no_active_stage"


def test_the_seal_admits_what_is_coming_and_then_only_that(builder: Agent) -> None:
    folder = Desk(str(builder.root), None).folder  # type: ignore[arg-type] # nobody waits here
    path = "stages/shape/units/unit-01-shape.md"
    with hold(folder, "thing"), sealing(look_at(folder, "thing"), {path: {}}):
        assert look_at(folder, "thing").plan.sealed
        folder.remove(f"intents/thing/{path}")
    assert look_at(folder, "thing").plan.sealed
