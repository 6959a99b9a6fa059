from __future__ import annotations

import io

import pytest
from msgspec.structs import replace
from rich.console import Console

from leeboard.model.plan import Clue, GitFacts, Intent, Phase, Plan, StageState, StageView
from leeboard.model.studio import GateCommand, StageSpec, Template
from leeboard.model.unit import Feedback, GateRun, Unit
from leeboard.plan.effect import PlanStep
from leeboard.surfaces.cli.flow.view import blockers, open_findings, plan_object, show_plan

NOTES = Template(name="NOTES", kind="discovery", location=".haiku/intents/{intent-slug}/knowledge/NOTES.md")
MANUAL = Template(name="MANUAL", kind="output", location="docs/")
GATE = GateCommand(name="tests", command="make test")


def plan_of(phase: Phase) -> Plan:
    shape = StageView(spec=StageSpec(name="shape"), state=StageState(stage="shape", status="completed", visits=2))
    units = (Unit(id="unit-01-left", stage="build", quality_gates=(GATE,)),)
    build = StageView(
        spec=StageSpec(name="build"),
        state=StageState(stage="build", status="active", phase=phase, visits=1),
        units=units,
        feedback=(
            Feedback(id="FB-01", stage="build", title="Wrong"),
            Feedback(id="FB-02", stage="build", status="closed"),
        ),
        missing_discovery=(NOTES,),
        missing_outputs=(MANUAL,),
        missing_inputs=(("unit-01-left", "gone.txt"),),
        gate_runs=(GateRun(name="tests", command="make test", code=1),),
        problems=("stages/build: odd",),
    )
    ship = StageView(spec=StageSpec(name="ship"), state=StageState(stage="ship", stale_reason="shape was revisited"))
    git = GitFacts(available=True, branch="haiku/thing/main", hub="haiku/thing/main")
    intent = Intent(slug="thing", title="The thing", studio="small")
    return Plan(intent=intent, stages=(shape, build, ship), git=git)


def shown(plan: Plan, step: PlanStep) -> str:
    out = io.StringIO()
    show_plan(plan, step, Console(file=out, width=100, markup=False))
    return out.getvalue()


def test_stages_phases_waves_and_what_is_next_are_drawn() -> None:
    step = PlanStep(clue=Clue(action="start_unit", message="Begin it with haiku_unit_start."))
    assert shown(plan_of("execute"), step).splitlines() == [
        "thing  The thing  active",
        "  studio  small",
        "  branch  haiku/thing/main",
        "  [x] shape  completed, visit 2",
        "  [>] build  elaborate > EXECUTE > review > gate  0 of 1 unit",
        "      wave 0  [ ] unit-01-left  may begin",
        "  [ ] ship   pending  stale: shape was revisited",
        "  finding  FB-01 of build: Wrong",
        "  blocks   stages/build: odd",
        "  next     start_unit  Begin it with `leeboard flow unit UNIT --start`.",
    ]
    assert "the engine goes on by itself" in shown(plan_of("execute"), PlanStep())


@pytest.mark.parametrize(
    ("phase", "words"),
    [
        ("elaborate", "NOTES is not there: .haiku/intents/thing/knowledge/NOTES.md"),
        ("elaborate", "unit-01-left reads gone.txt, which is not there"),
        ("review", "MANUAL is not there: docs/"),
        ("gate", "quality gate tests fails"),
    ],
)
def test_what_blocks_depends_on_the_phase(phase: Phase, words: str) -> None:
    assert words in blockers(plan_of(phase))
    assert words not in blockers(plan_of("execute"))


def test_what_blocks_everything() -> None:
    dirty = GitFacts(available=True, branch="main", hub="haiku/thing/main", dirty=("a.py",))
    plan = Plan(intent=Intent(slug="thing"), git=dirty, tampered=("stages/a/state.json",))
    uncommitted = "changes that are not committed keep git from switching to haiku/thing/main: a.py"
    assert blockers(plan) == ("stages/a/state.json was changed by somebody else than the engine", uncommitted)
    unread = replace(plan, problems=("intent.md: bad",))
    assert blockers(unread) == ("intent.md: bad", uncommitted), "the others can not be compared with it"
    assert "(main is checked out)" in shown(plan, PlanStep())


def test_the_same_for_programs() -> None:
    told = plan_object(plan_of("execute"), PlanStep(clue=Clue(action="review", message="Look.", waits=True)))
    assert told["next"] == {"action": "review", "message": "Look.", "waits": True}
    assert [stage["active"] for stage in told["stages"]] == [False, True, False]
    assert [item["id"] for item in told["open_findings"]] == ["FB-01"]
    assert open_findings(plan_of("execute"))[0].id == "FB-01"
    assert plan_object(plan_of("execute"), PlanStep())["next"] is None
