"""Every row of the machine: a plan in which it is the one that decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from leeboard.model.plan import PHASES, Iteration, LastAction
from leeboard.model.studio import Template
from leeboard.model.truth import Divergence, LogEntry, Standing, SurfaceFile, Truth
from leeboard.model.unit import Feedback, Pass, ReviewReport, Ruling
from leeboard.plan.effect import RunGates, WriteStage
from leeboard.plan.machine.look import Row, looking
from leeboard.plan.machine.policy import shown
from leeboard.plan.machine.table import BEFORE_TICK, FEEDBACK, GATE, INTENT, TABLE, advance, rows_for
from tests.plan.plan_world import NOW, TEST_GATE, PlanWorld, stage_spec, work_unit

Setup = Callable[[PlanWorld], None]
SPEC = Template(name="SPEC", kind="output", location="docs/spec.md")
DONE = work_unit(1, status="completed", bolt=1, hat="reviewer")
ACTIVE = work_unit(1, status="active", bolt=1, hat="planner", hat_started_at=NOW)
PASSED = replace(ACTIVE, hat="reviewer", passes=(Pass(hat="reviewer"),))
GATED = stage_spec(hats=(replace(stage_spec().hats[0], run_quality_gates=True), *stage_spec().hats[1:]))
CLAIMED = replace(ACTIVE, passes=(Pass(hat="planner"),), quality_gates=(TEST_GATE,))

STANDING: dict[str, Standing] = {"": "established", "build": "established"}
LOST: dict[str, Standing] = {"": "established", "build": "missing"}
DROPPED = Divergence(
    path="knowledge/needs.md",
    scope="",
    file=SurfaceFile(
        path="knowledge/needs.md",
        place="knowledge/needs.md",
        sha256="a" * 64,
        bytes=9,
        mtime_ns=1,
        is_binary=False,
        stage=None,
        tracking_class="knowledge",
    ),
)
WROTE = LogEntry(
    entry_type="agent_write",
    path=DROPPED.path,
    sha=DROPPED.sha,
    author_class="agent",
    timestamp=NOW,
    before_sha="absent",
)


def item(**changes: Any) -> Feedback:
    given: dict[str, Any] = {"id": "FB-01", "stage": "build", "title": "Wrong", "triaged_at": NOW}
    return Feedback(**{**given, **changes})


ASKED = {"decision": "Colour", "options": ["red", "blue"], "choice": "", "asked": 1}


def at(phase: Any, *units: Any, **changes: Any) -> Setup:
    """The stage in a phase with these units; `changes` are set on the world."""

    def setup(world: PlanWorld) -> None:
        world.enter(phase)
        world.plan_units(*units)
        for unit in units:
            if unit.status == "active":
                world.worktrees[unit.id] = f"/trees/{unit.id}"
        for name, value in changes.items():
            setattr(world, name, value)

    return setup


def then(*setups: Setup) -> Setup:
    def setup(world: PlanWorld) -> None:
        for each in setups:
            each(world)

    return setup


def filed(**changes: Any) -> Setup:
    return lambda world: world.file(item(**changes))


def ruled(decision: Any, context: str = "stage_gate", words: str = "") -> Setup:
    ruling = Ruling(decision=decision, context=context, feedback=words, by="ann", visit=1, decided_at=NOW)
    return lambda world: world.rulings["build"].append(ruling)


def state(**changes: Any) -> Setup:
    def setup(world: PlanWorld) -> None:
        world.states["build"] = replace(world.states["build"], **changes)

    return setup


def intent(**changes: Any) -> Setup:
    def setup(world: PlanWorld) -> None:
        world.intent = replace(world.intent, **changes)

    return setup


def spec(**changes: Any) -> Setup:
    def setup(world: PlanWorld) -> None:
        world.specs["build"] = replace(world.specs["build"], **changes)

    return setup


def reported(world: PlanWorld) -> None:
    world.reports["build"].append((1, ReviewReport(agent="correctness", verdict="pass")))


def failing(world: PlanWorld) -> None:
    world.failing = {TEST_GATE.command}
    world.apply(RunGates(stage="build", commands=(TEST_GATE,)))


def failing_unit(world: PlanWorld) -> None:
    world.failing = {TEST_GATE.command}
    world.apply(RunGates(stage="build", commands=(TEST_GATE,), unit=ACTIVE.id))


def unmerged(world: PlanWorld) -> None:
    world.unmerged.add(ACTIVE.id)


def all_completed(world: PlanWorld) -> None:
    world.enter("gate", status="completed")


def only_stage(world: PlanWorld) -> None:
    del world.specs["ship"], world.states["ship"]


def changed(world: PlanWorld) -> None:
    """After the plan has passed."""
    world.hold()
    world.plan_units(replace(DONE, quality_gates=(TEST_GATE,)))


IN_PHASES = {phase: then(at(phase, DONE), reported) for phase in ("execute", "review", "gate")}
REVIEWED = then(at("review", DONE), reported)
AT_GATE = then(at("gate", DONE), reported)
WITH_TESTS = intent(quality_gates=(TEST_GATE,))
REVISITS = tuple(Iteration(index=at, trigger="feedback") for at in (1, 2))

SCENARIOS: dict[tuple[str, str], Setup] = {
    ("intent", "is_archived"): intent(archived=True),
    ("intent", "files_unreadable"): at("execute", problems=("state.json: not JSON",)),
    ("intent", "seal_broken"): at("execute", sealed=False),
    ("intent", "intent_done"): intent(status="completed"),
    ("intent", "studio_unchosen"): intent(studio=""),
    ("intent", "studio_unusable"): at("execute", studio=None),
    ("intent", "pages_unreadable"): at("execute", replace(ACTIVE, problem="not YAML")),
    ("intent", "git_busy"): at("execute", ACTIVE, branch="", dirty=("a.py",), under_way="a rebase: end it"),
    ("intent", "branch_blocked"): at("execute", ACTIVE, branch="main", dirty=("a.py",)),
    ("intent", "branch_other"): at("execute", ACTIVE, branch="main"),
    ("intent", "guards_unkept"): then(at("execute", ACTIVE), intent(guards=())),
    ("drift", "baseline_accepted"): at("execute", ACTIVE, truth=Truth(standing=LOST, acks={"build": "d" * 64})),
    ("drift", "baseline_lost"): at("execute", ACTIVE, truth=Truth(standing=LOST)),
    ("drift", "baseline_unmade"): at("execute", ACTIVE, truth=Truth(standing={"": "unestablished"})),
    ("drift", "change_unassessed"): then(
        at("execute", ACTIVE, truth=Truth(standing=STANDING, divergences=(DROPPED,))), filed(triaged_at="")
    ),
    ("drift", "change_explained"): at("execute", ACTIVE, truth=Truth(divergences=(replace(DROPPED, log=(WROTE,)),))),
    ("feedback", "untriaged"): then(at("execute", ACTIVE), filed(triaged_at="")),
    ("feedback", "revisit_over_cap"): then(
        at("execute", ACTIVE), state(iterations=REVISITS), filed(resolution="stage_revisit")
    ),
    ("feedback", "revisit_asked"): then(at("execute", ACTIVE), filed(resolution="stage_revisit")),
    ("feedback", "question_open"): then(at("execute", ACTIVE), filed(resolution="question")),
    ("feedback", "work_reopened"): then(all_completed, filed()),
    ("start", "stages_done"): all_completed,
    ("start", "stage_unstarted"): lambda world: setattr(world, "branch", "haiku/login/main"),
    ("elaborate", "turns_moved"): then(at("elaborate"), PlanWorld.say),
    ("elaborate", "changes_unfiled"): then(at("elaborate", work_unit()), ruled("changes_requested", "intent_review")),
    ("elaborate", "specs_to_revise"): then(
        at("elaborate", work_unit()),
        ruled("changes_requested", "intent_review"),
        filed(source_ref="ruling/build/1/0", origin="user-visual"),
    ),
    ("elaborate", "choice_open"): then(at("elaborate"), state(extra={"decision_log": [ASKED]}, visits=1)),
    ("elaborate", "units_to_discuss"): then(at("elaborate"), spec(elaboration="collaborative")),
    ("elaborate", "stale_answered"): then(
        at("elaborate", DONE, last=LastAction(name="elaborate", at=NOW)), state(stale_reason="design was revisited")
    ),
    ("elaborate", "stale_to_tell"): then(at("elaborate", DONE), state(stale_reason="design was revisited")),
    ("elaborate", "units_to_write"): at("elaborate"),
    ("elaborate", "turns_missing"): then(at("elaborate", work_unit()), spec(elaboration="collaborative")),
    ("elaborate", "dependency_missing"): at("elaborate", work_unit(1, 7)),
    ("elaborate", "dependencies_circle"): at("elaborate", work_unit(1, 2), work_unit(2, 1)),
    ("elaborate", "names_wrong"): at("elaborate", work_unit(id="login")),
    ("elaborate", "types_wrong"): then(at("elaborate", work_unit(type="poem")), spec(unit_types=("code",))),
    ("elaborate", "inputs_missing"): at("elaborate", work_unit(inputs=())),
    ("elaborate", "discovery_missing"): at("elaborate", work_unit(), missing_discovery=(SPEC,)),
    ("elaborate", "feedback_unclaimed"): then(
        at("elaborate", work_unit()), filed(resolution="stage_revisit", status="fixing")
    ),
    ("elaborate", "intent_passed"): then(at("elaborate", work_unit()), ruled("approved", "intent_review")),
    ("elaborate", "plan_passed"): then(
        at("elaborate", work_unit()), intent(intent_reviewed=True), ruled("approved", "elaborate_to_execute")
    ),
    ("elaborate", "plan_waits"): at("elaborate", work_unit()),
    ("execute", "no_units"): at("execute"),
    ("execute", "dependency_missing"): at("execute", work_unit(1, 7)),
    ("execute", "dependencies_circle"): at("execute", work_unit(1, 2), work_unit(2, 1)),
    ("execute", "names_wrong"): at("execute", work_unit(1), work_unit(1, id="unit-01-other")),
    ("execute", "types_wrong"): then(at("execute", work_unit(type="poem")), spec(unit_types=("code",))),
    ("execute", "tree_left_over"): at("execute", DONE, worktrees={DONE.id: "/trees/1"}),
    ("execute", "tree_missing"): at("execute", work_unit()),
    ("execute", "merge_stopped"): at("execute", PASSED, conflicts={PASSED.id: ("a.py",)}, unmerged={PASSED.id}),
    ("execute", "unit_unproven"): then(at("execute", CLAIMED), spec(hats=GATED.hats)),
    ("execute", "unit_failed_too_often"): then(
        at("execute", replace(CLAIMED, bolt=5)), spec(hats=GATED.hats), failing_unit
    ),
    ("execute", "unit_failed"): then(at("execute", CLAIMED), spec(hats=GATED.hats), failing_unit),
    ("execute", "hat_proven"): then(at("execute", replace(CLAIMED, quality_gates=())), spec(hats=GATED.hats)),
    ("execute", "merge_blocked"): then(at("execute", PASSED, dirty=("a.py",)), unmerged),
    ("execute", "merge_due"): then(at("execute", PASSED), unmerged),
    ("execute", "unit_merged"): at("execute", PASSED),
    ("execute", "one_ready"): at("execute", work_unit(), git=False),
    ("execute", "several_ready"): at("execute", work_unit(1), work_unit(2), git=False),
    ("execute", "one_active"): at("execute", ACTIVE),
    ("execute", "several_active"): at("execute", ACTIVE, replace(ACTIVE, id="unit-02-part")),
    ("execute", "outputs_missing"): at("execute", DONE, missing_outputs=(SPEC,)),
    ("execute", "units_done"): at("execute", DONE),
    ("review", "no_units"): at("review"),
    ("review", "work_left"): at("review", DONE, work_unit(2)),
    ("review", "outputs_missing"): at("review", DONE, missing_outputs=(SPEC,)),
    ("review", "revisit_unclaimed"): then(REVIEWED, filed(resolution="stage_revisit", status="fixing")),
    ("review", "fix_over_cap"): then(REVIEWED, filed(status="fixing", bolt=4, hat="fixer")),
    ("review", "fix_without_hats"): then(REVIEWED, spec(fix_hats=()), filed()),
    ("review", "uncommitted"): then(REVIEWED, filed(), lambda world: setattr(world, "dirty", ("a.py",))),
    ("review", "fix_unstarted"): then(REVIEWED, filed()),
    ("review", "fix_going"): then(REVIEWED, filed(status="fixing", bolt=1, hat="fixer")),
    ("review", "gates_owed"): then(at("review", DONE), WITH_TESTS),
    ("review", "failure_uncounted"): then(at("review", DONE), WITH_TESTS, failing),
    ("review", "gates_failed_too_often"): then(
        at("review", DONE), WITH_TESTS, failing, state(gate_tries=5, gate_tree="tree--1")
    ),
    ("review", "gates_failed"): then(at("review", DONE), WITH_TESTS, failing, state(gate_tries=1, gate_tree="tree--1")),
    ("review", "review_owed"): at("review", DONE),
    ("review", "all_reviewed"): REVIEWED,
    ("gate", "changes_asked"): then(AT_GATE, ruled("changes_requested")),
    ("gate", "no_units"): then(at("gate"), reported),
    ("gate", "work_left"): then(AT_GATE, lambda world: world.plan_units(work_unit(2))),
    ("gate", "feedback_open"): then(AT_GATE, filed()),
    ("gate", "uncommitted"): then(AT_GATE, WITH_TESTS, lambda world: setattr(world, "dirty", ("a.py",))),
    ("gate", "proof_lost"): then(AT_GATE, WITH_TESTS),
    ("gate", "stage_passed"): then(AT_GATE, ruled("approved")),
    ("gate", "last_stage_passed"): then(AT_GATE, ruled("approved"), only_stage),
    ("gate", "external_asked"): then(AT_GATE, spec(review=("external", "ask")), ruled("external_review")),
    ("gate", "external_awaited"): then(
        AT_GATE, spec(review=("external",)), ruled("external_review"), state(gate_outcome="blocked")
    ),
    ("gate", "decision_waits"): AT_GATE,
    **{(phase, "plan_unkept"): setup for phase, setup in IN_PHASES.items()},
    **{(phase, "change_waits"): then(setup, changed) for phase, setup in IN_PHASES.items()},
    **{
        (phase, "change_approved"): then(setup, changed, ruled("approved", "changed_plan"))
        for phase, setup in IN_PHASES.items()
    },
    **{
        (phase, "change_refused"): then(setup, changed, ruled("changes_requested", "changed_plan", "No"))
        for phase, setup in IN_PHASES.items()
    },
    **{
        (phase, "change_to_revise"): then(
            setup, changed, ruled("changes_requested", "changed_plan"), filed(source_ref="changed-plan/build/1/0")
        )
        for phase, setup in IN_PHASES.items()
    },
    **{
        (phase, "change_taken"): then(setup, spec(review=("auto",)), intent(guards=("build=auto",)), changed)
        for phase, setup in IN_PHASES.items()
    },
}


def built(setup: Setup) -> PlanWorld:
    world = PlanWorld(stage_spec(), stage_spec("ship"))
    if setup is all_completed or setup is SCENARIOS["feedback", "work_reopened"]:
        only_stage(world)
    setup(world)
    if setup not in IN_PHASES.values() and not world.states["build"].approved.stage:
        world.hold()
    for at_, ruling in enumerate(world.rulings["build"]):
        world.rulings["build"][at_] = replace(ruling, shown=shown(looking(world.look(), NOW)))
    return world


def deciding(world: PlanWorld) -> Row:
    look = looking(world.look(), NOW)
    return next(row for row in rows_for(look.stage) if row.when(look) is not None)


@pytest.mark.parametrize("key", SCENARIOS, ids=" ".join)
def test_the_row_decides(key: tuple[str, str]) -> None:
    """SH-01 SH-02 SH-14 SH-20: one row decides, and gives one action or moves the engine on."""
    world = built(SCENARIOS[key])
    row = deciding(world)
    assert (row.section, row.when.__name__) == key
    step = advance(world.look(), NOW)
    assert (step.clue.action if step.clue else "") == row.action
    if step.clue:
        assert step.clue.waits == bool(row.waits)
        assert step.clue.is_error == row.is_error
        over = row.waits == "over"
        assert step.clue.message.endswith("Nothing more is to be done." if over else "call haiku_run_next again.")
    else:
        assert step.do
    if row.to and row.section != "start":
        moved = [effect.fields["phase"] for effect in step.do if isinstance(effect, WriteStage)]
        assert moved == [row.to]


@pytest.mark.parametrize("key", SCENARIOS, ids=" ".join)
def test_a_row_that_does_not_move_the_phase_leaves_it(key: tuple[str, str]) -> None:
    """SH-28: any miss keeps the stage where it is."""
    world = built(SCENARIOS[key])
    row = deciding(world)
    phase = world.states["build"].phase
    world.perform(advance(world.look(), NOW).do)
    if not row.to and not row.leads:
        assert world.states["build"].phase == phase


def test_every_row_has_a_scenario() -> None:
    rows = {(row.section, row.when.__name__) for row in TABLE}
    assert rows == set(SCENARIOS)
    assert len(rows) == len(TABLE)


def test_the_order_of_sections() -> None:
    """Gates before a tick come after what makes files believable and before triage, which may move files."""
    at_feedback = TABLE.index(FEEDBACK[0])
    assert TABLE[: len(INTENT)] == INTENT
    assert at_feedback == len(INTENT) + len(BEFORE_TICK)


def test_a_phase_is_entered_from_the_one_before_or_left_backwards() -> None:
    """SH-19: forward is one phase at a time."""
    for row in TABLE:
        if row.to and row.section in PHASES:
            assert PHASES.index(row.to) <= PHASES.index(row.section) + 1


def test_only_the_gate_completes_a_stage() -> None:
    leaving = [row for row in TABLE if row.leads in {"next stage", "completed"} and row.section in PHASES]
    assert all(row in GATE for row in leaving)
