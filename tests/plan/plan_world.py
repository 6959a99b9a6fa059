"""A workflow in memory: what effects do to it, and what a look at it shows. No files, no git, no processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from leeboard.model.plan import Clue, GitFacts, Intent, LastAction, Plan, StageState, StageView
from leeboard.model.studio import GateCommand, Hat, Reviewer, StageSpec, Studio, Template
from leeboard.model.truth import Truth
from leeboard.model.unit import Feedback, GateRun, ReviewReport, Ruling, Unit
from leeboard.plan.effect import (
    Commit,
    Effect,
    EnsureBranch,
    EstablishBaseline,
    LogBaseline,
    MakeWorktree,
    MergeUnit,
    NewFeedback,
    PlanStep,
    RecordAssessment,
    RecordReport,
    RecordRuling,
    Refusal,
    RemoveWorktree,
    RunGates,
    WriteBaseline,
    WriteDispatch,
    WriteFeedback,
    WriteIntent,
    WriteMarkers,
    WriteStage,
    WriteUnit,
)
from leeboard.plan.machine.authored import approved
from leeboard.plan.machine.policy import guards
from leeboard.plan.machine.table import advance, counted

NOW = "2026-03-01T10:00:00Z"
HATS = (Hat(name="planner"), Hat(name="builder"), Hat(name="reviewer"))
FIX_HATS = (Hat(name="fixer"), Hat(name="feedback-assessor"))
TEST_GATE = GateCommand(name="tests", command="make test")
TRUTH_EFFECTS = (EstablishBaseline, LogBaseline, WriteBaseline, WriteMarkers, WriteDispatch, RecordAssessment)


def stage_spec(name: str = "build", **changes: Any) -> StageSpec:
    given: dict[str, Any] = {
        "name": name,
        "hats": HATS,
        "fix_hats": FIX_HATS,
        "review": ("ask",),
        "elaboration": "autonomous",
        "reviewers": (Reviewer(name="correctness"),),
    }
    return StageSpec(**{**given, **changes})


def work_unit(number: int = 1, *depends_on: int, stage: str = "build", **changes: Any) -> Unit:
    end = "part" if stage == "build" else stage
    given: dict[str, Any] = {
        "id": f"unit-{number:02}-{end}",
        "stage": stage,
        "title": f"Part {number}",
        "depends_on": tuple(f"unit-{each:02}-{end}" for each in depends_on),
        "inputs": ("intent.md",),
        "outputs": (f"src/part{number}.py",),
    }
    return Unit(**{**given, **changes})


class PlanWorld:
    """What is on disk, kept in dictionaries. `look` reads it, `perform` changes it."""

    missing_discovery: tuple[Template, ...] = ()
    missing_outputs: tuple[Template, ...] = ()
    missing_inputs: tuple[tuple[str, str], ...] = ()
    missing_unit_outputs: tuple[tuple[str, str], ...] = ()
    dirty: tuple[str, ...] = ()
    under_way = ""
    untouched: tuple[str, ...] = ()
    external_merged = False
    sealed = True
    truth: Truth | None = None
    problems: tuple[str, ...] = ()
    last: LastAction | None = None

    def __init__(self, *specs: StageSpec, git: bool = True, intent: Intent | None = None) -> None:
        specs = specs or (stage_spec(),)
        self.studio: Studio | None = Studio(slug="software", name="Software", stages=specs)
        self.intent = intent or Intent(slug="login", title="Add a login", studio="software", guards=guards(specs))
        self.specs = {spec.name: spec for spec in specs}
        self.states = {spec.name: StageState(stage=spec.name) for spec in specs}
        self.units: dict[str, dict[str, Unit]] = {spec.name: {} for spec in specs}
        self.feedback: dict[str, dict[str, Feedback]] = {"": {}, **{spec.name: {} for spec in specs}}
        self.keys: dict[str, tuple[str, str]] = {}
        self.reports: dict[str, list[tuple[int, ReviewReport]]] = {spec.name: [] for spec in specs}
        self.rulings: dict[str, list[Ruling]] = {spec.name: [] for spec in specs}
        self.git, self.branch = git, "main"
        self.worktrees: dict[str, str] = {}
        self.trees: dict[str, int] = {"": 1}
        self.unmerged: set[str] = set()
        self.clashing: set[str] = set()
        self.conflicts: dict[str, tuple[str, ...]] = {}
        self.failing: set[str] = set()
        self.absent: dict[str, str] = {}
        self.gate_runs: list[GateRun] = []
        self.turns: list[str] = []
        self.truth_effects: list[Effect] = []
        self.commits: list[str] = []
        self.removed_unmerged: list[str] = []

    # -- looking

    def look(self) -> Plan:
        return Plan(
            intent=self.intent,
            studio=self.studio if self.intent.studio else None,
            studios=(self.studio,) if self.studio else (),
            stages=tuple(self.view(name) for name in self.specs),
            feedback=tuple(self.feedback[""].values()),
            git=self.git_facts(),
            last=self.last,
            user_turns=self.user_turns(),
            sealed=self.sealed,
            tampered=() if self.sealed else ("state.json: phase",),
            truth=self.truth,
            untouched=self.untouched,
            work=self.work_names(),
            problems=self.problems,
        )

    def active(self) -> str:
        return next((name for name, state in self.states.items() if state.status != "completed"), "")

    def view(self, name: str) -> StageView:
        state, is_active = self.states[name], name == self.active()
        reports = [report for visit, report in self.reports[name] if visit == state.visits]
        reviewed = self.tree("") if state.phase in {"review", "gate"} and self.specs[name].reviewers else ""
        return StageView(
            spec=self.specs[name],
            state=state,
            units=tuple(self.units[name].values()),
            feedback=tuple(self.feedback[name].values()),
            missing_discovery=self.missing_discovery if is_active else (),
            missing_outputs=self.missing_outputs if is_active else (),
            missing_inputs=self.missing_inputs if is_active else (),
            missing_unit_outputs=self.missing_unit_outputs if is_active else (),
            gate_runs=tuple(run for run in self.gate_runs if run.tree == self.tree(self.where(run.unit))),
            reports=tuple(report if report.tree else replace(report, tree=reviewed) for report in reports),
            reviewed=reviewed,
            rulings=tuple(self.rulings[name]),
        )

    def user_turns(self) -> int:
        name = self.active()
        return self.turns.count(f"{name}/{self.states[name].visits}") if name else 0

    def git_facts(self) -> GitFacts:
        if not self.git:
            return GitFacts()
        return GitFacts(
            available=True,
            branch=self.branch,
            hub=f"haiku/{self.intent.slug}/main",
            worktrees=dict(self.worktrees),
            merged=tuple(unit for unit in self.worktrees if unit not in self.unmerged),
            conflicts=dict(self.conflicts),
            dirty=self.dirty,
            head=f"{self.trees['']:040}",
            under_way=self.under_way,
            external_merged=self.external_merged,
        )

    def work_names(self) -> dict[str, str]:
        """Of units in their trees, and of fixes, which lie in the primary one."""
        units = {unit: self.tree(unit) for unit in self.worktrees if unit in self.unmerged}
        filed = (item for items in self.feedback.values() for item in items.values() if item.status == "fixing")
        return units | {f"{item.stage}/{item.id}": self.tree() for item in filed}

    def where(self, unit: str) -> str:
        return unit if unit in self.worktrees else ""

    def tree(self, unit: str = "") -> str:
        return f"tree-{unit}-{self.trees.get(unit, 1)}"

    # -- what people and agents do outside the engine

    def say(self) -> None:
        name = self.active()
        if name:
            self.turns.append(f"{name}/{self.states[name].visits}")

    def work(self, unit: str = "") -> None:
        """Somebody changes files: of a unit where it has a work tree, else of the primary one."""
        where = self.where(unit)
        self.trees[where] = self.trees.get(where, 1) + 1
        if where:
            self.unmerged.add(where)

    def plan_units(self, *units: Unit) -> None:
        for unit in units:
            self.units[unit.stage][unit.id] = unit

    def enter(self, phase: Any, stage: str = "build", **changes: Any) -> None:
        """A stage as it stands in a phase, on the intent's branch."""
        given = {"status": "active", "phase": phase, "visits": 1, "started_at": NOW}
        self.states[stage] = replace(self.states[stage], **{**given, **changes})
        self.branch = f"haiku/{self.intent.slug}/main"
        self.intent = replace(self.intent, started_at=NOW, active_stage=stage)

    def hold(self, stage: str = "build") -> None:
        """The plan of a stage passes as it is."""
        self.states[stage] = replace(self.states[stage], approved=approved(self.look(), self.view(stage)))

    def file(self, item: Feedback) -> None:
        self.feedback[item.stage][item.id] = item

    def resolve(self, unit: str) -> None:
        self.conflicts.pop(unit, None)
        self.clashing.discard(unit)
        self.work(unit)

    # -- the engine

    def tick(self, *, die_after: int | None = None) -> Clue | None:
        """As the engine ticks. With `die_after` it is killed after so many effects, and answers nothing."""
        for _ in range(50):
            step = advance(self.look(), NOW)
            done = self.perform(step.do, die_after)
            if die_after is not None:
                die_after -= done
                if die_after <= 0:
                    return None
            if step.clue is not None:
                clue, self.last = counted(self.look(), step.clue, NOW)
                return clue
        raise AssertionError("fifty rounds and no clue")

    def move(self, change: Callable[[Plan], PlanStep | Refusal]) -> Clue | Refusal:
        found = change(self.look())
        if isinstance(found, Refusal):
            return found
        self.perform(found.do)
        if found.clue is not None:
            return found.clue
        clue = self.tick()
        assert clue is not None
        return clue

    def do(self, found: PlanStep | Refusal) -> None:
        """A move that has to be allowed."""
        assert isinstance(found, PlanStep), found
        self.perform(found.do)

    def perform(self, effects: Iterable[Effect], most: int | None = None) -> int:
        done = 0
        for effect in effects:
            if most is not None and done >= most:
                break
            self.apply(effect)
            done += 1
        return done

    def apply(self, effect: Effect) -> None:
        match effect:
            case WriteIntent(fields=fields):
                self.intent = merged(self.intent, fields)
            case WriteStage(stage=stage, fields=fields):
                self.states[stage] = merged(self.states[stage], fields)
            case WriteUnit(stage=stage, unit=unit, fields=fields):
                self.units[stage][unit] = merged(self.units[stage][unit], fields)
            case WriteFeedback(stage=stage, feedback=name, fields=fields):
                self.feedback[stage][name] = merged(self.feedback[stage][name], fields)
            case NewFeedback():
                self._file(effect)
            case RecordReport(stage=stage, agent=agent, findings=findings):
                verdict: Any = effect.verdict
                report = ReviewReport(
                    agent=agent, verdict=verdict, findings=findings, recorded_at=NOW, tree=effect.tree
                )
                self.reports[stage].append((self.states[stage].visits, report))
            case RecordRuling():
                ruling = Ruling(
                    decision=effect.decision,
                    feedback=effect.feedback,
                    by=effect.by,
                    decided_at=NOW,
                    visit=effect.visit,
                    context=effect.context,
                    shown=effect.shown,
                    takes_back=effect.takes_back,
                )
                self.rulings[effect.stage].append(ruling)
            case _:
                self._outside(effect)

    def _outside(self, effect: Effect) -> None:
        match effect:
            case EnsureBranch():
                self.branch = f"haiku/{self.intent.slug}/main"
            case MakeWorktree(unit=unit):
                self.worktrees.setdefault(unit, f"/trees/{unit}")
                self.trees.setdefault(unit, 1)
            case MergeUnit(unit=unit):
                self._merge(unit)
            case RemoveWorktree(unit=unit):
                if unit in self.unmerged:
                    self.removed_unmerged.append(unit)
                self.worktrees.pop(unit, None)
            case RunGates():
                self._run(effect)
            case Commit(message=message):
                self.commits.append(message)
            case _:
                assert isinstance(effect, TRUTH_EFFECTS), effect
                self.truth_effects.append(effect)

    def _merge(self, unit: str) -> None:
        if unit in self.clashing:
            self.conflicts[unit] = ("src/shared.py",)
            return
        self.unmerged.discard(unit)
        self.trees[""] += 1

    def _run(self, effect: RunGates) -> None:
        where = self.where(effect.unit)
        for gate in effect.commands:
            run = GateRun(
                name=gate.name,
                command=gate.command,
                dir=gate.dir,
                passed=gate.command not in self.failing and gate.command not in self.absent,
                code=1 if gate.command in self.failing else 0,
                tail="1 failed" if gate.command in self.failing else "",
                missing=self.absent.get(gate.command, ""),
                tree=self.tree(where),
                unit=effect.unit,
            )
            self.gate_runs.append(run)

    def _file(self, effect: NewFeedback) -> None:
        if effect.key in self.keys:
            return
        name = f"FB-{len(self.feedback[effect.stage]) + 1:02}"
        self.keys[effect.key] = (effect.stage, name)
        item = Feedback(
            id=name,
            stage=effect.stage,
            title=effect.title,
            body=effect.body,
            origin=effect.origin,
            author=effect.author,
        )
        self.feedback[effect.stage][name] = merged(item, effect.fields)


def merged(thing: Any, fields: dict[str, Any]) -> Any:
    """As the file reads after its fields were set: what the type does not know is kept elsewhere."""
    known = dict(fields)
    if "iterations" in known and isinstance(thing, Unit | Feedback):
        known["passes"] = known.pop("iterations")
    known = {key: value for key, value in known.items() if key in thing.__struct_fields__}
    return msgspec.convert({**msgspec.to_builtins(thing), **msgspec.to_builtins(known)}, type(thing))
