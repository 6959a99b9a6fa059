from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from leeboard.model.unit import Feedback
from leeboard.plan.effect import NewFeedback, PlanStep, Refusal, WriteFeedback
from leeboard.plan.machine import moves
from tests.plan.plan_world import NOW, PlanWorld, stage_spec, work_unit

REPLY = {"author": "agent", "at": NOW, "text": "Earlier."}


def world_with(*items: Feedback, phase: str = "review") -> PlanWorld:
    world = PlanWorld(stage_spec("design"), stage_spec(), stage_spec("ship"))
    world.enter("gate", "design", status="completed")
    world.enter(phase)
    world.plan_units(work_unit())
    for each in items:
        world.file(each)
    return world


def item(**changes: Any) -> Feedback:
    return Feedback(**{"id": "FB-01", "stage": "build", "title": "Wrong", "triaged_at": NOW, **changes})


def refused(found: PlanStep | Refusal) -> str:
    assert isinstance(found, Refusal), found
    assert found.message.endswith(found.details["next_step"])
    return found.code


def done(found: PlanStep | Refusal) -> Any:
    assert isinstance(found, PlanStep), found
    return found.do[0]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"title": ""}, "invalid_title"),
        ({"title": "x" * 121}, "invalid_title"),
        ({"title": "a\nb"}, "invalid_title"),
        ({"origin": "wind"}, "origin_unknown"),
        ({"body": "x" * 200_001}, "body_too_long"),
        ({"source_ref": "ruling/build/1/0"}, "source_ref_reserved"),
        ({"stage": "nowhere"}, "stage_unknown"),
        ({"stage": "ship"}, "stage_not_reached"),
    ],
)
def test_what_can_not_be_filed(changes: dict[str, str], code: str) -> None:
    given: dict[str, Any] = {"title": "Wrong", "body": "It is.", "stage": "build", **changes}
    finding = moves.FeedbackDraft(**given)
    assert refused(moves.feedback_new(world_with().look(), finding, NOW)) == code


@pytest.mark.parametrize(
    ("origin", "resolution", "triaged"),
    [("agent", "", True), ("user-chat", "", False), ("user-chat", "question", True), ("adversarial-review", "", True)],
)
def test_only_a_persons_item_waits_for_triage(origin: str, resolution: Any, *, triaged: bool) -> None:
    finding = moves.FeedbackDraft(title="Wrong", body="It is.", stage="build", origin=origin, resolution=resolution)
    filed = done(moves.feedback_new(world_with().look(), finding, NOW))
    assert isinstance(filed, NewFeedback)
    assert ("triaged_at" in filed.fields) == triaged
    again = done(moves.feedback_new(world_with().look(), finding, "later"))
    assert filed.key == again.key


THEIR_QUESTION = {"resolution": "question", "resolution_by": "user"}
AGENTS = [
    ("agent", {}, {"status": "closed"}, "not_settled"),
    ("agent", {}, {"status": "addressed"}, "not_settled"),
    ("agent", {}, {"status": "answered"}, "not_settled"),
    ("agent", {}, {"status": "fixing"}, "lifecycle_violation"),
    ("agent", {}, {"status": "rejected"}, "reason_missing"),
    ("agent", {}, {}, "nothing_to_change"),
    ("agent", {"status": "addressed"}, {"status": "closed"}, ""),
    ("agent", {"status": "closed"}, {"status": "pending"}, "feedback_ended"),
    ("agent", {"problem": "no YAML"}, {"status": "pending"}, "page_unreadable"),
    ("user-chat", {"status": "addressed"}, {"status": "closed"}, "human_item"),
    ("user-chat", {}, {"status": "rejected"}, "human_item"),
    ("user-chat", THEIR_QUESTION, {"status": "answered"}, "not_settled"),
    ("user-chat", THEIR_QUESTION, {"status": "answered", "reply": "Yes."}, ""),
    ("user-chat", {**THEIR_QUESTION, "replies": (REPLY,)}, {"status": "answered"}, ""),
    ("user-chat", {"resolution": "question"}, {"status": "answered", "reply": "Yes."}, "not_settled"),
    ("user-chat", {}, {"resolution": "question", "reply": "Yes."}, "human_item"),
    ("user-visual", {"source_ref": "ruling/build/1/0"}, {"resolution": "question"}, "human_item"),
    ("user-question", {}, {"resolution": "question", "reply": "Yes."}, ""),
    ("user-chat", {}, {"resolution": "stage_revisit"}, ""),
]


@pytest.mark.parametrize(("origin", "before", "change", "code"), AGENTS)
def test_what_an_agent_may_say_of_a_finding(
    origin: str, before: dict[str, Any], change: dict[str, Any], code: str
) -> None:
    """Nothing is settled by its word, and nothing of a person is ended by it."""
    world = world_with(item(origin=origin, **before))
    found = moves.feedback_update(world.look(), "build", "FB-01", moves.FeedbackChange(**change), NOW)
    assert (refused(found) if code else "") == code
    assert code or isinstance(done(found), WriteFeedback)


@pytest.mark.parametrize("status", ["pending", "addressed", "closed", "rejected"])
def test_a_person_may_end_and_reopen_anything(status: Any) -> None:
    world = world_with(item(origin="user-chat", status="closed" if status == "pending" else "pending"))
    change = moves.FeedbackChange(status=status)
    found = done(moves.feedback_update(world.look(), "build", "FB-01", change, NOW, by_person=True))
    assert found.fields["status"] == status


def test_an_agent_does_not_choose_how_a_persons_finding_is_settled() -> None:
    """SH-49: to make a question of it and answer it would talk it away."""
    theirs = item(origin="user-chat", resolution="stage_revisit", resolution_by="user")
    plan = world_with(theirs).look()
    other = moves.FeedbackChange(resolution="inline_fix")
    assert refused(moves.feedback_update(plan, "build", "FB-01", other, NOW)) == "human_resolution"
    change = moves.FeedbackChange(resolution="question", reply="Done.")
    assert refused(moves.feedback_update(plan, "build", "FB-01", change, NOW)) == "human_item"
    assert done(moves.feedback_update(plan, "build", "FB-01", change, NOW, by_person=True))


def test_a_reply_has_an_end() -> None:
    change = moves.FeedbackChange(reply="x" * 20_001)
    assert refused(moves.feedback_update(world_with(item()).look(), "build", "FB-01", change, NOW)) == "reply_too_long"


def test_a_new_way_starts_anew() -> None:
    world = world_with(item(resolution="inline_fix", status="fixing", hat="fixer", bolt=2))
    change = moves.FeedbackChange(resolution="stage_revisit")
    fields = done(moves.feedback_update(world.look(), "build", "FB-01", change, NOW)).fields
    assert (fields["resolution"], fields["status"], fields["hat"], fields["bolt"]) == (
        "stage_revisit",
        "pending",
        "",
        0,
    )


@pytest.mark.parametrize(
    ("status", "by_person", "expected"),
    [("pending", False, "answered"), ("answered", True, "pending"), ("pending", True, "answered")],
)
def test_an_answer_answers_and_a_person_may_ask_again(status: Any, expected: str, *, by_person: bool) -> None:
    world = world_with(item(**THEIR_QUESTION, status=status, origin="user-chat", replies=(REPLY,)))
    change = moves.FeedbackChange(reply="Because.")
    fields = done(moves.feedback_update(world.look(), "build", "FB-01", change, NOW, by_person=by_person)).fields
    assert fields["status"] == expected
    assert [each["text"] for each in fields["replies"]] == ["Earlier.", "Because."]


@pytest.mark.parametrize(
    ("phase", "source", "code"),
    [
        ("elaborate", "ruling/build/1/0", ""),
        ("elaborate", "", "not_settled"),
        ("review", "ruling/build/1/0", "not_settled"),
    ],
)
def test_a_revised_plan_may_be_said_to_be_revised(phase: str, source: str, code: str) -> None:
    """The one who asked for it looks at it next."""
    world = world_with(item(origin="user-visual", source_ref=source), phase=phase)
    found = moves.feedback_update(world.look(), "build", "FB-01", moves.FeedbackChange(status="addressed"), NOW)
    assert (refused(found) if code else "") == code


@pytest.mark.parametrize(
    ("origin", "reason", "by_person", "code"),
    [
        ("agent", "It holds.", False, ""),
        ("agent", " ", False, "reason_missing"),
        ("user-chat", "It holds.", False, "human_item"),
        ("user-chat", "It holds.", True, ""),
    ],
)
def test_a_finding_is_rejected_with_a_reason(origin: str, reason: str, code: str, *, by_person: bool) -> None:
    world = world_with(item(origin=origin))
    found = moves.feedback_reject(world.look(), "build", "FB-01", reason, NOW, by_person=by_person)
    assert (refused(found) if code else done(found).fields["status"]) == (code or "rejected")


@pytest.mark.parametrize("chosen", ["question", "inline_fix"])
def test_a_persons_reply_does_not_take_over_how_an_agent_sorted_it(chosen: Any) -> None:
    """It is said anew, with their words before everybody's eyes."""
    world = world_with(item(origin="user-visual", resolution=chosen, status="pending"))
    change = moves.FeedbackChange(reply="No, do change it.")
    fields = done(moves.feedback_update(world.look(), "build", "FB-01", change, NOW, by_person=True)).fields
    assert (fields["status"], fields["resolution"], fields["triaged_at"]) == ("pending", "", "")


def test_a_persons_finding_is_moved_by_a_person() -> None:
    world = world_with(item(origin="user-visual"))
    to = moves.FeedbackGoal(stage="design")
    assert refused(moves.feedback_move(world.look(), "build", "FB-01", to, NOW)) == "human_item"
    whole = moves.FeedbackGoal(stage="")
    assert refused(moves.feedback_move(world.look(), "build", "FB-01", whole, NOW)) == "human_item"
    asks = moves.FeedbackGoal(stage="build", resolution="question")
    assert refused(moves.feedback_move(world.look(), "build", "FB-01", asks, NOW)) == "human_item"
    assert isinstance(moves.feedback_move(world.look(), "build", "FB-01", to, NOW, by_person=True), PlanStep)


def test_a_finding_moves_to_the_stage_it_belongs_to() -> None:
    """It is there before it is gone here, and stays the person's."""
    world = world_with(item(origin="user-chat", triaged_at="", replies=(REPLY,)))
    to = moves.FeedbackGoal(stage="design", resolution="inline_fix")
    step = moves.feedback_move(world.look(), "build", "FB-01", to, NOW, by_person=True)
    assert isinstance(step, PlanStep)
    assert [type(effect) for effect in step.do] == [NewFeedback, WriteFeedback]
    world.perform(step.do)
    moved = world.feedback["design"]["FB-01"]
    assert (moved.origin, moved.status, moved.resolution, moved.replies) == (
        "user-chat",
        "pending",
        "inline_fix",
        (REPLY,),
    )
    assert world.feedback["build"]["FB-01"].status == "closed"
    later, own = moves.FeedbackGoal(stage="ship"), moves.FeedbackGoal(stage="build")
    found = moves.feedback_move(world.look(), "design", "FB-01", later, NOW, by_person=True)
    assert refused(found) == "stage_not_reached"
    confirmed = done(moves.feedback_move(world_with(item(triaged_at="")).look(), "build", "FB-01", own, NOW))
    assert confirmed.fields["triaged_at"] == NOW


@pytest.mark.parametrize(
    ("changes", "removes", "code"),
    [
        ({}, False, ""),
        ({}, True, "lifecycle_violation"),
        ({"status": "rejected"}, True, ""),
        ({"origin": "user-chat"}, False, "human_item"),
        ({"origin": "user-chat", "status": "closed"}, True, "human_item"),
    ],
)
def test_the_file_of_a_finding(changes: dict[str, Any], code: str, *, removes: bool) -> None:
    found = moves.may_write_feedback(world_with(item(**changes)).look(), "build", "FB-01", removes=removes)
    assert (found.code if found else "") == code


@pytest.mark.parametrize("by_person", [False, True])
def test_no_fix_in_place_where_nobody_could_do_it(*, by_person: bool) -> None:
    """It is said when the way is chosen, with the ways that are open; a finding that came so may be turned."""
    world = world_with(
        item(origin="user-chat", resolution=""), item(id="FB-02", origin="user-chat", resolution="inline_fix")
    )
    for name in ("design", "build"):
        world.specs[name] = replace(world.specs[name], fix_hats=())
    plan = world.look()
    chosen = moves.FeedbackChange(resolution="inline_fix")
    found = moves.feedback_update(plan, "build", "FB-01", chosen, NOW, by_person=by_person)
    assert refused(found) == "no_fix_hats"
    assert isinstance(found, Refusal)
    assert found.details["resolutions"] == ["stage_revisit", "question"]
    goal = moves.FeedbackGoal(stage="design", resolution="inline_fix")
    assert refused(moves.feedback_move(plan, "build", "FB-01", goal, NOW, by_person=True)) == "no_fix_hats"
    filed = moves.FeedbackDraft(title="Wrong", body="It is.", stage="build", resolution="inline_fix")
    assert refused(moves.feedback_new(plan, filed, NOW)) == "no_fix_hats"
    turned = moves.FeedbackChange(resolution="stage_revisit")
    assert done(moves.feedback_update(plan, "build", "FB-02", turned, NOW)).fields["resolution"] == "stage_revisit"


def test_a_person_who_adds_to_their_own_answer_asks_nothing() -> None:
    own = {**REPLY, "author": "user"}
    world = world_with(item(resolution="question", status="answered", origin="user-chat", replies=(own,)))
    change = moves.FeedbackChange(reply="And so.")
    fields = done(moves.feedback_update(world.look(), "build", "FB-01", change, NOW, by_person=True)).fields
    assert "status" not in fields


def completed_with(*items: Feedback) -> PlanWorld:
    world = world_with(*items)
    for name in world.states:
        world.enter("gate", name, status="completed")
    world.intent = replace(world.intent, status="completed")
    return world


def test_only_a_person_files_for_a_completed_intent_and_takes_it_up_again() -> None:
    world = completed_with()
    world.plan_units(work_unit(stage="ship", status="completed"))
    finding = moves.FeedbackDraft(title="Wrong", body="It is.", origin="user-chat", resolution="inline_fix")
    assert refused(moves.feedback_new(world.look(), finding, NOW)) == "intent_completed"
    step = moves.feedback_new(world.look(), finding, NOW, by_person=True)
    assert isinstance(step, PlanStep)
    world.perform(step.do)
    clue = world.tick()
    assert clue is not None
    assert (clue.action, world.intent.status, world.active()) == ("review_fix", "active", "ship")


@pytest.mark.parametrize(("status", "reopens"), [("pending", True), ("rejected", False)])
def test_a_finding_that_is_opened_again_takes_its_intent_up(status: Any, *, reopens: bool) -> None:
    world = completed_with(item(origin="user-chat", status="closed"))
    change = moves.FeedbackChange(status=status)
    step = moves.feedback_update(world.look(), "build", "FB-01", change, NOW, by_person=True)
    assert isinstance(step, PlanStep)
    world.perform(step.do)
    assert (world.intent.status == "active") is reopens
