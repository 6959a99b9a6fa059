from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from leeboard.model.plan import StageView
from leeboard.model.unit import Feedback, Unit
from leeboard.plan.effect import Refusal
from leeboard.plan.machine.refusal import closed, feedback_of, in_phase, refuse, standing, unit_of
from tests.plan.plan_world import PlanWorld, work_unit


def working() -> PlanWorld:
    world = PlanWorld()
    world.enter("execute")
    world.plan_units(work_unit(), work_unit(2, problem="no YAML"))
    world.file(Feedback(id="FB-01", stage="build"))
    return world


def code(found: Any) -> str:
    return found.code if isinstance(found, Refusal) else ""


def unread_and_changed(world: PlanWorld) -> None:
    world.problems, world.sealed = ("intent.md: no YAML",), False


def test_a_refusal_names_the_next_step() -> None:
    """SH-13"""
    found = refuse("too_soon", "Not yet.", "Wait.", missing=["a"])
    assert (found.message, found.details) == ("Not yet. Wait.", {"missing": ["a"], "next_step": "Wait."})
    assert "haiku_run_next" in refuse("too_soon", "Not yet.").message


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda world: world.say(), ""),
        (lambda world: setattr(world, "intent", replace(world.intent, archived=True)), "intent_archived"),
        (lambda world: setattr(world, "sealed", False), "tampered"),
        (lambda world: setattr(world, "problems", ("intent.md: no YAML",)), "plan_unreadable"),
        (unread_and_changed, "plan_unreadable"),
    ],
)
def test_what_stands_against_any_change(change: Any, expected: str) -> None:
    """SH-12"""
    world = working()
    change(world)
    assert code(closed(world.look())) == expected
    assert code(standing(world.look())) == expected


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"status": "completed"}, "no_active_stage"),
        ({"status": "pending"}, "no_active_stage"),
        ({"phase": ""}, "no_active_stage"),
        ({"phase": "review"}, "wrong_phase"),
        ({}, ""),
    ],
)
def test_the_phase_a_move_belongs_to(changes: dict[str, Any], expected: str) -> None:
    world = working()
    world.states["build"] = replace(world.states["build"], **changes)
    assert code(in_phase(world.look(), "execute", "Beginning a unit")) == expected


def test_a_completed_intent_is_left_alone() -> None:
    world = working()
    world.intent = replace(world.intent, status="completed")
    assert code(standing(world.look())) == "intent_completed"


@pytest.mark.parametrize(
    ("unit", "expected"), [("unit-01-part", ""), ("unit-02-part", "unit_unreadable"), ("../x", "unit_not_found")]
)
def test_a_unit_is_found_by_its_name(unit: str, expected: str) -> None:
    world = working()
    stage = standing(world.look())
    assert isinstance(stage, StageView)
    found = unit_of(stage, unit)
    assert code(found) == expected
    assert isinstance(found, Refusal | Unit)


@pytest.mark.parametrize(
    ("stage", "name", "expected"),
    [
        ("build", "FB-01", ""),
        ("build", "FB-02", "feedback_not_found"),
        ("", "FB-01", "feedback_not_found"),
        ("nowhere", "FB-01", "stage_unknown"),
    ],
)
def test_a_finding_is_found_where_it_was_filed(stage: str, name: str, expected: str) -> None:
    assert code(feedback_of(working().look(), stage, name)) == expected
