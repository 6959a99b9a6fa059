from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from leeboard.model.plan import Iteration
from leeboard.model.unit import Feedback, ReviewReport
from leeboard.plan.effect import NewFeedback, PlanStep, RecordReport, RecordRuling, Refusal, WriteIntent
from leeboard.plan.machine import moves
from leeboard.plan.machine.look import looking
from leeboard.plan.machine.policy import shown
from tests.plan.plan_world import NOW, TEST_GATE, PlanWorld, stage_spec, work_unit


def world_in(phase: str, *review: Any, **changes: Any) -> PlanWorld:
    world = PlanWorld(stage_spec("design"), stage_spec(review=review or ("ask",)), stage_spec("ship"))
    world.enter("gate", "design", status="completed")
    world.enter(phase, **changes)
    world.plan_units(work_unit(status="completed" if phase in {"review", "gate"} else "pending"))
    if phase == "gate":
        world.reports["build"].append((1, ReviewReport(agent="correctness", verdict="pass")))
    return world


def refused(found: PlanStep | Refusal) -> str:
    assert isinstance(found, Refusal), found
    assert found.message.endswith(found.details["next_step"])
    return found.code


def done(found: PlanStep | Refusal) -> Any:
    assert isinstance(found, PlanStep), found
    return found.do[-1]


@pytest.mark.parametrize(
    ("phase", "review", "decision", "words", "code"),
    [
        ("execute", (), "approved", "", "gate_not_open"),
        ("gate", ("auto",), "approved", "", "gate_not_open"),
        ("gate", ("ask",), "external_review", "", "decision_not_offered"),
        ("gate", ("external",), "approved", "", "decision_not_offered"),
        ("elaborate", ("external", "ask"), "external_review", "", "decision_not_offered"),
        ("gate", ("ask",), "changes_requested", "  ", "feedback_required"),
    ],
)
def test_a_decision_that_can_not_be_made(phase: str, review: Any, decision: Any, words: str, code: str) -> None:
    """SH-48 SH-49"""
    assert refused(moves.decide(world_in(phase, *review).look(), decision, "ann", NOW, words)) == code


@pytest.mark.parametrize(("phase", "context"), [("elaborate", "elaborate_to_execute"), ("gate", "stage_gate")])
def test_a_decision_is_written_down_and_nothing_else(phase: str, context: str) -> None:
    """SH-46: the tick acts on it, so that a restart of anything keeps it."""
    plan = world_in(phase, visits=1).look()
    step = moves.decide(plan, "approved", "ann", NOW)
    assert isinstance(step, PlanStep)
    over = shown(looking(plan, NOW))
    assert step.do == (
        RecordRuling(stage="build", decision="approved", feedback="", by="ann", visit=1, context=context, shown=over),
    )


@pytest.mark.parametrize(
    ("phase", "report", "body", "code"),
    [
        ("execute", ReviewReport(agent="correctness", verdict="pass"), "Fine.", "wrong_phase"),
        ("review", ReviewReport(agent="nobody", verdict="pass"), "Fine.", "reviewer_unknown"),
        ("review", ReviewReport(agent="correctness", verdict="pass"), " ", "report_empty"),
        ("review", ReviewReport(agent="correctness", verdict="findings"), "Bad.", "findings_missing"),
        ("review", ReviewReport(agent="correctness", verdict="pass", findings=("FB-01",)), "Bad.", "findings_missing"),
        (
            "review",
            ReviewReport(agent="correctness", verdict="findings", findings=("FB-07",)),
            "Bad.",
            "feedback_not_found",
        ),
    ],
)
def test_a_report_that_does_not_count(phase: str, report: ReviewReport, body: str, code: str) -> None:
    """SH-35"""
    assert refused(moves.record_report(world_in(phase).look(), report, body)) == code


def test_a_report_counts_once_and_over_a_proven_tree() -> None:
    """SH-33 SH-35"""
    world = world_in("review")
    world.file(Feedback(id="FB-01", stage="build", triaged_at=NOW))
    report = ReviewReport(agent="correctness", verdict="findings", findings=("FB-01",))
    effect = done(moves.record_report(world.look(), report, "One bug."))
    assert isinstance(effect, RecordReport)
    world.apply(effect)
    assert refused(moves.record_report(world.look(), report, "One bug.")) == "already_reported"
    world = world_in("review")
    world.intent = replace(world.intent, quality_gates=(TEST_GATE,))
    passing = ReviewReport(agent="correctness", verdict="pass")
    assert refused(moves.record_report(world.look(), passing, "Fine.")) == "gates_unproven"


@pytest.mark.parametrize(
    ("phase", "stage", "code"),
    [
        ("execute", "ship", "revisit_forward"),
        ("execute", "nowhere", "stage_unknown"),
        ("elaborate", "", "revisit_needs_stage"),
        ("execute", "", ""),
        ("execute", "build", ""),
        ("execute", "design", ""),
        ("elaborate", "design", ""),
    ],
)
def test_a_revisit_goes_back_and_never_forward(phase: str, stage: str, code: str) -> None:
    found = moves.revisit(world_in(phase).look(), NOW, stage, "Think again\nplease")
    if code:
        assert refused(found) == code
    else:
        asked = done(found)
        assert isinstance(asked, NewFeedback)
        assert (asked.stage, asked.title, asked.fields["resolution"]) == (
            stage or "build",
            "Think again",
            "stage_revisit",
        )


def test_agents_revisit_a_few_times_and_people_as_they_like() -> None:
    world = world_in("execute", iterations=tuple(Iteration(index=at, trigger="feedback") for at in (1, 2)))
    assert refused(moves.revisit(world.look(), NOW, "build")) == "iteration_limit"
    assert done(moves.revisit(world.look(), NOW, "build", "Think", by_person=True)).origin == "user-revisit"


def test_words_that_were_settled_may_be_said_again() -> None:
    """The same key would be the settled request, and nobody would go back."""
    world = world_in("execute")
    keys = []
    for status in ("pending", "rejected", "closed", "pending"):
        asked = done(moves.revisit(world.look(), NOW, "build", "Think again", by_person=True))
        keys.append(asked.key)
        name = f"FB-{len(set(keys)):02}"
        world.file(Feedback(id=name, stage="build", status=status, source_ref=asked.key))
    assert [key.rpartition("/")[2].partition(".")[2] for key in keys] == ["", "", "1", "2"]


def test_a_person_says_why() -> None:
    assert refused(moves.revisit(world_in("execute").look(), NOW, "build", " ", by_person=True)) == "reason_missing"


def test_a_person_who_asks_again_before_anybody_went_back_changes_their_words() -> None:
    world = world_in("execute")
    for reason in ("Think again", "Think harder\nplease", "Think harder\nplease"):
        found = moves.revisit(world.look(), NOW, "build", reason, by_person=True)
        assert isinstance(found, PlanStep)
        world.perform(found.do)
    (item,) = world.feedback["build"].values()
    assert (item.title, item.body) == ("Think harder", "Think again")
    assert [each["text"] for each in item.replies] == ["Think harder\nplease"]
    assert isinstance(done(moves.revisit(world.look(), NOW, "build", "An agent's own")), NewFeedback)


def test_a_person_reopens_what_is_completed() -> None:
    world = world_in("gate")
    for name in world.states:
        world.enter("gate", name, status="completed")
    world.intent = replace(world.intent, status="completed")
    assert refused(moves.revisit(world.look(), NOW, "design")) == "intent_completed"
    step = moves.revisit(world.look(), NOW, "design", "Think again", by_person=True)
    assert isinstance(step, PlanStep)
    world.perform(step.do)
    clue = world.tick()
    assert clue is not None
    assert (clue.action, world.active(), world.intent.status) == ("revisited", "design", "active")


@pytest.mark.parametrize("url", ["", "ftp://x", "javascript:alert(1)", "https://a b"])
def test_an_address_has_to_be_one(url: str) -> None:
    assert refused(moves.external_url(world_in("gate").look(), url)) == "url_invalid"


def test_the_studio_is_chosen_before_the_start() -> None:
    world = PlanWorld()
    world.intent = replace(world.intent, studio="")
    chosen = done(moves.select_studio(world.look(), " SOFTWARE ")).fields
    assert chosen == {"studio": "software", "guards": ["build=ask"]}
    assert refused(moves.select_studio(world.look(), "poetry")) == "studio_unknown"
    begun = world_in("execute").look()
    for found in (
        moves.select_studio(begun, "software"),
        moves.select_mode(begun, "discrete"),
        moves.select_stages(begun, ("build",)),
    ):
        assert refused(found) == "stage_already_started"


def test_mode_and_stages() -> None:
    world = PlanWorld(stage_spec("design"), stage_spec())
    assert done(moves.select_mode(world.look(), "discrete")) == WriteIntent(fields={"mode": "discrete"})
    assert refused(moves.select_mode(world.look(), "warp")) == "mode_unknown"
    chosen = done(moves.select_stages(world.look(), ("build", "design"))).fields
    assert chosen == {"stages": ["design", "build"], "guards": ["design=ask", "build=ask"]}
    assert refused(moves.select_stages(world.look(), ("nowhere",))) == "stage_unknown"
    assert refused(moves.select_stages(world.look(), ())) == "stage_unknown"


def test_no_stage_that_a_person_lets_through_is_left_out() -> None:
    world = PlanWorld(stage_spec("design", review=("auto",)), stage_spec(), stage_spec("ship", review=("external",)))
    assert refused(moves.select_stages(world.look(), ("design", "build"))) == "persons_gate"
    assert refused(moves.select_stages(world.look(), ("ship",))) == "persons_gate"
    assert done(moves.select_stages(world.look(), ("build", "ship"))).fields["stages"] == ["build", "ship"]


@pytest.mark.parametrize(("before", "after", "code"), [(False, True, ""), (True, False, ""), (True, True, "noop")])
def test_an_intent_is_put_away(code: str, *, before: bool, after: bool) -> None:
    world = PlanWorld()
    world.intent = replace(world.intent, archived=before)
    found = moves.archive(world.look(), NOW, archived=after)
    assert (refused(found) if code else done(found).fields["archived"]) == (code or after)


def test_the_address_that_a_person_gave_stays() -> None:
    world = PlanWorld(stage_spec(review=("external",)))
    world.enter("gate")
    given = moves.external_url(world.look(), "https://a.example/1", by_person=True)
    assert isinstance(given, PlanStep)
    world.perform(given.do)
    assert refused(moves.external_url(world.look(), "https://b.example/2")) == "url_of_a_person"
    assert isinstance(moves.external_url(world.look(), "https://a.example/1"), PlanStep)
    assert isinstance(moves.external_url(world.look(), "https://b.example/2", by_person=True), PlanStep)


def test_an_agent_asks_for_more_gates_of_people_and_never_for_less() -> None:
    world = PlanWorld(stage_spec())
    assert done(moves.select_mode(world.look(), "discrete")) == WriteIntent(fields={"mode": "discrete"})
    world.intent = replace(world.intent, mode="discrete")
    assert refused(moves.select_mode(world.look(), "continuous")) == "persons_mode"
    assert done(moves.select_mode(world.look(), "continuous", by_person=True)) == WriteIntent(
        fields={"mode": "continuous"}
    )
