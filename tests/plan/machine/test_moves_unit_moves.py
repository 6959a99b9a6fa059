from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from leeboard.model.plan import MOST_BOLTS
from leeboard.model.studio import Hat
from leeboard.model.unit import Pass
from leeboard.plan.effect import Commit, MakeWorktree, PlanStep, Refusal, WriteUnit
from leeboard.plan.machine import moves
from leeboard.plan.machine.moves import escapes
from tests.plan.plan_world import NOW, PlanWorld, stage_spec, work_unit

ONE = "unit-01-part"


def world_with(*units: Any, phase: str = "execute", **spec: Any) -> PlanWorld:
    world = PlanWorld(stage_spec(**spec), git=False)
    world.enter(phase)
    world.plan_units(*units)
    return world


def active(**changes: Any) -> Any:
    return work_unit(**{"status": "active", "bolt": 1, "hat": "planner", "hat_started_at": NOW, **changes})


def refused(found: PlanStep | Refusal) -> str:
    assert isinstance(found, Refusal), found
    assert found.details["next_step"]
    assert found.message.endswith(found.details["next_step"])
    return found.code


def written(found: PlanStep | Refusal) -> dict[str, Any]:
    assert isinstance(found, PlanStep), found
    (effect,) = (each for each in found.do if isinstance(each, WriteUnit))
    return effect.fields


@pytest.mark.parametrize(
    ("units", "phase", "unit", "code"),
    [
        ([work_unit()], "elaborate", ONE, "wrong_phase"),
        ([work_unit()], "execute", "unit-09-part", "unit_not_found"),
        ([active()], "execute", ONE, "unit_already_active"),
        ([work_unit(status="completed")], "execute", ONE, "unit_already_completed"),
        ([work_unit(1, 2), work_unit(2)], "execute", ONE, "dependencies_unmet"),
        (
            [work_unit(1, 2), work_unit(2, status="completed"), work_unit(3)],
            "execute",
            ONE,
            "wave_not_open",
        ),
        (
            [work_unit(number, status="active" if number > 1 else "pending") for number in range(1, 7)],
            "execute",
            ONE,
            "too_many_active",
        ),
    ],
)
def test_a_unit_that_may_not_begin(units: list[Any], phase: str, unit: str, code: str) -> None:
    """SH-12 SH-13 SH-29"""
    assert refused(moves.unit_start(world_with(*units, phase=phase).look(), unit, NOW)) == code


def test_a_unit_begins_with_its_first_hat() -> None:
    """SH-32"""
    world = world_with(work_unit())
    step = moves.unit_start(world.look(), ONE, NOW)
    fields = written(step)
    assert (fields["status"], fields["hat"], fields["bolt"], fields["started_at"]) == ("active", "planner", 1, NOW)
    assert isinstance(step, PlanStep)
    assert step.clue is not None
    assert (step.clue.action, step.clue.payload["hat"]) == ("continue_unit", "planner")
    assert step.do[-1] == Commit(message=f"haiku(login): start {ONE}")


def test_a_hat_that_changed_nothing_is_not_done() -> None:
    """Outputs that lay there before are no work; the reason why nothing has to change is kept for people."""
    world = world_with(active(hat="reviewer"))
    world.untouched = (ONE,)
    found = moves.advance_hat(world.look(), ONE, NOW)
    assert isinstance(found, Refusal)
    assert (found.code, found.details["missing"]) == ("no_work_done", ["change"])
    passed = written(moves.advance_hat(world.look(), ONE, NOW, "The form is right as it is."))
    assert passed["iterations"][-1]["reason"] == "The form is right as it is."


@pytest.mark.parametrize(
    ("unit", "touched"),
    [
        (active(hat="planner"), False),
        (active(hat="reviewer", criteria=(("works", True),)), False),
        (active(hat="reviewer"), True),
    ],
)
def test_work_shows_by_a_change_or_a_criterion(unit: Any, touched: bool) -> None:  # noqa: FBT001 - a parameter
    world = world_with(unit)
    world.untouched = () if touched else (ONE,)
    assert isinstance(moves.advance_hat(world.look(), ONE, NOW), PlanStep)


@pytest.mark.parametrize(
    ("unit", "touched", "changed"),
    [
        (active(hat="reviewer"), False, False),
        (active(hat="reviewer"), True, True),
        (active(hat="reviewer", criteria=(("works", True),)), True, True),
        (active(hat="planner"), True, False),
        (active(hat="planner", passes=(Pass(hat="builder", changed=True),)), True, True),
    ],
)
def test_a_pass_keeps_whether_something_had_changed(
    unit: Any,
    touched: bool,  # noqa: FBT001 - a parameter
    changed: bool,  # noqa: FBT001 - a parameter
) -> None:
    """A hat whose word shows no work is not looked at: what was known before holds."""
    world = world_with(unit)
    world.untouched = () if touched else (ONE,)
    kept = written(moves.advance_hat(world.look(), ONE, NOW, "it was right"))["iterations"]
    assert kept[-1].get("changed", False) is changed


def test_a_unit_begins_in_its_own_tree() -> None:
    """SH-30"""
    world = world_with(work_unit())
    world.git = True
    step = moves.unit_start(world.look(), ONE, NOW)
    assert isinstance(step, PlanStep)
    assert step.do[0] == MakeWorktree(unit=ONE)
    assert step.clue is None


@pytest.mark.parametrize(
    ("unit", "missing", "code"),
    [
        (work_unit(), (), "unit_not_active"),
        (work_unit(status="completed"), (), "unit_already_completed"),
        (active(outputs=("../out.py",)), (), "unit_outputs_escaped"),
        (active(hat="reviewer", outputs=()), (), "unit_outputs_empty"),
        (active(hat="reviewer"), ((ONE, "src/part1.py"),), "unit_outputs_missing"),
        (active(hat="reviewer", criteria=(("works", True), ("fast", False))), (), "criteria_not_met"),
        (active(hat="reviewer", passes=(Pass(hat="reviewer"),)), (), "hat_already_passed"),
    ],
)
def test_a_hat_that_is_not_done(unit: Any, missing: tuple[tuple[str, str], ...], code: str) -> None:
    """SH-20: the claim of the agent without the fact is refused."""
    world = world_with(unit)
    world.missing_unit_outputs = missing
    found = moves.advance_hat(world.look(), ONE, NOW)
    assert refused(found) == code
    if code == "criteria_not_met":
        assert isinstance(found, Refusal)
        assert found.details["unchecked"] == ["fast"]


def test_what_the_last_hat_has_to_show_is_not_asked_of_the_first() -> None:
    world = world_with(active(outputs=("src/later.py",), criteria=(("works", False),)))
    world.missing_unit_outputs = ((ONE, "src/later.py"),)
    fields = written(moves.advance_hat(world.look(), ONE, NOW))
    assert (fields["hat"], fields["iterations"][0]["result"]) == ("builder", "advance")


def test_the_last_hat_claims_and_the_engine_completes() -> None:
    fields = written(moves.advance_hat(world_with(active(hat="reviewer")).look(), ONE, NOW))
    assert fields.keys() == {"iterations"}


def test_a_hat_with_gates_claims_too() -> None:
    hats = (Hat(name="planner", run_quality_gates=True), Hat(name="builder"))
    step = moves.advance_hat(world_with(active(), hats=hats).look(), ONE, NOW)
    assert written(step).keys() == {"iterations"}


@pytest.mark.parametrize(("hat", "back"), [("planner", "planner"), ("builder", "planner"), ("reviewer", "builder")])
def test_a_rejected_hat_goes_back_one(hat: str, back: str) -> None:
    """SH-32"""
    step = moves.reject_hat(world_with(active(hat=hat)).look(), ONE, NOW, "too slow")
    fields = written(step)
    assert (fields["hat"], fields["bolt"], fields["iterations"][-1]["reason"]) == (back, 2, "too slow")
    assert isinstance(step, PlanStep)
    assert step.clue is not None
    assert step.clue.payload["rejected_for"] == "too slow"
    again = ", its first hat, which begins again in bolt 2" if hat == back else ""
    assert step.clue.message.startswith(f"{ONE} was sent back by its {hat}{again}: too slow. Work on {ONE}")
    assert ("haiku_unit_reject_hat" in step.clue.message) == (back != "planner"), "nobody is before the first hat"


def test_what_passed_may_still_be_rejected_before_its_merge() -> None:
    unit = active(hat="reviewer", passes=(Pass(hat="reviewer"),))
    assert written(moves.reject_hat(world_with(unit).look(), ONE, NOW))["hat"] == "builder"


def test_who_was_sent_back_without_a_reason_is_told_so() -> None:
    step = moves.reject_hat(world_with(active(hat="reviewer")).look(), ONE, NOW)
    assert isinstance(step, PlanStep)
    assert step.clue is not None
    assert step.clue.message.startswith(f"{ONE} was sent back by its reviewer: no reason was given. Work on {ONE}")
    assert step.clue.payload["rejected_for"] == "no reason was given"


@pytest.mark.parametrize("move", [moves.reject_hat, moves.increment_bolt])
def test_bolts_have_an_end(move: Any) -> None:
    look = world_with(active(bolt=MOST_BOLTS)).look()
    found = move(look, ONE, NOW)
    assert refused(found) == "max_bolts_exceeded"
    assert (found.details["bolt"], found.details["max"]) == (MOST_BOLTS, MOST_BOLTS)
    assert "`leeboard flow revisit build --reason WHY`" in found.message, "as it can be typed"
    assert written(move(world_with(active(bolt=MOST_BOLTS - 1)).look(), ONE, NOW))["bolt"] == MOST_BOLTS


@pytest.mark.parametrize(
    ("reason", "works", "code"), [("", False, "no_work_done"), ("", True, ""), ("so be it", False, "")]
)
def test_who_was_sent_back_changes_something_or_says_why_not(reason: str, code: str, *, works: bool) -> None:
    world = world_with(active(hat="reviewer", passes=(Pass(hat="builder"),), criteria=(("works", True),)))
    world.worktrees[ONE] = "/trees/1"
    world.work(ONE)
    world.do(moves.reject_hat(world.look(), ONE, NOW, "no test at all"))
    if works:
        world.work(ONE)
    found = moves.advance_hat(world.look(), ONE, NOW, reason)
    assert (found.code if isinstance(found, Refusal) else "") == code
    if isinstance(found, Refusal):
        assert f"Nothing has changed in the work tree since {ONE} was sent back: no test at all." in found.message
        assert "with the reason" in found.message


def test_no_bolt_is_added_to_a_claim() -> None:
    """SH-55"""
    unit = active(passes=(Pass(hat="planner"),))
    assert refused(moves.increment_bolt(world_with(unit).look(), ONE, NOW)) == "hat_already_passed"


@pytest.mark.parametrize(
    ("unit", "fields", "code"),
    [
        (work_unit(), {"title": "New"}, ""),
        (work_unit(), {"status": "completed"}, "fsm_field_forbidden"),
        (work_unit(), {"title": "New", "hat": "x"}, "fsm_field_forbidden"),
        (active(), {"title": "New"}, "lifecycle_violation"),
        (active(), {"outputs": ["src/a.py"]}, ""),
        (work_unit(status="completed"), {"outputs": []}, "lifecycle_violation"),
    ],
)
def test_fields_of_a_unit(unit: Any, fields: dict[str, Any], code: str) -> None:
    """SH-49 SH-56: what belongs to the engine is moved by its tools alone."""
    found = moves.unit_set(world_with(unit).look(), ONE, fields)
    assert (refused(found) if code else written(found)) == (code or fields)
    assert refused(moves.unit_set(world_with(unit).look(), ONE, fields, "nowhere")) == "stage_unknown"


@pytest.mark.parametrize(
    ("unit", "phase", "name", "code"),
    [
        (work_unit(), "elaborate", ONE, ""),
        (work_unit(), "execute", ONE, ""),
        (active(), "execute", ONE, "lifecycle_violation"),
        (work_unit(), "elaborate", "unit-02-new", ""),
        (work_unit(), "execute", "unit-02-new", "lifecycle_violation"),
    ],
)
def test_whole_files_of_units(unit: Any, phase: str, name: str, code: str) -> None:
    """SH-49: a plan that was approved is not added to behind the person's back."""
    found = moves.may_write_unit(world_with(unit, phase=phase).look(), name)
    assert (found.code if found else "") == code


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/a.py", False),
        ("a", False),
        ("docs/", False),
        ("src/..a.py", False),
        ("", True),
        ("/etc/passwd", True),
        ("~/x", True),
        ("src/../../x", True),
        ("..", True),
        ("src\\..\\x", True),
        ("C:/x", True),
        (".git/config", True),
    ],
)
def test_paths_that_leave_the_work_tree(path: str, expected: bool) -> None:  # noqa: FBT001 - a parameter
    assert escapes(path) == expected


def test_who_works_on_a_unit_hears_of_no_other() -> None:
    """SH-60"""
    world = world_with(active(), replace(active(), id="unit-02-part"))
    step = moves.advance_hat(world.look(), ONE, NOW)
    assert isinstance(step, PlanStep)
    assert "unit-02-part" not in repr(step.clue)
