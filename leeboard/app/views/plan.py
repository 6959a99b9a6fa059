"""What a plan looks like to a person: its stages and units, what is open, what blocks, what waits for a decision.

Values alone, without a word of layout: a command prints them as text or JSON, a page as a page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from leeboard.app.plan.changed import DefinitionChange, StageDiff
from leeboard.model.plan import Clue, Plan, StageView
from leeboard.model.studio import GateCommand, Template
from leeboard.model.text import digest
from leeboard.model.truth import AuthorClass
from leeboard.model.unit import Decision, Feedback, GateRun, Pass, ReviewReport, Unit
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.truth.surface import kept, unified
from leeboard.plan.effect import PlanStep
from leeboard.plan.machine.cautions import cautions, is_stale
from leeboard.plan.machine.drift_gate import obstacle
from leeboard.plan.machine.entry import git_unrest
from leeboard.plan.machine.hats import open_wave, ready, waves
from leeboard.plan.machine.look import looking
from leeboard.plan.machine.policy import context, offered, ruled, shown, undecided, unfollowed
from leeboard.plan.machine.proof import failed, owed, sent_back, stage_commands, unchanged
from leeboard.plan.machine.stage_moves import GATES
from leeboard.plan.machine.table import stands_at

_MARK_BYTES = 6
DECISIONS: dict[Decision, str] = {
    "approved": "approved",
    "changes_requested": "changes requested",
    "external_review": "to be reviewed elsewhere",
    "withdrawn": "withdrawn",
}


class ShownUnit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of work: who works on it, in which wave, and what it waits for."""

    unit: str
    stage: str
    title: str
    wave: int
    status: str
    hat: str
    bolt: int
    depends_on: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    touch: tuple[str, ...]
    closes: tuple[str, ...]
    quality_gates: tuple[GateCommand, ...]
    state: str
    """How it stands, in a few words."""
    criteria: tuple[tuple[str, bool], ...]
    """What must hold, and whether it does."""
    criteria_unmet: tuple[str, ...]
    rejected_for: str
    passes: tuple[Pass, ...]
    worktree: str | None
    problem: str
    body: str


class ShownFinding(msgspec.Struct, frozen=True, kw_only=True):
    """A finding that somebody filed, without its text."""

    id: str
    stage: str
    """`intent` for one about the intent as a whole."""
    title: str
    status: str
    origin: str
    resolution: str
    of_a_person: bool


class ShownStage(msgspec.Struct, frozen=True, kw_only=True):
    """A stage with its units, in waves."""

    name: str
    status: str
    phase: str
    active: bool
    visits: int
    is_stale: bool
    stale_reason: str
    units: tuple[ShownUnit, ...]
    waves: tuple[tuple[ShownUnit, ...], ...]


class ShownDecision(msgspec.Struct, frozen=True, kw_only=True):
    """A decision that nothing has followed from yet."""

    decision: Decision
    text: str
    by: str
    at: str
    counts: bool
    """Not an approval of what has changed since."""


class ShownPlan(msgspec.Struct, frozen=True, kw_only=True):
    """An intent with its stages, and what is next."""

    summary: dict[str, Any]
    """What a list of intents says of it."""
    has_git: bool
    hub: str
    branch: str
    """The one that is checked out; empty: none."""
    stages: tuple[ShownStage, ...]
    open_findings: tuple[ShownFinding, ...]
    blocks: tuple[str, ...]
    """Everything in the way, whichever of it the next action is about."""
    slips: tuple[str, ...]
    """What is wrong with the definition of its studio, though work can go on."""
    decision: ShownDecision | None
    clue: Clue | None
    """The next action; None where the engine goes on by itself, or can not."""


class ShownGate(msgspec.Struct, frozen=True, kw_only=True):
    """What a person looks at before they decide: the plan or the work of a stage, its proofs, what is open."""

    intent: str
    stage: ShownStage
    decisions: tuple[Decision, ...]
    """What can be decided now."""
    decision: ShownDecision | None
    obstacle: str
    """Changed files that have to be dealt with before anything can be decided."""
    uncommitted: tuple[str, ...]
    """Changes that are to be committed before anybody decides."""
    cautions: tuple[str, ...]
    runs: tuple[GateRun, ...]
    """What the quality gates said over the primary work tree as it is now."""
    unproven: tuple[GateCommand, ...]
    """Quality gates that did not run over this tree."""
    reports: tuple[ReviewReport, ...]
    findings: tuple[Feedback, ...]
    unchanged: tuple[dict[str, str], ...]
    """What was let through on a reason alone."""
    diff: StageDiff
    changes: tuple[DefinitionChange, ...]
    """What of the plan is no longer what was approved."""

    @property
    def is_plan(self) -> bool:
        """Whether the plan of the stage is decided on, and not its work."""
        return self.stage.phase == "elaborate" or bool(self.changes)


class ShownChange(msgspec.Struct, frozen=True, kw_only=True):
    """A tracked file that somebody changed, and that is to be classified."""

    id: str
    path: str
    kind: str
    author: AuthorClass
    written_over: bool
    """It lies over a change of somebody else."""
    diff: str
    """As far as the text is kept."""


def view_plan(plan: Plan, step: PlanStep) -> ShownPlan:
    """`step` is what the machine would do next."""
    return ShownPlan(
        summary=plan.summary(),
        has_git=plan.git.available,
        hub=plan.git.hub,
        branch=plan.git.branch,
        stages=tuple(view_stage(plan, view) for view in plan.stages),
        open_findings=tuple(map(view_finding, open_findings(plan))),
        blocks=blockers(plan),
        slips=tuple(plan.studio.complaints) if plan.studio else (),
        decision=waiting_decision(plan),
        clue=step.clue,
    )


def view_stage(plan: Plan, stage: StageView) -> ShownStage:
    found = view_waves(plan, stage)
    by_id = {unit.unit: unit for wave in found for unit in wave}
    return ShownStage(
        name=stage.spec.name,
        status=stage.state.status,
        phase=stage.state.phase,
        active=stage is plan.active,
        visits=stage.state.visits,
        is_stale=is_stale(stage),
        stale_reason=stage.state.stale_reason,
        units=tuple(by_id[unit.id] for unit in stage.units),
        waves=found,
    )


def view_waves(plan: Plan, stage: StageView) -> tuple[tuple[ShownUnit, ...], ...]:
    """The waves in their order; units in a circle, which belong to none, come last."""
    found = waves(stage.units)
    placed = {unit.id for wave in found for unit in wave}
    stuck = tuple(unit for unit in stage.units if unit.id not in placed)
    rows = (*found, stuck) if stuck else found
    return tuple(tuple(_unit(plan, stage, unit, number) for unit in wave) for number, wave in enumerate(rows))


def view_unit(plan: Plan, stage: StageView, unit: Unit) -> ShownUnit:
    found = (each for wave in view_waves(plan, stage) for each in wave)
    return next((each for each in found if each.unit == unit.id), None) or _unit(plan, stage, unit, 0)


def _unit(plan: Plan, stage: StageView, unit: Unit, wave: int) -> ShownUnit:
    return ShownUnit(
        unit=unit.id,
        stage=unit.stage,
        title=unit.title,
        wave=wave,
        status=unit.status,
        hat=unit.hat,
        bolt=unit.bolt,
        depends_on=unit.depends_on,
        inputs=unit.inputs,
        outputs=unit.outputs,
        touch=unit.touch,
        closes=unit.closes,
        quality_gates=unit.quality_gates,
        state=unit_state(plan, stage, unit),
        criteria=unit.criteria,
        criteria_unmet=unit.unmet,
        rejected_for=sent_back(unit.passes),
        passes=unit.passes,
        worktree=plan.git.worktrees.get(unit.id),
        problem=unit.problem,
        body=unit.body,
    )


def unit_state(plan: Plan, stage: StageView, unit: Unit) -> str:
    """In a few words: done, worked on by whom, or what it waits for."""
    if unit.problem:
        return f"can not be read: {unit.problem}"
    if unit.id in plan.git.conflicts:
        return f"merge stopped on {', '.join(plan.git.conflicts[unit.id])}"
    if unit.status == "completed":
        return "completed"
    if unit.status == "active":
        noun = "criterion" if len(unit.unmet) == 1 else "criteria"
        unmet = f", {len(unit.unmet)} {noun} not met" if unit.unmet else ""
        return f"{unit.hat}, bolt {unit.bolt}{unmet}"
    return _waits_for(stage, unit)


def _waits_for(stage: StageView, unit: Unit) -> str:
    done = {each.id for each in stage.units if each.status == "completed"}
    missing = [name for name in unit.depends_on if name not in done]
    if missing:
        return f"waits for {', '.join(missing)}"
    if stage.state.phase == "elaborate":
        return "planned"
    return "may begin" if unit in ready(stage.units) else f"waits for wave {open_wave(stage.units)}"


def view_finding(item: Feedback) -> ShownFinding:
    return ShownFinding(
        id=item.id,
        stage=item.stage or "intent",
        title=item.title,
        status=item.status,
        origin=item.origin,
        resolution=item.resolution,
        of_a_person=item.is_human,
    )


def open_findings(plan: Plan) -> tuple[Feedback, ...]:
    filed = (*plan.feedback, *(item for view in plan.stages for item in view.feedback))
    return tuple(item for item in filed if item.is_open)


def waiting_decision(plan: Plan) -> ShownDecision | None:
    """What a person decided and nothing has followed from yet."""
    look = looking(plan, "")
    found = unfollowed(look) if plan.sealed and plan.active is not None else None
    if found is None:
        return None
    counts = found.decision != "approved" or ruled(look, "approved")
    text = DECISIONS[found.decision]
    return ShownDecision(decision=found.decision, text=text, by=found.by, at=found.decided_at, counts=counts)


def blockers(plan: Plan) -> tuple[str, ...]:
    """Everything in the way, whichever of it the next action is about."""
    return tuple(dict.fromkeys((*_of_plan(plan), *(_of_stage(plan, plan.active) if plan.active else ()))))


def _of_plan(plan: Plan) -> Iterator[str]:
    yield from plan.problems
    if not plan.problems:  # else nothing was there to compare the others with
        yield from (f"{name} was changed by somebody else than the engine" for name in plan.tampered)
    if text := obstacle(plan):
        yield text
    if text := git_unrest(plan):
        yield text
    elif plan.git.available and plan.git.branch != plan.git.hub and plan.git.dirty:
        yield f"changes that are not committed keep git from switching to {plan.git.hub}: {', '.join(plan.git.dirty)}"


def _of_stage(plan: Plan, stage: StageView) -> Iterator[str]:
    yield from stage.problems
    yield from (f"{unit.id} can not be read: {unit.problem}" for unit in stage.units if unit.problem)
    for unit, files in plan.git.conflicts.items():
        yield f"the merge of {unit} stopped on {', '.join(files)}"
    if stage.state.phase == "elaborate":
        yield from _absent(plan, stage.missing_discovery)
        yield from (f"{unit} reads {path}, which is not there" for unit, path in stage.missing_inputs)
    if stage.state.phase in {"review", "gate"}:
        yield from _absent(plan, stage.missing_outputs)
        yield from (f"quality gate {run.name} fails" for run in failed(stage_commands(plan, stage), stage))


def _absent(plan: Plan, missing: tuple[Template, ...]) -> Iterator[str]:
    for each in missing:
        yield f"{each.name} is not there: {each.place(plan.intent.slug)}"


def choices(plan: Plan) -> tuple[Decision, ...]:
    """What a person can decide now, also where they may still think again; nothing where nobody is waited for."""
    if not plan.stages:
        return ()
    look = undecided(looking(plan, ""))
    return offered(look) if plan.sealed and stands_at(look) in GATES else ()


def mark_of(plan: Plan) -> str:
    """A short name for what is decided over, and for the settings around it; empty where nothing can be decided."""
    look = looking(plan, "")
    return digest(repr([context(look), shown(look), plan.guarding]), _MARK_BYTES) if choices(plan) else ""


def view_gate(plan: Plan, stage: StageView, diff: StageDiff, changes: tuple[DefinitionChange, ...] = ()) -> ShownGate:
    decisions = choices(plan)
    hindrance = "" if decisions else obstacle(plan)
    is_dirty = not decisions and not hindrance and stands_at(looking(plan, "")) == "commit_wip"
    is_proven = stage.state.phase not in {"review", "gate"}
    filed = (*plan.feedback, *stage.feedback)
    return ShownGate(
        intent=plan.intent.slug,
        stage=view_stage(plan, stage),
        decisions=decisions,
        decision=waiting_decision(plan),
        obstacle=hindrance,
        uncommitted=plan.git.dirty if is_dirty else (),
        cautions=tuple(cautions(stage)),
        runs=tuple(run for run in stage.gate_runs if not run.unit),
        unproven=() if is_proven else tuple(owed(stage_commands(plan, stage), stage)),
        reports=stage.reports,
        findings=tuple(item for item in filed if item.status not in {"closed", "rejected"}),
        unchanged=tuple(unchanged(plan, stage)),
        diff=diff,
        changes=changes,
    )


def view_drift(payload: Mapping[str, Any], home: str) -> tuple[ShownChange, ...]:
    """The files that an action asks to classify; nothing where the action is another one."""
    slug = str(payload.get("intent_slug", ""))
    return tuple(
        ShownChange(
            id=each["finding_id"],
            path=each["path"],
            kind=each["change_kind"],
            author=each["author_class"],
            written_over=each["written_over"],
            diff=each["diff_unified"] or _gone_text(each, home, slug),
        )
        for each in (payload.get("findings", ()) if "tick_id" in payload else ())
    )


def _gone_text(found: Mapping[str, Any], home: str, slug: str) -> str:
    """What a file said that is gone, as far as it was kept."""
    if found["change_kind"] != "file-removed" or not found["before_sha256"]:
        return ""
    text = kept(PlanFolder(home), slug, found["stage"] or "", found["before_sha256"])
    return unified(text, "", found["path"]) if text else ""
