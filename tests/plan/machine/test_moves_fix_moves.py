from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from leeboard.model.plan import MOST_FIX_BOLTS
from leeboard.model.unit import Feedback, Pass, ReviewReport
from leeboard.plan.effect import PlanStep, Refusal
from leeboard.plan.machine import moves
from tests.plan.plan_world import NOW, PlanWorld, stage_spec, work_unit


def world_with(phase: str = "review", fix_hats: Any = None, **changes: Any) -> PlanWorld:
    spec = stage_spec() if fix_hats is None else stage_spec(fix_hats=fix_hats)
    world = PlanWorld(spec)
    world.enter(phase)
    world.plan_units(work_unit(status="completed"))
    world.reports["build"].append((1, ReviewReport(agent="correctness", verdict="pass")))
    given = {"id": "FB-01", "stage": "build", "status": "fixing", "bolt": 1, "hat": "fixer", "triaged_at": NOW}
    world.file(Feedback(**{**given, **changes}))
    return world


def fields(found: PlanStep | Refusal) -> dict[str, Any]:
    assert isinstance(found, PlanStep), found
    effect: Any = found.do[0]
    kept: dict[str, Any] = effect.fields
    return kept


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"phase": "execute"}, "wrong_phase"),
        ({"fix_hats": ()}, "no_fix_hats"),
        ({"status": "pending"}, "no_hat_to_advance"),
        ({"resolution": "stage_revisit"}, "no_hat_to_advance"),
        ({"bolt": MOST_FIX_BOLTS + 1}, "max_bolts_exceeded"),
        ({"id": "FB-02"}, "feedback_not_found"),
    ],
)
def test_a_fix_that_can_not_go_on(changes: dict[str, Any], code: str) -> None:
    for move in (moves.feedback_advance_hat, moves.feedback_reject_hat):
        found = move(world_with(**changes).look(), "build", "FB-01", NOW)
        assert isinstance(found, Refusal)
        assert found.code == code
        assert found.message.endswith(found.details["next_step"])


@pytest.mark.parametrize(
    ("origin", "hat", "expected"),
    [
        ("agent", "fixer", {"hat": "feedback-assessor"}),
        ("agent", "feedback-assessor", {"status": "closed", "closed_by": "feedback-assessor"}),
        ("user-chat", "feedback-assessor", {"status": "addressed", "closed_by": "feedback-assessor"}),
    ],
)
def test_the_last_hat_settles_it(origin: str, hat: str, expected: dict[str, str]) -> None:
    """What a person filed is addressed, and theirs to close."""
    found = fields(moves.feedback_advance_hat(world_with(origin=origin, hat=hat).look(), "build", "FB-01", NOW))
    assert expected.items() <= found.items()
    assert found["iterations"][0]["result"] == "advance"


def test_after_its_bolts_a_person_is_asked() -> None:
    """SH-43"""
    world = world_with(hat="feedback-assessor")
    for bolt in range(1, MOST_FIX_BOLTS + 1):
        step = moves.feedback_reject_hat(world.look(), "build", "FB-01", NOW, "still wrong")
        assert fields(step)["bolt"] == bolt + 1
        assert isinstance(step, PlanStep)
        world.perform(step.do)
        assert world.feedback["build"]["FB-01"].hat == "fixer"
    clue = world.tick()
    assert clue is not None
    assert (clue.action, clue.payload["reason"], clue.waits) == ("escalate", "fix_loop_cap_exceeded", True)


def test_a_word_alone_fixes_nothing() -> None:
    world = world_with(fix_from="1" * 40)
    world.untouched = ("build/FB-01",)
    found = moves.feedback_advance_hat(world.look(), "build", "FB-01", NOW)
    assert isinstance(found, Refusal)
    assert (found.code, found.details["missing"]) == ("no_work_done", ["change"])
    assert "1" * 12 in found.message
    passed = fields(moves.feedback_advance_hat(world.look(), "build", "FB-01", NOW, "Nothing is wrong there."))
    assert passed["iterations"][-1]["reason"] == "Nothing is wrong there."
    world.file(replace(world.feedback["build"]["FB-01"], hat="feedback-assessor"))
    assert fields(moves.feedback_advance_hat(world.look(), "build", "FB-01", NOW))["status"] == "closed"


@pytest.mark.parametrize(
    ("hat", "untouched", "before", "changed"),
    [
        ("fixer", True, (), False),
        ("fixer", False, (), True),
        ("feedback-assessor", True, (Pass(hat="fixer", reason="right as it is"),), False),
        ("feedback-assessor", False, (Pass(hat="fixer", reason="right as it is"),), True),
    ],
)
def test_a_reason_holds_while_nothing_changes(
    hat: str,
    untouched: bool,  # noqa: FBT001 - a parameter
    before: tuple[Pass, ...],
    changed: bool,  # noqa: FBT001 - a parameter
) -> None:
    world = world_with(hat=hat, passes=before)
    world.untouched = ("build/FB-01",) if untouched else ()
    kept = fields(moves.feedback_advance_hat(world.look(), "build", "FB-01", NOW, "it is right"))["iterations"]
    assert kept[-1].get("changed", False) is changed


def test_who_fixes_again_is_told_why() -> None:
    world = world_with(hat="feedback-assessor", passes=(Pass(hat="fixer"),))
    step = moves.feedback_reject_hat(world.look(), "build", "FB-01", NOW, "Still\nwrong.")
    assert isinstance(step, PlanStep)
    world.perform(step.do)
    clue = world.tick()
    assert clue is not None
    assert clue.message.startswith("The fix of FB-01 was sent back by its feedback-assessor: Still wrong. Fix FB-01")
    assert clue.payload["rejected_for"] == "Still wrong."
    assert "haiku_feedback_reject_hat" not in clue.message, "nobody is before the first hat"


@pytest.mark.parametrize("hat", ["fixer", "feedback-assessor"])
@pytest.mark.parametrize(
    ("reason", "works", "code"), [("", False, "no_work_done"), ("", True, ""), ("so be it", False, "")]
)
def test_a_fix_that_was_sent_back_changes_something_or_says_why_not(
    hat: str, reason: str, code: str, *, works: bool
) -> None:
    world = world_with(hat=hat, fix_from="1" * 40)
    world.do(moves.feedback_reject_hat(world.look(), "build", "FB-01", NOW, "not full"))
    if works:
        world.work()
    found = moves.feedback_advance_hat(world.look(), "build", "FB-01", NOW, reason)
    assert (found.code if isinstance(found, Refusal) else "") == code
    if isinstance(found, Refusal):
        assert "has changed since FB-01 was sent back: not full." in found.message
        assert "with the reason" in found.message
        assert found.details["missing"] == ["change"]


def test_what_was_sent_back_counts_for_the_hat_it_went_to_alone() -> None:
    world = world_with(hat="feedback-assessor")
    world.do(moves.feedback_reject_hat(world.look(), "build", "FB-01", NOW, "not full"))
    world.do(moves.feedback_advance_hat(world.look(), "build", "FB-01", NOW, "it is"))
    assert fields(moves.feedback_advance_hat(world.look(), "build", "FB-01", NOW))["status"] == "closed"


@pytest.mark.parametrize(("git", "expected"), [(True, f"{1:040}"), (False, NOW)])
def test_a_fix_knows_where_it_began(git: bool, expected: str) -> None:  # noqa: FBT001 - a parameter
    world = world_with(status="pending", hat="")
    world.git = git
    world.tick()
    assert world.feedback["build"]["FB-01"].fix_from == expected
