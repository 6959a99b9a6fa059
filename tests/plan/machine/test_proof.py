from __future__ import annotations

from msgspec.structs import replace

from leeboard.model.studio import GateCommand
from leeboard.plan.effect import RunGates
from leeboard.plan.machine.proof import failed, failure_payload, owed, stage_commands, unit_commands, warnings
from tests.plan.plan_world import TEST_GATE, PlanWorld, work_unit

LINT = GateCommand(name="lint", command="make lint")


def world_with_gates() -> PlanWorld:
    world = PlanWorld()
    world.intent = replace(world.intent, quality_gates=(TEST_GATE,))
    again = GateCommand(name="tests again", command=TEST_GATE.command)
    elsewhere = replace(LINT, dir="web")
    empty = GateCommand(name="empty", command="")
    world.plan_units(work_unit(1, quality_gates=(again, LINT, empty)), work_unit(2, quality_gates=(LINT, elsewhere)))
    return world


def test_a_command_runs_once_in_a_folder() -> None:
    """SH-33"""
    world = world_with_gates()
    found = stage_commands(world.look(), world.view("build"))
    assert [(gate.name, gate.dir) for gate in found] == [("tests", ""), ("lint", ""), ("lint", "web")]
    assert [gate.name for gate in unit_commands(world.look(), work_unit(1, quality_gates=(LINT,)))] == ["tests", "lint"]


def test_a_run_proves_the_tree_it_ran_over_and_no_other() -> None:
    world = world_with_gates()
    assert owed((TEST_GATE,), world.view("build")) == (TEST_GATE,)
    world.apply(RunGates(stage="build", commands=(TEST_GATE,)))
    assert owed((TEST_GATE,), world.view("build")) == ()
    assert owed((TEST_GATE,), world.view("build"), "unit-01-part") == (TEST_GATE,)
    world.work()
    assert owed((TEST_GATE,), world.view("build")) == (TEST_GATE,)


def test_a_missing_program_is_said_and_is_no_failure() -> None:
    """SH-58"""
    world = world_with_gates()
    world.absent, world.failing = {TEST_GATE.command: "make"}, {LINT.command}
    world.apply(RunGates(stage="build", commands=(TEST_GATE, LINT)))
    stage = world.view("build")
    assert owed((TEST_GATE, LINT), stage) == ()
    assert [run.name for run in failed((TEST_GATE, LINT), stage)] == ["lint"]
    assert warnings((TEST_GATE, LINT), stage) == ["Quality gate tests was not run: make is not installed."]


def test_a_failure_is_told_with_the_end_of_its_output() -> None:
    world = world_with_gates()
    world.failing = {LINT.command}
    world.apply(RunGates(stage="build", commands=(LINT,)))
    told = failure_payload(failed((LINT,), world.view("build")))
    assert told == [{"name": "lint", "command": "make lint", "dir": "", "exit_code": 1, "output": "1 failed"}]
