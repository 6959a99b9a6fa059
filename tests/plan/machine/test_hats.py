from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.model.plan import GitFacts
from leeboard.model.studio import Template
from leeboard.model.unit import Pass
from leeboard.plan.machine.hats import (
    has_claimed,
    has_passed,
    is_last,
    output_place,
    rejected,
    unit_payload,
    wear_text,
    with_pass,
    worn,
)
from tests.plan.plan_world import HATS, NOW, PlanWorld, stage_spec, work_unit


@pytest.mark.parametrize(("hat", "at", "last"), [("planner", 0, False), ("reviewer", 2, True), ("gone", 0, False)])
def test_a_hat_stands_in_an_order(hat: str, at: int, last: bool) -> None:  # noqa: FBT001 - a parameter
    """SH-16 SH-32"""
    assert worn(HATS, hat) == at
    assert is_last(HATS, hat) == last


@pytest.mark.parametrize(
    ("status", "hat", "passes", "claimed", "passed"),
    [
        ("active", "planner", (), False, False),
        ("active", "builder", (Pass(hat="planner"),), False, False),
        ("active", "builder", (Pass(hat="builder"),), True, False),
        ("active", "reviewer", (Pass(hat="reviewer"),), True, True),
        ("active", "reviewer", (Pass(hat="reviewer", result="reject"),), False, False),
        ("completed", "reviewer", (Pass(hat="reviewer"),), False, False),
    ],
)
def test_a_claim_is_a_pass_of_the_hat_that_is_still_worn(
    status: str, hat: str, passes: tuple[Pass, ...], *, claimed: bool, passed: bool
) -> None:
    unit = work_unit(status=status, hat=hat, passes=passes)
    assert has_claimed(unit) == claimed
    assert has_passed(unit, stage_spec()) == passed


def test_history_grows_and_is_never_rewritten() -> None:
    unit = work_unit(hat="builder", hat_started_at="then", passes=(Pass(hat="planner"),))
    kept = with_pass(unit, "advance", NOW)
    assert [each["hat"] for each in kept] == ["planner", "builder"]
    assert kept[1]["started_at"] == "then"


@pytest.mark.parametrize(
    ("model", "passes", "changed"),
    [
        ("haiku", (), {"model": "sonnet", "model_original": "haiku"}),
        ("sonnet", (Pass(hat="builder", result="reject"),), {"model": "opus"}),
        ("opus", (), {}),
        ("", (), {}),
    ],
)
def test_a_rejection_adds_a_bolt_and_a_stronger_model(
    model: str, passes: tuple[Pass, ...], changed: dict[str, str]
) -> None:
    """SH-32"""
    fields = rejected(work_unit(hat="reviewer", bolt=1, model=model, passes=passes), "builder", NOW, "no").fields
    assert (fields["hat"], fields["bolt"]) == ("builder", 2)
    assert {key: value for key, value in fields.items() if key.startswith("model")} == changed


def test_who_works_on_a_unit_is_told_what_it_needs() -> None:
    world = PlanWorld()
    unit = work_unit(2, 1, status="active", hat="builder", bolt=2, criteria=(("works", False), ("fast", True)))
    world.plan_units(work_unit(1, status="completed"), unit)
    world.worktrees[unit.id] = "/trees/2"
    payload = unit_payload(world.look(), world.view("build"), unit)
    assert payload["wave"] == 1
    assert payload["criteria_unmet"] == ["works"]
    assert payload["worktree"] in wear_text(unit, payload)
    assert "unit-01-part" not in repr(payload)


def test_an_output_lies_in_the_units_tree_and_where_the_stage_promised_it() -> None:
    place = ".haiku/intents/{intent-slug}/knowledge/NOTES.md"
    spec = stage_spec(templates=(Template(name="NOTES", kind="output", location=place),))
    world = PlanWorld(spec)
    plan = world.look()
    unit, slug = work_unit(), plan.intent.slug
    tree = replace(plan, git=replace(plan.git, worktrees={unit.id: "/tree"}))
    (view,) = plan.stages
    assert output_place(tree, view, unit, "knowledge/NOTES.md") == f"/tree/.haiku/intents/{slug}/knowledge/NOTES.md"
    assert output_place(tree, view, unit, "src/a.py") == "/tree/src/a.py"
    assert output_place(replace(plan, git=GitFacts()), view, unit, "src/a.py") == "src/a.py"
