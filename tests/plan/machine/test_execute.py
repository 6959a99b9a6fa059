from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from leeboard.model.plan import MOST_BOLTS
from leeboard.model.studio import Hat
from leeboard.model.unit import Feedback, Pass
from leeboard.plan.effect import MergeUnit, RemoveWorktree, WriteUnit
from leeboard.plan.machine import moves
from leeboard.plan.machine.table import advance
from tests.flow_desk import FlowDesk
from tests.git_repository import GitRepository
from tests.plan.plan_world import NOW, TEST_GATE, PlanWorld, stage_spec, work_unit

GATED = (Hat(name="builder", run_quality_gates=True), Hat(name="reviewer"))
DONE: dict[str, Any] = {"status": "active", "bolt": 1, "hat": "reviewer", "passes": (Pass(hat="reviewer"),)}


def world_with(*units: Any, git: bool = True, **spec: Any) -> PlanWorld:
    world = PlanWorld(stage_spec(**spec), git=git)
    world.enter("execute")
    world.plan_units(*units)
    for unit in units:
        if unit.status == "active" and git:
            world.worktrees[unit.id] = f"/trees/{unit.id}"
    world.hold()
    return world


def told(world: PlanWorld) -> tuple[str, dict[str, Any]]:
    clue = world.tick()
    assert clue is not None
    return clue.action, clue.payload


def test_units_of_a_wave_begin_side_by_side_in_their_own_trees() -> None:
    """SH-30 SH-31"""
    world = world_with(work_unit(1), work_unit(2), work_unit(3, 1))
    action, payload = told(world)
    assert (action, payload["units"]) == ("start_units", ["unit-01-part", "unit-02-part"])
    assert payload["worktrees"] == {"unit-01-part": "/trees/unit-01-part", "unit-02-part": "/trees/unit-02-part"}
    assert (payload["wave"], payload["total_waves"], payload["first_hat"]) == (0, 2, "planner")
    assert payload["overlaps"] == []


def test_without_git_the_work_is_done_in_place() -> None:
    action, payload = told(world_with(work_unit(1), git=False))
    assert (action, payload["worktree"]) == ("start_unit", None)


def test_a_warning_before_two_units_change_the_same_files() -> None:
    world = world_with(work_unit(1, touch=("src/**",)), work_unit(2, outputs=("src/a.py",)))
    clue = world.tick()
    assert clue is not None
    assert clue.payload["overlaps"][0]["units"] == ["unit-01-part", "unit-02-part"]
    assert "the same files" in clue.message


def test_what_is_active_goes_on_when_nothing_may_begin() -> None:
    world = world_with(work_unit(1, status="active", hat="builder", bolt=2), work_unit(2))
    assert told(world)[0] == "start_unit"
    world.do(moves.unit_start(world.look(), "unit-02-part", NOW))
    action, payload = told(world)
    assert action == "continue_units"
    assert [each["hat"] for each in payload["units"]] == ["builder", "planner"]


def test_a_lost_work_tree_is_made_again() -> None:
    world = world_with(work_unit(1, status="active", hat="builder", bolt=1))
    world.worktrees.clear()
    assert told(world)[1]["worktree"] == "/trees/unit-01-part"


def test_a_unit_is_merged_before_it_is_completed() -> None:
    """SH-30: and what it was written to settle is settled."""
    world = world_with(work_unit(1, closes=("FB-01",), **DONE))
    world.unmerged.add("unit-01-part")
    world.file(Feedback(id="FB-01", stage="build", resolution="stage_revisit", status="fixing", triaged_at=NOW))
    first = advance(world.look(), NOW)
    assert isinstance(first.do[0], MergeUnit)
    world.perform(first.do)
    second = advance(world.look(), NOW)
    kinds = [type(effect) for effect in second.do]
    assert kinds.index(WriteUnit) < kinds.index(RemoveWorktree)
    world.perform(second.do)
    assert world.units["build"]["unit-01-part"].status == "completed"
    assert world.feedback["build"]["FB-01"].status == "addressed"
    assert not world.worktrees


def test_a_conflict_becomes_an_action_and_the_merge_is_tried_again() -> None:
    world = world_with(work_unit(1, **DONE))
    world.unmerged.add("unit-01-part")
    world.clashing.add("unit-01-part")
    action, payload = told(world)
    assert (action, payload["conflict_paths"]) == ("resolve_merge_conflicts", ["src/shared.py"])
    assert payload["worktree"] == "/trees/unit-01-part"
    world.resolve("unit-01-part")
    assert told(world)[0] == "review"
    assert world.units["build"]["unit-01-part"].status == "completed"


def test_a_dirty_tree_holds_up_a_merge() -> None:
    world = world_with(work_unit(1, **DONE))
    world.unmerged.add("unit-01-part")
    world.dirty = ("notes.txt",)
    action, payload = told(world)
    assert (action, payload["dirty_files"], payload["unit"]) == ("commit_wip", ["notes.txt"], "unit-01-part")
    world.dirty = ()
    assert told(world)[0] == "review"


@pytest.mark.parametrize(
    ("fails", "bolt", "action", "hat", "bolt_after"),
    [
        (False, 1, "continue_unit", "reviewer", 1),
        (True, 1, "fix_quality_gates", "builder", 2),
        (True, MOST_BOLTS, "escalate", "builder", MOST_BOLTS),
    ],
)
def test_a_hat_that_runs_quality_gates(bolt: int, action: str, hat: str, bolt_after: int, *, fails: bool) -> None:
    """SH-20: the claim alone moves nothing; the gates do."""
    unit = work_unit(1, status="active", bolt=bolt, hat="builder", quality_gates=(TEST_GATE,))
    world = world_with(unit, hats=GATED)
    world.failing = {TEST_GATE.command} if fails else set()
    world.do(moves.advance_hat(world.look(), unit.id, NOW))
    found, payload = told(world)
    assert found == action
    after = world.units["build"][unit.id]
    assert (after.hat, after.bolt) == (hat, bolt_after)
    if fails:
        assert payload["failures"][0]["output"] == "1 failed"


def test_who_has_to_fix_a_unit_is_told_where_and_what_comes_then() -> None:
    unit = work_unit(1, status="active", bolt=1, hat="builder", passes=(Pass(hat="builder"),))
    world = world_with(replace(unit, quality_gates=(TEST_GATE,)), hats=GATED)
    world.failing = {TEST_GATE.command}
    first, second = world.tick(), world.tick()
    assert first is not None
    assert second is not None
    assert (
        "fix them in /trees/unit-01-part, then call haiku_unit_advance_hat unit-01-part (hat builder, bolt 2)."
        in first.message
    )
    assert second.message.startswith("unit-01-part was sent back by its quality gates: tests. Work on")


@pytest.mark.parametrize(("bolt", "offered"), [(MOST_BOLTS - 1, True), (MOST_BOLTS, False)])
def test_nobody_is_sent_back_beyond_the_last_bolt(bolt: int, *, offered: bool) -> None:
    world = world_with(work_unit(1, status="active", bolt=bolt, hat="reviewer"))
    clue = world.tick()
    assert clue is not None
    assert ("haiku_unit_reject_hat" in clue.message) is offered
    assert ("`leeboard flow revisit build --reason WHY`" in clue.message) is not offered


def test_the_failure_is_told_again_to_who_takes_over() -> None:
    """SH-07"""
    unit = work_unit(
        1, status="active", bolt=1, hat="builder", passes=(Pass(hat="builder"),), quality_gates=(TEST_GATE,)
    )
    world = world_with(unit, hats=GATED)
    world.failing = {TEST_GATE.command}
    assert told(world)[0] == "fix_quality_gates"
    action, payload = told(world)
    assert (action, payload["rejected_for"]) == ("continue_unit", "quality gates fail: tests")
    assert payload["failures"][0]["name"] == "tests"


def test_a_last_hat_with_gates_is_proven_and_then_merged() -> None:
    hats = (Hat(name="builder"), Hat(name="reviewer", run_quality_gates=True))
    world = world_with(work_unit(1, quality_gates=(TEST_GATE,), **DONE), hats=hats)
    world.unmerged.add("unit-01-part")
    assert told(world)[0] == "review"
    assert {run.unit for run in world.gate_runs} == {"unit-01-part", ""}


def test_nothing_planned_is_never_done() -> None:
    world = world_with()
    assert told(world)[0] == "elaborate"
    assert world.states["build"].visits == 2


def test_a_unit_of_the_next_wave_waits_for_the_whole_wave() -> None:
    """SH-29"""
    world = world_with(work_unit(1, status="completed"), work_unit(2), work_unit(3, 1))
    assert told(world)[1]["unit"] == "unit-02-part"
    world.plan_units(replace(world.units["build"]["unit-02-part"], status="completed"))
    world.worktrees.clear()
    assert told(world)[1]["unit"] == "unit-03-part"


def test_the_tree_of_a_namesake_in_another_stage_is_left_alone() -> None:
    """Names were not always unique in an intent: what somebody works in is never removed."""
    world = PlanWorld(stage_spec(), stage_spec("ship"))
    world.enter("execute")
    world.plan_units(work_unit(1, status="completed"), work_unit(1, stage="ship", id="unit-01-part", status="active"))
    world.worktrees["unit-01-part"] = "/trees/1"
    assert told(world)[0] == "review"
    assert world.worktrees


def test_what_a_stage_lacks_is_told_with_the_very_place_it_is_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its units are merged by then: a place that is read from a unit's work tree would be the wrong one."""
    desk = FlowDesk(tmp_path, monkeypatch)
    template = "---\nname: manual\nlocation: docs/{intent-slug}.md\nrequired: true\n---\nHow it is used.\n"
    desk.through_shape()
    desk.repository.write(".haiku/studios/small/stages/build/outputs/MANUAL.md", template)
    desk.repository.commit("a manual is owed")
    desk.until("elaborate")
    desk.plan("left.txt")
    desk.until("gate_review")
    desk.ok("review", "--approve")
    desk.until("start_unit")
    desk.work("unit-01-left", "left.txt", hats=2)
    told = desk.until("outputs_missing")["message"]
    place = Path(re.findall(r"manual at (\S+)\. Write", told)[0])
    assert place.is_absolute()
    place.parent.mkdir(parents=True)
    place.write_text("Use it.\n")
    GitRepository(desk.root).commit("the manual")
    assert desk("run_next")["action"] == "review"
