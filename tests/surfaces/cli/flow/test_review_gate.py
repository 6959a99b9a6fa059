from __future__ import annotations

import io

import pytest
from msgspec.structs import replace

from leeboard.app.plan.changed import StageDiff
from leeboard.app.views.plan import choices, view_gate
from leeboard.model.plan import GitFacts, Intent, Phase, Plan, StageState, StageView
from leeboard.model.studio import GateCommand, Hat, StageSpec, Studio
from leeboard.model.unit import Feedback, GateRun, ReviewReport, Unit, UnitStatus
from leeboard.surfaces.cli.flow.review import gate_object, show_gate
from leeboard.surfaces.cli.terminal import Console

RUN = GateRun(name="tests", command="make test", passed=True, code=0, seconds=1.25)
DIFF = StageDiff(
    base="0123456789abcdef", files=(("a.py", 1, 2), ("b.png", -1, -1)), lines=("diff --git", "+x"), left_out=7
)


def stage(phase: Phase, status: UnitStatus = "completed") -> StageView:
    unit = Unit(
        id="unit-01-left",
        stage="build",
        title="The left",
        status=status,
        inputs=("intent.md",),
        criteria=(("it is left", False),),
        quality_gates=(GateCommand(name="tests", command="make test"),),
    )
    spec = StageSpec(name="build", hats=(Hat(name="builder"),), review=("external", "ask"), elaboration="autonomous")
    state = StageState(stage="build", status="active", phase=phase, visits=1)
    return StageView(spec=spec, state=state, units=(unit,))


def plan_of(view: StageView) -> Plan:
    intent = Intent(slug="thing", studio="small", intent_reviewed=True)
    git = GitFacts(available=True, branch="haiku/thing/main", hub="haiku/thing/main")
    return Plan(intent=intent, studio=Studio(slug="small", name="small"), stages=(view,), git=git)


def shown(view: StageView, diff: StageDiff = DIFF) -> str:
    out = io.StringIO()
    show_gate(view_gate(plan_of(view), view, diff), Console(file=out, width=100))
    return out.getvalue()


def test_a_stage_is_shown_with_its_proofs_and_its_diff() -> None:
    view = replace(
        stage("gate"),
        gate_runs=(RUN, replace(RUN, unit="unit-01-left", name="elsewhere")),
        reports=(ReviewReport(agent="critic", verdict="findings", findings=("FB-01",)),),
        feedback=(
            Feedback(id="FB-01", stage="build", title="Short", status="addressed"),
            Feedback(id="FB-02", stage="build", title="Gone", status="closed"),
        ),
    )
    assert shown(view).splitlines() == [
        "thing  stage build, visit 1",
        "  gate     tests: passed (1.2 s)",
        "  review   critic: findings (FB-01)",
        "  finding  FB-01 addressed: Short",
        "  diff     2 files since 0123456789ab",
        "             a.py  +1 -2",
        "             b.png  not text",
        "diff --git",
        "+x",
        "7 more lines: --full shows them",
        "decide with --approve, --request-changes TEXT, --external [URL]",
    ]


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (replace(RUN, passed=False, code=2, tail="one\ntwo\n"), "tests: failed with 2"),
        (replace(RUN, passed=False, code=None), "tests: failed, out of time"),
        (replace(RUN, passed=False, missing="make"), "tests: not run, make is not installed"),
        (None, "tests: not run over this tree"),
    ],
)
def test_how_a_gate_ended(run: GateRun | None, words: str) -> None:
    text = shown(replace(stage("review"), gate_runs=(run,) if run else ()))
    assert words in text
    assert "no decision is waited for" in text


def test_the_tail_of_a_failure_is_shown() -> None:
    failed = replace(RUN, passed=False, code=1, tail="\n".join(f"line {number}" for number in range(9)))
    text = shown(replace(stage("review"), gate_runs=(failed,)))
    assert "line 8" in text
    assert "line 3" not in text


def test_a_plan_is_shown_as_its_units() -> None:
    text = shown(stage("elaborate", status="pending"), StageDiff())
    for words in (
        "the plan of stage build",
        "wave 0  [ ] unit-01-left",
        "must hold  it is left",
        "gate       tests: make test",
    ):
        assert words in text
    assert "there is nothing to compare with" in text
    assert "decide with --approve, --request-changes TEXT\n" in text


def test_the_same_for_programs() -> None:
    view = replace(stage("gate"), gate_runs=(RUN,))
    told = gate_object(view_gate(plan_of(view), view, DIFF))
    assert (told["decisions"], told["why_not"]) == (["approved", "changes_requested", "external_review"], "")
    assert (told["diff"], told["diff_left_out"], told["base"]) == ("diff --git\n+x", 7, DIFF.base)
    assert told["gates"][0]["passed"]
    assert choices(replace(plan_of(view), sealed=False)) == (), "nobody decides over what was changed by hand"
