from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from leeboard.model.unit import Feedback, Pass, ReviewReport
from leeboard.plan.effect import Refusal, RunGates
from leeboard.plan.machine import moves
from tests.plan.plan_world import NOW, TEST_GATE, PlanWorld, stage_spec, work_unit


def world_with(*review: Any, git: bool = True) -> PlanWorld:
    world = PlanWorld(stage_spec(review=review or ("ask",)), stage_spec("ship"), git=git)
    world.enter("gate")
    world.plan_units(work_unit(status="completed"))
    world.reports["build"].append((1, ReviewReport(agent="correctness", verdict="pass")))
    return world


def told(world: PlanWorld) -> tuple[str, dict[str, Any]]:
    clue = world.tick()
    assert clue is not None
    return clue.action, clue.payload


def decide(world: PlanWorld, decision: Any, words: str = "") -> None:
    world.do(moves.decide(world.look(), decision, "ann", NOW, words))


def test_auto_advances_without_a_person() -> None:
    """SH-37"""
    world = world_with("auto")
    action, payload = told(world)
    assert (action, payload["next_stage"], payload["gate_outcome"]) == ("advance_stage", "ship", "advanced")
    assert world.states["build"].status == "completed"


def test_what_nobody_could_prove_passes_by_a_person_alone() -> None:
    """Else a gate would go away with its program."""
    world = world_with("auto")
    world.plan_units(work_unit(status="completed", quality_gates=(TEST_GATE,)))
    world.absent = {TEST_GATE.command: "make"}
    world.apply(RunGates(stage="build", commands=(TEST_GATE,)))
    clue = world.tick()
    assert clue is not None
    assert "is `auto`, but tests could not be run: make is not installed, so a person decides." in clue.message
    action, payload = clue.action, clue.payload
    assert (action, payload["gate_type"]) == ("gate_review", "ask")
    assert payload["decisions"] == ["approved", "changes_requested"]
    assert payload["warnings"] == ["Quality gate tests was not run: make is not installed."]
    decide(world, "approved")
    assert told(world)[0] == "advance_stage"


def test_ask_waits_as_long_as_it_takes() -> None:
    """SH-38 SH-46: it never halts, and says how often it was asked."""
    world = world_with("ask")
    clue = world.tick()
    assert clue is not None
    assert "so a person decides" not in clue.message
    answers = [told(world) for _ in range(7)]
    assert {action for action, _ in answers} == {"gate_review"}
    assert answers[-1][1]["repeats"] == 7
    assert answers[-1][1]["gate_context"] == "stage_gate"
    decide(world, "approved")
    assert told(world)[0] == "advance_stage"


@pytest.mark.parametrize(
    ("decision", "words", "action", "phase"),
    [
        ("approved", "", "advance_stage", "gate"),
        ("changes_requested", "Shorter", "feedback_triage", "review"),
        ("external_review", "", "external_review_requested", "gate"),
    ],
)
def test_three_decisions_have_three_effects(decision: str, words: str, action: str, phase: str) -> None:
    """SH-41 SH-48"""
    world = world_with("external", "ask")
    assert told(world)[1]["decisions"] == ["approved", "changes_requested", "external_review"]
    decide(world, decision, words)
    assert told(world)[0] == action
    assert world.states["build"].phase == phase
    assert (world.states["build"].status == "completed") == (decision == "approved")


def test_changes_begin_the_review_anew() -> None:
    """SH-48 SH-49: reports and rulings of the earlier visit do not count."""
    world = world_with("ask")
    decide(world, "changes_requested", "Shorter")
    assert told(world)[0] == "feedback_triage"
    assert world.states["build"].visits == 2
    change = moves.FeedbackChange(resolution="inline_fix")
    world.do(moves.feedback_update(world.look(), "build", "FB-01", change, NOW))
    for _ in ("fixer", "feedback-assessor"):
        assert told(world)[0] == "review_fix"
        world.do(moves.feedback_advance_hat(world.look(), "build", "FB-01", NOW))
    assert world.feedback["build"]["FB-01"].status == "addressed"
    assert told(world)[0] == "review"
    world.reports["build"].append((2, ReviewReport(agent="correctness", verdict="pass")))
    action, payload = told(world)
    assert (action, payload["findings"][0]["feedback_id"]) == ("gate_review", "FB-01")


def test_external_waits_for_the_merge() -> None:
    """SH-39"""
    world = world_with("external")
    assert told(world)[1]["gate_type"] == "external"
    decide(world, "external_review")
    action, payload = told(world)
    assert (action, payload["branch"]) == ("external_review_requested", "haiku/login/main")
    world.do(moves.external_url(world.look(), "https://example.test/1"))
    for _ in range(6):
        action, payload = told(world)
        assert (action, payload["external_review_url"]) == ("awaiting_external_review", "https://example.test/1")
    assert world.states["build"].status == "active"
    world.external_merged = True
    assert told(world)[0] == "advance_stage"


def test_a_person_may_say_that_it_was_accepted_elsewhere() -> None:
    world = world_with("external")
    decide(world, "external_review")
    assert "approved" in told(world)[1]["decisions"]
    decide(world, "approved")
    assert told(world)[0] == "advance_stage"


def test_changes_asked_for_elsewhere_come_back() -> None:
    world = world_with("external")
    decide(world, "external_review")
    told(world)
    decide(world, "changes_requested", "They want tests")
    assert told(world)[0] == "feedback_triage"


def test_await_waits_for_an_event() -> None:
    """SH-40: recorded by a person, or seen in git."""
    for merged in (False, True):
        world = world_with("await")
        assert told(world)[1]["gate_type"] == "await"
        world.external_merged = merged
        if not merged:
            decide(world, "approved")
        assert told(world)[0] == "advance_stage"


def test_an_external_gate_without_git_asks() -> None:
    """SH-41"""
    assert told(world_with("external", git=False))[1]["gate_type"] == "ask"


@pytest.mark.parametrize("origin", ["agent", "user-chat"])
def test_an_open_item_keeps_the_gate_shut(origin: str) -> None:
    world = world_with("auto")
    world.file(Feedback(id="FB-01", stage="build", origin=origin, triaged_at=NOW))
    assert told(world)[0] == "review_fix"
    assert world.states["build"].phase == "review"


def test_proof_that_no_longer_holds_is_made_again() -> None:
    """SH-20: the tree moved after its review."""
    world = world_with("auto")
    world.intent = replace(world.intent, quality_gates=(TEST_GATE,))
    world.failing = {TEST_GATE.command}
    assert told(world)[0] == "fix_quality_gates"


def test_the_policy_is_read_each_time() -> None:
    """SH-36: changed in STAGE.md, the behaviour changes; but a person's gate is a person's to give up."""
    world = world_with("auto")
    world.hold()
    world.specs["build"] = replace(world.specs["build"], review=("ask",))
    assert told(world)[1]["gate_context"] == "changed_plan"
    decide(world, "approved")
    assert told(world)[1]["gate_context"] == "stage_gate"
    world.intent = replace(world.intent, guards=("build=ask", "ship=ask"))
    world.specs["build"] = replace(world.specs["build"], review=("auto",))
    assert told(world)[1]["gate_context"] == "changed_plan"
    decide(world, "approved")
    assert told(world)[0] == "advance_stage"


def test_changes_of_a_plan_keep_it_in_elaborate() -> None:
    """SH-48: the person looks again before anything is built."""
    world = PlanWorld()
    world.enter("elaborate")
    world.plan_units(work_unit())
    assert told(world)[1]["gate_context"] == "intent_review"
    decide(world, "changes_requested", "Smaller units")
    action, payload = told(world)
    assert (action, payload["feedback"], payload["unstarted_units"]) == (
        "revise_unit_specs",
        "Smaller units",
        ["unit-01-part"],
    )
    change = moves.FeedbackChange(status="addressed")
    world.do(moves.feedback_update(world.look(), "build", "FB-01", change, NOW))
    assert told(world)[0] == "gate_review"
    decide(world, "approved")
    assert told(world)[0] == "intent_approved"
    assert (world.states["build"].phase, world.intent.intent_reviewed) == ("execute", True)


def test_an_approval_ends_what_was_addressed() -> None:
    world = world_with("ask")
    filed = Feedback(
        id="FB-01", stage="build", origin="user-chat", status="addressed", closed_by="fixer", triaged_at=NOW
    )
    world.file(filed)
    world.file(replace(filed, id="FB-02", status="answered"))
    decide(world, "approved")
    assert told(world)[0] == "advance_stage"
    ended = world.feedback["build"]
    assert [(item.status, item.closed_by) for item in ended.values()] == [("closed", "ann"), ("answered", "fixer")]


def test_a_gate_by_itself_ends_nothing_of_a_person() -> None:
    world = world_with("auto")
    world.file(Feedback(id="FB-01", stage="build", origin="user-chat", status="addressed", triaged_at=NOW))
    action, payload = told(world)
    assert (action, payload["decisions"]) == ("gate_review", ["approved", "changes_requested"])
    assert world.feedback["build"]["FB-01"].status == "addressed"
    decide(world, "approved")
    assert told(world)[0] == "advance_stage"
    assert world.feedback["build"]["FB-01"].status == "closed"


def test_what_is_decided_on_is_committed() -> None:
    world = world_with("ask")
    world.dirty = ("src/part1.py",)
    action, payload = told(world)
    assert (action, payload["dirty_files"]) == ("commit_wip", ["src/part1.py"])
    refused = moves.decide(world.look(), "approved", "ann", NOW)
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.details["dirty_files"]) == ("uncommitted_changes", ["src/part1.py"])
    world.dirty = ()
    assert told(world)[0] == "gate_review"


def test_people_see_what_was_called_done_without_a_change() -> None:
    world = world_with("ask")
    done = (Pass(hat="builder"), Pass(hat="reviewer", reason="It is right as it is."))
    world.plan_units(work_unit(status="completed", passes=done))
    expected = [{"unit": "unit-01-part", "hat": "reviewer", "reason": "It is right as it is."}]
    assert told(world)[1]["nothing_changed"] == expected


def test_a_finding_that_was_closed_with_a_reason_alone_is_shown_and_approved_with_it() -> None:
    """It is ended by then: nobody would see it otherwise. Another reason is another thing to approve."""
    world = world_with("ask")
    filed = Feedback(id="FB-01", stage="build", title="Slow", status="closed", triaged_at=NOW, closed_by="assessor")
    world.file(filed)
    decide(world, "approved")
    world.file(replace(filed, passes=(Pass(hat="fixer", reason="Fast enough."), Pass(hat="assessor"))))
    clue = world.tick()
    assert clue is not None
    assert (clue.action, "no change: FB-01." in clue.message) == ("gate_review", True)
    assert clue.payload["nothing_changed"] == [
        {"feedback_id": "FB-01", "stage": "build", "title": "Slow", "hat": "fixer", "reason": "Fast enough."}
    ]
    decide(world, "approved")
    assert told(world)[0] == "advance_stage"


def test_until_the_next_tick_a_person_may_think_again() -> None:
    """The newest decision counts; what was taken back decides nothing."""
    world = world_with("ask")
    decide(world, "approved")
    decide(world, "approved")
    world.do(moves.withdraw(world.look(), "ann", NOW))
    assert told(world)[0] == "gate_review"
    refused = moves.withdraw(world.look(), "ann", NOW)
    assert isinstance(refused, Refusal)
    assert refused.code == "nothing_to_withdraw"
    decide(world, "changes_requested", "Shorter")
    decide(world, "approved")
    decide(world, "changes_requested", "Longer")
    assert told(world)[0] == "feedback_triage"
    assert [item.title for item in world.feedback["build"].values()] == ["Longer"]
    assert isinstance(moves.withdraw(world.look(), "ann", NOW), Refusal), "it was acted on"


def test_a_review_elsewhere_that_was_begun_is_not_taken_back_with_what_came_after() -> None:
    world = world_with("external", "ask")
    decide(world, "external_review")
    assert told(world)[0] == "external_review_requested"
    decide(world, "approved")
    world.do(moves.withdraw(world.look(), "ann", NOW))
    assert told(world)[0] == "awaiting_external_review"
