from __future__ import annotations

import io

from msgspec.structs import replace

from leeboard.app.views.plan import view_plan
from leeboard.model.plan import Clue, GitFacts, Plan
from leeboard.plan.effect import PlanStep
from leeboard.surfaces.cli.flow.view import plan_object, show_plan
from leeboard.surfaces.cli.terminal import Console
from tests.shown_plan import plan_of


def shown(plan: Plan, step: PlanStep) -> str:
    out = io.StringIO()
    show_plan(view_plan(plan, step), Console(file=out, width=100))
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


def test_the_same_for_programs() -> None:
    told = plan_object(view_plan(plan_of("execute"), PlanStep(clue=Clue(action="review", message="Look.", waits=True))))
    assert told["next"] == {"action": "review", "message": "Look.", "waits": True}
    assert [stage["active"] for stage in told["stages"]] == [False, True, False]
    assert [item["id"] for item in told["open_findings"]] == ["FB-01"]
    assert plan_object(view_plan(plan_of("execute"), PlanStep()))["next"] is None


def test_another_branch_that_is_checked_out_is_told() -> None:
    elsewhere = GitFacts(available=True, branch="main", hub="haiku/thing/main")
    assert "(main is checked out)" in shown(replace(plan_of("execute"), git=elsewhere), PlanStep())
