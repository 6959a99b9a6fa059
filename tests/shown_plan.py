"""A plan with something of everything that a person is shown."""

from __future__ import annotations

from leeboard.model.plan import GitFacts, Intent, Phase, Plan, StageState, StageView
from leeboard.model.studio import GateCommand, StageSpec, Template
from leeboard.model.unit import Feedback, GateRun, Unit

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
