from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from leeboard.model.plan import Iteration, LastAction
from leeboard.model.studio import GateCommand, Template
from leeboard.model.unit import Feedback
from tests.plan.plan_world import NOW, PlanWorld, stage_spec, work_unit

REVISIT = Feedback(
    id="FB-01", stage="build", title="Wrong", resolution="stage_revisit", status="fixing", triaged_at=NOW
)


def world_with(*units: Any, **spec: Any) -> PlanWorld:
    world = PlanWorld(stage_spec(**spec))
    world.enter("elaborate")
    world.plan_units(*units)
    return world


def told(world: PlanWorld) -> tuple[str, dict[str, Any]]:
    clue = world.tick()
    assert clue is not None
    return clue.action, clue.payload


@pytest.mark.parametrize(
    ("turns", "action"),
    [(0, "elaboration_insufficient"), (2, "elaboration_insufficient"), (3, "gate_review"), (9, "gate_review")],
)
def test_three_turns_of_the_user(turns: int, action: str) -> None:
    """SH-22 SH-44: two are refused, three are enough; what the user said is written down."""
    world = world_with(work_unit(), elaboration="collaborative")
    for _ in range(turns):
        world.say()
    assert told(world)[0] == action
    assert world.states["build"].elaboration_turns == turns


def test_calls_are_no_turns() -> None:
    """SH-45: ten calls and two turns: the same answer, counted, never a halt."""
    world = world_with(work_unit(), elaboration="collaborative")
    world.say()
    world.say()
    answers = [told(world) for _ in range(10)]
    assert {action for action, _ in answers} == {"elaboration_insufficient"}
    assert [payload["repeats"] for _, payload in answers] == list(range(10))
    assert answers[-1][1]["required"] == 3


def test_turns_of_an_earlier_visit_do_not_count() -> None:
    world = world_with(work_unit(), elaboration="collaborative")
    for _ in range(3):
        world.say()
    world.enter("elaborate", visits=2)
    assert told(world)[0] == "elaboration_insufficient"


def test_an_autonomous_stage_needs_no_turns() -> None:
    assert told(world_with(work_unit(), review=("auto",)))[0] == "intent_approved"


@pytest.mark.parametrize(
    ("units", "spec", "action", "expected"),
    [
        (
            [work_unit(1, 2)],
            {},
            "unresolved_dependencies",
            {"unresolvedDeps": [{"unit": "unit-01-part", "dep": "unit-02-part"}]},
        ),
        ([work_unit(1, 1)], {}, "dag_cycle_detected", {"cycle": ["unit-01-part", "unit-01-part"]}),
        ([work_unit(id="unit-1-x")], {}, "unit_naming_invalid", {}),
        ([work_unit(id="unit-01-X")], {}, "unit_naming_invalid", {}),
        ([work_unit(id="unit-01-a"), work_unit(id="unit-001-b")], {}, "unit_naming_invalid", {}),
        (
            [work_unit(type="poem")],
            {"unit_types": ("code",)},
            "spec_validation_failed",
            {"violations": [{"unit": "unit-01-part", "type": "poem"}], "allowed_types": ["code"]},
        ),
        ([work_unit(type="")], {"unit_types": ("code",)}, "spec_validation_failed", {"allowed_types": ["code"]}),
        ([work_unit(type="", status="completed")], {"unit_types": ("code",)}, "gate_review", {}),
        (
            [work_unit(quality_gates=(GateCommand(name="tests", command="pytest || true"),))],
            {},
            "spec_validation_failed",
            {"idle_gates": [{"of": "unit-01-part", "gate": "tests", "command": "pytest || true"}]},
        ),
        ([work_unit(type="poem")], {}, "gate_review", {}),
        ([work_unit(inputs=())], {}, "unit_inputs_missing", {"missing_units": ["unit-01-part"]}),
        ([work_unit(inputs=(), status="completed")], {}, "gate_review", {}),
    ],
)
def test_what_keeps_a_stage_in_elaborate(
    units: list[Any], spec: dict[str, Any], action: str, expected: dict[str, Any]
) -> None:
    """SH-21 SH-23 SH-24 SH-25 SH-26 SH-28"""
    world = world_with(*units, **spec)
    found, payload = told(world)
    assert found == action
    assert expected.items() <= payload.items()
    assert world.states["build"].phase == "elaborate"


def test_the_order_of_the_checks() -> None:
    """SH-22 to SH-27: turns, dependencies, cycles, names, types, inputs, discovery, then the gate."""
    world = world_with(
        work_unit(1, 7, inputs=(), type="poem"),
        work_unit(2, 3, type="code"),
        work_unit(3, 2, type="code"),
        work_unit(id="bad"),
        elaboration="collaborative",
        unit_types=("code",),
    )
    world.missing_discovery = (Template(name="BRIEF", kind="discovery", location="knowledge/brief.md"),)
    world.missing_inputs = (("unit-02-part", "src/none.py"),)
    mend: list[tuple[str, Any]] = [
        ("elaboration_insufficient", lambda: world.turns.extend(["build/1"] * 3)),
        ("unresolved_dependencies", lambda: world.plan_units(work_unit(1, inputs=(), type="poem"))),
        ("dag_cycle_detected", lambda: world.plan_units(work_unit(3, type="code"))),
        ("unit_naming_invalid", lambda: world.units["build"].pop("bad")),
        ("spec_validation_failed", lambda: world.plan_units(work_unit(1, inputs=(), type="code"))),
        ("unit_inputs_missing", lambda: world.plan_units(work_unit(1, type="code"))),
        ("unit_inputs_missing", lambda: setattr(world, "missing_inputs", ())),
        ("discovery_missing", lambda: setattr(world, "missing_discovery", ())),
    ]
    for expected, change in mend:
        assert told(world)[0] == expected
        change()
    assert told(world)[0] == "gate_review"


def test_names_of_earlier_stages_count_too() -> None:
    world = PlanWorld(stage_spec("design"), stage_spec())
    world.plan_units(work_unit(stage="design", id="odd", status="completed"), work_unit())
    world.enter("gate", "design", status="completed")
    world.enter("elaborate")
    assert told(world)[1]["violations"][0]["file"] == "odd.md"


def test_a_name_is_given_once_in_an_intent() -> None:
    """SH-24: branches and work trees are named after units."""
    world = PlanWorld(stage_spec("design"), stage_spec())
    world.enter("gate", "design", status="completed")
    world.enter("elaborate")
    world.plan_units(work_unit(stage="design", id="unit-01-part", status="completed"), work_unit())
    action, payload = told(world)
    assert (action, payload["violations"][0]["issue"]) == (
        "unit_naming_invalid",
        "has the name of a unit of another stage",
    )


@pytest.mark.parametrize(
    ("closes", "status", "action"),
    [
        ((), "pending", "elaborate"),
        (("FB-01",), "pending", "gate_review"),
        (("FB-01",), "completed", "elaborate"),
        (("FB-01", "FB-07"), "pending", "elaborate"),
    ],
)
def test_what_a_stage_was_revisited_for_needs_a_unit(closes: tuple[str, ...], status: str, action: str) -> None:
    world = world_with(work_unit(closes=closes, status=status))
    world.file(REVISIT)
    found, payload = told(world)
    assert found == action
    assert ("validation_error" in payload) == (action == "elaborate")


def test_findings_of_the_intent_are_claimed_by_their_full_name() -> None:
    world = world_with(work_unit(closes=("FB-01",)))
    world.file(replace(REVISIT, stage=""))
    assert told(world)[0] == "elaborate"
    world.plan_units(work_unit(closes=("intent/FB-01",)))
    assert told(world)[0] == "gate_review"


@pytest.mark.parametrize(("elaboration", "waits"), [("collaborative", True), ("autonomous", False)])
def test_without_units_the_work_is_to_be_split(elaboration: str, waits: bool) -> None:  # noqa: FBT001 - a parameter
    """SH-21 SH-45: with the user still to be heard it waits, else it is work."""
    world = world_with(elaboration=elaboration, description="Build it", phase_notes={"elaborate": "Small units."})
    clue = world.tick()
    assert clue is not None
    assert (clue.action, clue.waits) == ("elaborate", waits)
    assert clue.payload["stage_metadata"]["description"] == "Build it"
    assert clue.payload["guidance"] == "Small units."


STALE = "design was revisited for design/FB-01: Another design"


def test_a_stale_stage_is_told_so_once_in_a_visit_and_then_goes_on() -> None:
    world = world_with(work_unit(status="completed"))
    world.enter("elaborate", stale_reason=STALE)
    world.hold()
    clue = world.tick()
    assert clue is not None
    assert (clue.action, clue.payload["stale_reason"], clue.waits) == ("elaborate", STALE, False)
    assert STALE in clue.message
    assert "No unit was added" in clue.message
    for _ in range(2):
        clue = world.tick()
        assert clue is not None
        assert (clue.action, world.states["build"].stale_told) == ("gate_review", world.states["build"].visits)
        assert STALE in clue.message
        assert any(STALE in text and "No unit was added" in text for text in clue.payload["warnings"])
    world.enter("elaborate", stale_reason=STALE, visits=world.states["build"].visits + 1)
    assert told(world)[0] == "elaborate"


def test_an_answer_of_an_earlier_visit_is_none() -> None:
    world = world_with(work_unit(status="completed"))
    world.enter("elaborate", stale_reason=STALE, iterations=(Iteration(index=1, started_at="2026-03-01T10:00:00Z"),))
    world.last = LastAction(name="elaborate", at="2026-03-01T09:59:59Z")
    assert told(world)[0] == "elaborate"


def test_a_unit_without_a_criterion_is_named_and_passes() -> None:
    world = world_with(work_unit(), work_unit(2, criteria=(("it works", False),)))
    action, payload = told(world)
    (said,) = payload["warnings"]
    assert (action, "unit-01-part" in said, "unit-02-part" in said) == ("gate_review", True, False)
    world.plan_units(work_unit(3, 9))
    assert {each["problem"] for each in told(world)[1]["also"]} == {"unit_without_criteria"}
