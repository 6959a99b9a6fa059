"""The machine as a whole: random people and agents, deaths in the middle, against a simple model of what is legal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from msgspec.structs import replace

from leeboard.model.plan import MOST_BOLTS, TURNS_NEEDED, Plan, StageState
from leeboard.model.studio import GateCommand, Hat
from leeboard.model.unit import Decision, Resolution, ReviewReport, Unit
from leeboard.plan.effect import PlanStep, Refusal
from leeboard.plan.machine import moves
from leeboard.plan.machine.look import looking
from leeboard.plan.machine.table import TABLE, advance, stands_at
from tests.plan.obedient import Obedient
from tests.plan.plan_world import NOW, TEST_GATE, PlanWorld, stage_spec, work_unit

ACTIONS = {row.action for row in TABLE if row.action} | {"loop_halted"}
PHASE_MOVES = {(row.section, row.to) for row in TABLE if row.to and row.section != "start"}
NUMBERS = st.integers(1, 4)
UNITS = st.builds("unit-{:02}-{}".format, NUMBERS, st.sampled_from(["part", "design"]))
STAGES = st.sampled_from(["design", "build", "nowhere", ""])
FEEDBACK = st.sampled_from(["FB-01", "FB-02", "FB-03", "FB-09"])
PEOPLE = st.booleans()
DEATHS = st.sampled_from([None, None, 0, 1])
GATED = (Hat(name="planner"), Hat(name="builder", run_quality_gates=True), Hat(name="reviewer"))
Change = Callable[[Plan], PlanStep | Refusal]


class Machine(RuleBasedStateMachine):
    """Whatever anybody does, the plan stays legal, and an obedient agent with a person can finish it."""

    def __init__(self) -> None:
        super().__init__()
        self.world = PlanWorld(
            stage_spec("design", elaboration="collaborative", review=("ask",)),
            stage_spec("build", hats=GATED, review=("external", "ask"), unit_types=("code",)),
        )
        self.world.intent = replace(self.world.intent, quality_gates=(TEST_GATE,))
        self.was = self.world.look()

    # -- the engine

    @rule()
    def tick(self) -> None:
        clue = self.world.tick()
        assert clue is not None
        assert clue.action in ACTIONS
        over = clue.action == "complete"
        assert clue.message.endswith("Nothing more is to be done." if over else "call haiku_run_next again.")
        assert clue.payload["intent"] == "login"
        assert not clue.waits or "repeats" in clue.payload or clue.action == "loop_halted"

    @rule(effects=st.integers(1, 6))
    def tick_and_die(self, effects: int) -> None:
        self.world.tick(die_after=effects)

    @rule(clues=st.integers(1, 12))
    def obey(self, clues: int) -> None:
        """Some way on, so that what is done at random meets every phase."""
        for _ in range(clues):
            clue = self.world.tick()
            assert clue is not None
            if clue.action in {"complete", "loop_halted"}:
                break
            Obedient(self.world).follow(clue)
            self.nothing_illegal_happened()

    # -- the agent and its tools

    def attempt(self, change: Change, die_after: int | None = None) -> None:
        found = change(self.world.look())
        if isinstance(found, Refusal):
            assert found.code
            assert found.message.endswith(found.details["next_step"])
            assert len(found.details["next_step"]) > 10
        else:
            self.world.perform(found.do, die_after)

    @rule(unit=UNITS, dies=DEATHS)
    def start(self, unit: str, dies: int | None) -> None:
        self.attempt(lambda plan: moves.unit_start(plan, unit, NOW), dies)

    @rule(unit=UNITS, worked=st.booleans())
    def pass_hat(self, unit: str, worked: bool) -> None:  # noqa: FBT001 - hypothesis draws it
        if worked:
            self.world.work(unit)
        self.attempt(lambda plan: moves.advance_hat(plan, unit, NOW))

    @rule(unit=UNITS)
    def reject_hat(self, unit: str) -> None:
        self.attempt(lambda plan: moves.reject_hat(plan, unit, NOW, "not good"))

    @rule(unit=UNITS)
    def another_bolt(self, unit: str) -> None:
        self.attempt(lambda plan: moves.increment_bolt(plan, unit, NOW))

    @rule(number=NUMBERS, wants=st.lists(NUMBERS, max_size=2), closes=st.lists(FEEDBACK, max_size=1))
    def plan_unit(self, number: int, wants: list[int], closes: list[str]) -> None:
        stage = self.world.active()
        unit = work_unit(number, *wants, stage=stage or "build", closes=tuple(closes), quality_gates=(TEST_GATE,))
        if stage and moves.may_write_unit(self.world.look(), unit.id) is None:
            self.world.plan_units(unit)

    @rule(unit=UNITS, field=st.sampled_from(["title", "status", "hat", "outputs"]))
    def set_field(self, unit: str, field: str) -> None:
        value: Any = ("src/a.py",) if field == "outputs" else "active"
        self.attempt(lambda plan: moves.unit_set(plan, unit, {field: value}))

    @rule(agent=st.sampled_from(["correctness", "nobody"]), found=st.lists(FEEDBACK, max_size=1))
    def report(self, agent: str, found: list[str]) -> None:
        verdict: Any = "findings" if found else "pass"
        report = ReviewReport(agent=agent, verdict=verdict, findings=tuple(found))
        self.attempt(lambda plan: moves.record_report(plan, report, "Read it all."))

    @rule(stage=STAGES, human=PEOPLE, resolution=st.sampled_from(get_args(Resolution)), body=st.sampled_from("abc"))
    def file(self, stage: str, human: bool, resolution: Resolution, body: str) -> None:  # noqa: FBT001 - as above
        origin = "user-chat" if human else "agent"
        finding = moves.FeedbackDraft(title="Wrong", body=body, stage=stage, origin=origin, resolution=resolution)
        self.attempt(lambda plan: moves.feedback_new(plan, finding, NOW))

    @rule(
        stage=STAGES,
        name=FEEDBACK,
        status=st.sampled_from([None, "pending", "fixing", "addressed", "answered", "closed", "rejected"]),
        resolution=st.sampled_from(get_args(Resolution)),
        person=PEOPLE,
    )
    def update(self, stage: str, name: str, status: Any, resolution: Resolution, person: bool) -> None:  # noqa: FBT001 - as above
        change = moves.FeedbackChange(status=status, resolution=resolution, reply="Yes." if resolution else "")
        before = self.world.feedback.get(stage, {}).get(name)
        self.attempt(lambda plan: moves.feedback_update(plan, stage, name, change, NOW, by_person=person))
        after = self.world.feedback.get(stage, {}).get(name)
        if before and before.is_human and not person and after and after.status in {"closed", "rejected"}:
            assert before.status == after.status, "an agent ended what a person filed"

    @rule(stage=STAGES, name=FEEDBACK, to=STAGES, dies=DEATHS)
    def move_item(self, stage: str, name: str, to: str, dies: int | None) -> None:
        self.attempt(lambda plan: moves.feedback_move(plan, stage, name, moves.FeedbackGoal(stage=to), NOW), dies)

    @rule(stage=STAGES, name=FEEDBACK, person=PEOPLE)
    def reject_item(self, stage: str, name: str, person: bool) -> None:  # noqa: FBT001 - as above
        self.attempt(lambda plan: moves.feedback_reject(plan, stage, name, "It holds.", NOW, by_person=person))

    @rule(stage=STAGES, name=FEEDBACK, good=st.booleans())
    def fix(self, stage: str, name: str, good: bool) -> None:  # noqa: FBT001 - as above
        move = moves.feedback_advance_hat if good else moves.feedback_reject_hat
        self.attempt(lambda plan: move(plan, stage, name, NOW))

    @rule(stage=STAGES, person=PEOPLE, dies=DEATHS)
    def revisit(self, stage: str, person: bool, dies: int | None) -> None:  # noqa: FBT001 - as above
        self.attempt(lambda plan: moves.revisit(plan, NOW, stage, "Think again", by_person=person), dies)

    # -- people, and the world

    @rule(decision=st.sampled_from(get_args(Decision)), words=st.sampled_from(["", "Name it otherwise"]))
    def decide(self, decision: Decision, words: str) -> None:
        self.attempt(lambda plan: moves.decide(plan, decision, "ann", NOW, words))

    @rule()
    def say(self) -> None:
        self.world.say()

    @rule(breaks=st.booleans())
    def change_tree(self, breaks: bool) -> None:  # noqa: FBT001 - as above
        self.world.work()
        self.world.failing = {TEST_GATE.command} if breaks else set()

    @rule(unit=UNITS)
    def collide(self, unit: str) -> None:
        self.world.clashing.add(unit)

    @rule(files=st.sampled_from([(), ("notes.txt",)]), branch=st.sampled_from(["main", "haiku/login/main"]))
    def wander(self, files: tuple[str, ...], branch: str) -> None:
        self.world.dirty, self.world.branch = files, branch

    # -- what is legal

    @invariant()
    def nothing_illegal_happened(self) -> None:
        now = self.world.look()
        for old, new in zip(self.was.stages, now.stages, strict=True):
            self.check_stage(old.spec.name, old.state, new.state)
            for unit in old.units:
                after = new.unit(unit.id)
                if after is not None:
                    self.check_unit(unit, after)
        assert not self.world.removed_unmerged, "work that was not merged is gone"
        self.was = now

    def check_stage(self, name: str, old: StageState, new: StageState) -> None:
        if new.visits == old.visits and new.status == old.status == "active" and new.phase != old.phase:
            assert self.leads(old.phase, new.phase), f"{name}: {old.phase} to {new.phase}"
        if (new.phase, old.phase) == ("execute", "elaborate") and name == "design":
            assert new.elaboration_turns >= TURNS_NEEDED
        if new.status == "completed" and old.status != "completed":
            self.check_completed(name)

    @staticmethod
    def leads(start: str, end: str) -> bool:
        """Over how many rows ever: a tick may go through several."""
        reached = {start}
        for _ in range(4):
            reached |= {to for section, to in PHASE_MOVES if section in reached}
        return end in reached

    def check_completed(self, name: str) -> None:
        view = self.world.view(name)
        assert view.units
        assert all(unit.status == "completed" for unit in view.units)
        assert {agent.name for agent in view.spec.reviewers} <= {report.agent for report in view.reports}
        assert not [item for item in view.feedback if item.is_open]
        assert [run for run in view.gate_runs if not run.unit and run.passed]
        rulings = [each for each in view.rulings if each.visit == view.state.visits and each.context == "stage_gate"]
        assert rulings[-1].decision == "approved"

    @staticmethod
    def check_unit(old: Unit, new: Unit) -> None:
        order = ("pending", "active", "completed")
        assert order.index(old.status) <= order.index(new.status), f"{new.id} went from {old.status} to {new.status}"
        assert old.bolt <= new.bolt <= MOST_BOLTS
        assert len(old.passes) <= len(new.passes)
        if (old.status, new.status) == ("active", "completed"):
            assert new.passes[-1].hat == "reviewer"
            assert new.passes[-1].result == "advance"

    @precondition(lambda self: self.world.intent.status != "completed")
    @rule()
    def can_be_finished(self) -> None:
        """Never stalls silently: whatever happened, doing what the clues say ends in completion."""
        self.world.clashing -= {*self.world.conflicts}
        seen = Obedient(self.world).finish()
        assert "loop_halted" not in seen[1:], "it was halted although it did what it was told"
        self.was = self.world.look()


TestMachine = Machine.TestCase
TestMachine.settings = settings(
    max_examples=100, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)


@pytest.mark.parametrize("git", [True, False])
def test_a_whole_run(git: bool) -> None:  # noqa: FBT001 - a parameter
    """SH-15 SH-19 SH-50: with nothing but its clues an agent walks every phase of every stage."""
    world = PlanWorld(stage_spec("design", elaboration="collaborative"), stage_spec("build", review=("auto",)), git=git)
    seen = Obedient(world).finish()
    assert seen == [
        *("start_stage", "elaborate", "elaboration_insufficient", "elaboration_insufficient", "gate_review"),
        *("intent_approved", "start_unit", "continue_unit", "continue_unit", "continue_unit", "review", "gate_review"),
        *("advance_stage", "start_stage", "elaborate", "start_unit", "continue_unit", "continue_unit"),
        *("continue_unit", "review", "intent_complete", "complete"),
    ]


def units_of_three_waves() -> list[Unit]:
    gate = GateCommand(name="lint", command="make lint")
    return [
        work_unit(1),
        work_unit(2),
        work_unit(3, 1),
        work_unit(4, 2, quality_gates=(gate,)),
        work_unit(5, 3, 4),
    ]


@pytest.mark.parametrize("dies", range(1, 9))
def test_death_anywhere_changes_nothing(dies: int) -> None:
    """SH-06: killed after any number of effects, at every tick, the end is the same."""
    ends = []
    for die_after in (None, dies):
        world = PlanWorld(stage_spec(), stage_spec("ship", review=("auto",)))
        world.plan_units(*units_of_three_waves())
        world.failing, world.clashing = {"make lint"}, {"unit-03-part"}
        agent = Obedient(world)
        for _ in range(200):
            if die_after:
                world.tick(die_after=die_after)
            clue = world.tick()
            assert clue is not None
            if clue.action == "complete":
                break
            agent.follow(clue)
        ends.append((world.intent, world.states, world.units, world.worktrees))
    assert ends[0] == ends[1]


def test_a_person_may_decide_whatever_branch_is_checked_out() -> None:
    """SH-46: what stands at its gate stands there, also while somebody looks at another branch."""
    world = PlanWorld()
    world.enter("elaborate")
    world.plan_units(work_unit())
    world.branch, world.dirty = "elsewhere", ("a.txt",)
    assert world.tick() is not None
    assert stands_at(looking(world.look(), NOW)) == "gate_review"
    assert isinstance(moves.decide(world.look(), "approved", "ann", NOW), PlanStep)


def test_an_agent_is_never_told_of_later_units() -> None:
    """SH-03: the answer holds no unit of a later stage."""
    world = PlanWorld(stage_spec(), stage_spec("ship"))
    world.plan_units(work_unit(), work_unit(9, stage="ship"))
    agent = Obedient(world)
    while world.active() == "build":
        clue = world.tick()
        assert clue is not None
        assert "unit-09-ship" not in repr(clue)
        agent.follow(clue)


def test_the_same_look_leads_to_the_same_step() -> None:
    """SH-04 SH-05: nothing is kept between two looks."""
    world = PlanWorld()
    world.enter("execute")
    world.plan_units(*units_of_three_waves())
    assert advance(world.look(), NOW) == advance(world.look(), NOW)
