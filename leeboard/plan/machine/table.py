"""The whole machine, as one table: what is looked at in which order, what follows, and who is waited for.

A tick reads its rows from the top: those of the intent, the gates before a tick, those of feedback, the start of a
stage, and then the rows of the phase the stage is in. The first row whose condition holds decides the tick: it gives
its clue, or the engine does its work and looks again. Nothing else moves a stage: a phase changes where a row says
`to`, and only after the rows above it found nothing owed. The page about the machine is written from this table.
"""

from __future__ import annotations

from typing import Any

from msgspec import msgpack
from msgspec.structs import replace

from leeboard.errors import StateError
from leeboard.model.plan import PHASES, Clue, LastAction, Plan, StageView
from leeboard.model.text import digest
from leeboard.plan.effect import Effect, PlanStep, WriteStage
from leeboard.plan.machine import drift_gate, elaborate, entry, execute, findings, gate, policy, review
from leeboard.plan.machine.cautions import without_criteria, without_outputs
from leeboard.plan.machine.look import PlanLook, Row, RowMatch, Section, Waits, committed, looking


def _in(section: Section, *rows: Row) -> tuple[Row, ...]:
    return tuple(replace(row, section=section) for row in rows)


INTENT = _in(
    "intent",
    Row(entry.is_archived, "the intent is archived", "error", waits="person", is_error=True),
    Row(entry.files_unreadable, "files of the plan can not be read", "error", is_error=True),
    Row(
        entry.seal_broken, "fields of the engine were changed by somebody else", "error", waits="person", is_error=True
    ),
    Row(entry.intent_done, "the intent is completed", "complete", waits="over"),
    Row(entry.studio_unchosen, "no studio is chosen", "select_studio", waits="person"),
    Row(
        entry.studio_unusable,
        "the studio is unknown, has no stages, or a stage without hats",
        "error",
        waits="person",
        is_error=True,
    ),
    Row(entry.pages_unreadable, "a unit or a finding can not be read", "error", is_error=True),
    Row(entry.git_busy, "a rebase, a merge or the like is under way", "error", is_error=True),
    Row(entry.branch_blocked, "another branch is checked out, and it is dirty", "commit_wip"),
    Row(entry.branch_other, "another branch is checked out"),
    Row(policy.guards_unkept, "who lets each stage through, and which settings guard the work, is not noted yet"),
)

BEFORE_TICK = _in(
    "drift",
    Row(drift_gate.baseline_accepted, "a baseline was lost, and a person accepted what is there"),
    Row(drift_gate.baseline_lost, "a baseline was lost, or changed by hand", "error", waits="person", is_error=True),
    Row(drift_gate.baseline_unmade, "there is no baseline yet"),
    Row(
        drift_gate.change_unassessed,
        "tracked files changed, and nobody accounts for it",
        "manual_change_assessment",
        waits="classification",
    ),
    Row(drift_gate.change_explained, "what changed explains itself, or was handled to its end"),
)
"""Gates that come before any work and before triage, because triage may move files."""

FEEDBACK = _in(
    "feedback",
    Row(findings.untriaged, "an open finding was not triaged", "feedback_triage"),
    Row(findings.revisit_over_cap, "findings of agents ask for one revisit too many", "escalate", waits="person"),
    Row(findings.revisit_asked, "a finding asks to revisit a stage", "revisited", leads="revisited stage"),
    Row(findings.question_open, "a question is not answered", "feedback_dispatch"),
    Row(findings.work_reopened, "all stages are completed and a finding is open", leads="last stage"),
)

HELD: tuple[Row, ...] = (
    Row(gate.plan_unkept, "how the plan passed is not noted: it is taken as it is"),
    Row(gate.change_approved, "a plan that changed since was approved: it counts"),
    Row(gate.change_refused, "changes of it were asked for: they are filed"),
    Row(gate.change_to_revise, "it is to be revised", "revise_unit_specs"),
    Row(gate.change_taken, "it changed since, and nobody is to be asked: it counts", "plan_changed"),
    Row(gate.change_waits, "it changed since a person approved it", "gate_review", waits="person"),
)
"""What passed is what the work is held to, in every phase after elaborate."""

START = _in(
    "start",
    Row(entry.stages_done, "all stages are completed", "intent_complete", leads="completed"),
    Row(entry.stage_unstarted, "the stage was not begun, or is stale", "start_stage", to="elaborate"),
)

ELABORATE = _in(
    "elaborate",
    Row(elaborate.turns_moved, "the user spoke since the last look"),
    Row(gate.changes_unfiled, "changes of the plan were asked for: they are filed"),
    Row(gate.specs_to_revise, "the plan is to be revised", "revise_unit_specs"),
    Row(elaborate.choice_open, "a choice was put to the user", "awaiting_choice", waits="person"),
    Row(elaborate.units_to_discuss, "no units, and fewer than three turns with the user", "elaborate", waits="person"),
    Row(elaborate.units_to_write, "no units", "elaborate"),
    Row(elaborate.stale_answered, "it is stale, and who was told so goes on"),
    Row(elaborate.stale_to_tell, "it is stale, and nobody was told so in this visit", "elaborate"),
    Row(
        elaborate.turns_missing,
        "collaborative, and fewer than three turns with the user",
        "elaboration_insufficient",
        waits="person",
    ),
    Row(elaborate.dependency_missing, "a dependency is no unit of the stage", "unresolved_dependencies"),
    Row(elaborate.dependencies_circle, "units wait for each other", "dag_cycle_detected"),
    Row(elaborate.names_wrong, "a unit is misnamed, or two have one number", "unit_naming_invalid"),
    Row(elaborate.types_wrong, "a unit's type is not of the stage", "spec_validation_failed"),
    Row(elaborate.inputs_missing, "inputs are not named, or not there", "unit_inputs_missing"),
    Row(elaborate.discovery_missing, "a discovery artifact is not there", "discovery_missing"),
    Row(elaborate.feedback_unclaimed, "no unit settles what the stage was revisited for", "elaborate"),
    Row(gate.intent_passed, "the first plan of the intent may pass", "intent_approved", to="execute"),
    Row(gate.plan_passed, "the plan may pass", to="execute"),
    Row(gate.plan_waits, "the plan waits for a decision", "gate_review", waits="person"),
)

EXECUTE = _in(
    "execute",
    Row(execute.no_units, "the units are gone", to="elaborate"),
    Row(elaborate.dependency_missing, "a dependency is no unit of the stage", "unresolved_dependencies"),
    Row(elaborate.dependencies_circle, "units wait for each other", "dag_cycle_detected"),
    Row(elaborate.names_wrong, "a unit is misnamed, or two have one number", "unit_naming_invalid"),
    Row(elaborate.types_wrong, "a unit's type is not of the stage", "spec_validation_failed"),
    *HELD,
    Row(execute.tree_left_over, "a completed unit still has its work tree"),
    Row(execute.tree_missing, "units of the open wave have no work tree"),
    Row(execute.merge_stopped, "a merge stopped on conflicts", "resolve_merge_conflicts"),
    Row(execute.unit_unproven, "a hat that runs quality gates is done: they run"),
    Row(execute.unit_failed_too_often, "a unit's quality gates fail in its last bolt", "escalate", waits="person"),
    Row(execute.unit_failed, "a unit's quality gates fail: the same hat, one bolt on", "fix_quality_gates"),
    Row(execute.hat_proven, "a unit's quality gates hold: the next hat"),
    Row(execute.merge_blocked, "a unit is to be merged and the work tree is dirty", "commit_wip"),
    Row(execute.merge_due, "the last hat is done: the unit is merged"),
    Row(execute.unit_merged, "the unit is merged: it is completed"),
    Row(execute.one_ready, "one unit of the open wave may begin", "start_unit"),
    Row(execute.several_ready, "several units of the open wave may begin", "start_units"),
    Row(execute.one_active, "one unit is worked on", "continue_unit"),
    Row(execute.several_active, "several units are worked on", "continue_units"),
    Row(execute.outputs_missing, "the stage's outputs are not there", "outputs_missing"),
    Row(execute.units_done, "all units are completed", to="review"),
)

REVIEW = _in(
    "review",
    Row(execute.no_units, "the units are gone", to="elaborate"),
    *HELD,
    Row(review.work_left, "a unit is not completed", to="execute"),
    Row(execute.outputs_missing, "the stage's outputs are not there", "outputs_missing"),
    Row(review.revisit_unclaimed, "what the stage was revisited for is not settled", to="elaborate"),
    Row(review.fix_over_cap, "a fix took too many bolts", "escalate", waits="person"),
    Row(review.fix_without_hats, "a finding is to be fixed and the stage has no fix hats", "feedback_revisit"),
    Row(review.uncommitted, "changes are not committed, and no fix is under way", "commit_wip"),
    Row(review.fix_unstarted, "a finding is to be fixed: its first hat is put on"),
    Row(review.fix_going, "a finding is being fixed", "review_fix"),
    Row(review.gates_owed, "quality gates were not run over this tree: they run"),
    Row(review.failure_uncounted, "they failed over a tree for the first time"),
    Row(review.gates_failed_too_often, "they failed over too many trees", "escalate", waits="person"),
    Row(review.gates_failed, "quality gates fail", "fix_quality_gates"),
    Row(review.review_owed, "reports of review agents are owed", "review"),
    Row(review.all_reviewed, "nothing is owed", to="gate"),
)

GATE = _in(
    "gate",
    *HELD,
    Row(gate.changes_asked, "changes were asked for: they are filed", to="review"),
    Row(execute.no_units, "the units are gone", to="elaborate"),
    Row(review.work_left, "a unit is not completed", to="execute"),
    Row(gate.feedback_open, "a finding is open", to="review"),
    Row(review.uncommitted, "changes are not committed", "commit_wip"),
    Row(gate.proof_lost, "what was shown no longer holds", to="review"),
    Row(gate.stage_passed, "auto, approved, or merged elsewhere", "advance_stage", leads="next stage"),
    Row(gate.last_stage_passed, "auto, approved, or merged elsewhere, and it is the last", leads="completed"),
    Row(gate.external_asked, "a review elsewhere was chosen", "external_review_requested"),
    Row(gate.external_awaited, "it is being reviewed elsewhere", "awaiting_external_review", waits="event"),
    Row(gate.decision_waits, "the stage waits for a decision", "gate_review", waits="person"),
)

TABLE: tuple[Row, ...] = (*INTENT, *BEFORE_TICK, *FEEDBACK, *START, *ELABORATE, *EXECUTE, *REVIEW, *GATE)


def rows_for(stage: StageView) -> tuple[Row, ...]:
    """The rows a tick goes through: what always counts, then the phase the stage is in."""
    return _BY_PHASE.get(stage.state.phase, _ALWAYS)


_ALWAYS = tuple(row for row in TABLE if row.section not in PHASES)
_BY_PHASE = {phase: (*_ALWAYS, *(row for row in TABLE if row.section == phase)) for phase in PHASES}


# One look at the plan, one next thing: work for the engine, or the clue somebody gets.


_ENDINGS: dict[Waits, str] = {
    "": "Then call haiku_run_next again.",
    "person": "This waits for a person; when they have answered, call haiku_run_next again.",
    "event": "This waits for something outside; when it has happened, call haiku_run_next again.",
    "classification": "Work goes on when every finding is classified; then call haiku_run_next again.",
    "over": "Nothing more is to be done.",
}


PLAN_PROBLEMS = frozenset(
    {
        *("unresolved_dependencies", "dag_cycle_detected", "unit_naming_invalid", "spec_validation_failed"),
        *("unit_inputs_missing", "discovery_missing"),
    }
)
"""Actions that say what is wrong with the units of a stage."""


def advance(plan: Plan, now: str) -> PlanStep:
    """What a plan leads to. Effects without a clue are to be done, and then looked at again."""
    look = looking(plan, now)
    for row in rows_for(look.stage):
        if row.section == "feedback" and not look.open_feedback:  # each of them speaks of an open finding
            continue
        found = row.when(look)
        if found is not None:
            return PlanStep(do=_effects(row, look, found), clue=_clue(row, look, found))
    raise StateError(f"no row of the machine speaks for stage {look.stage.spec.name} in {look.stage.state.phase}")


def stands_at(look: PlanLook) -> str:
    """The action the stage itself has come to, whatever branch is checked out and whatever is left to be noted down."""
    speaking = (row for row in rows_for(look.stage) if row.section != "intent" and (row.action or row.to or row.leads))
    return next((row.action for row in speaking if row.when(look) is not None), "")


def clue(look: PlanLook, action: str, text: str, payload: dict[str, Any], waits: Waits = "") -> Clue:
    """An action as it is told: every message ends with what comes after it."""
    head: dict[str, Any] = {"intent": look.plan.intent.slug}
    if look.stage.spec.name:
        head["stage"] = look.stage.spec.name
    if look.plan.intent.studio:
        head["studio"] = look.plan.intent.studio
    message = f"{text} {_ENDINGS[waits]}"
    return Clue(action=action, message=message, payload={**head, **payload}, waits=bool(waits))


def _clue(row: Row, look: PlanLook, found: RowMatch) -> Clue | None:
    if not row.action:
        return None
    payload = _with_warnings(look, _with_others(row, look, found.payload))
    told = clue(look, row.action, found.text, payload, row.waits)
    return Clue(action=told.action, message=told.message, payload=told.payload, waits=told.waits, is_error=row.is_error)


def _with_others(row: Row, look: PlanLook, payload: dict[str, Any]) -> dict[str, Any]:
    """What else is wrong with the same plan, so that all of it can be put right at once."""
    if row.action not in PLAN_PROBLEMS:
        return payload
    others = (each for each in rows_for(look.stage) if each.section == row.section and each.action in PLAN_PROBLEMS)
    said = ((each.action, each.when(look)) for each in others if each.action != row.action)
    also = [{"problem": action, "message": found.text} for action, found in said if found is not None]
    bare = {"unit_without_criteria": without_criteria(look.stage), "unit_without_outputs": without_outputs(look.stage)}
    also += [{"problem": problem, "message": text} for problem, text in bare.items() if text]
    return {**payload, "also": also} if also else payload


def _with_warnings(look: PlanLook, payload: dict[str, Any]) -> dict[str, Any]:
    """Beside what has to be said anyway: slips in the definition of the studio and of the stage, and in settings."""
    studio = look.plan.studio
    own = [f"studio {studio.slug}: {problem}" for problem in studio.problems] if studio else []
    slips = [*own, *look.stage.spec.complaints, *look.plan.notes]
    return {**payload, "warnings": [*payload.get("warnings", ()), *slips]} if slips else payload


def _effects(row: Row, look: PlanLook, found: RowMatch) -> tuple[Effect, ...]:
    """The phase moves last: whoever dies before it finds the same row again, and does it once more."""
    if not row.to or row.section == "start":
        return found.do
    stage = look.stage.spec.name
    fields: dict[str, Any] = {
        "phase": row.to,
        "gate_tries": 0,
        "gate_tree": "",
        "gate_entered_at": look.now if row.to == "gate" else "",
        **found.fields,
    }
    moved = committed(look.plan, f"{stage} from {look.stage.state.phase} to {row.to}")
    return (*found.do, WriteStage(stage=stage, fields=fields), moved)


# Whether anything moved since the last answer: a working action that changes nothing is halted, waiting never is.


MOST_REPEATS = 3
"""How often an action may be given again while nothing moves."""


ALONE = (1.0, 0.0)
"""Asked for after the last answer, whenever that was: nobody else asks."""


def signature(plan: Plan) -> str:
    """Digest of everything that may move; how often it was looked at is no part of it."""
    truth = replace(plan.truth, dispatch=None) if plan.truth else None  # the question itself is no answer to it
    moving = replace(plan, tick=0, last=None, studio=None, studios=(), truth=truth)
    try:
        return digest(msgpack.encode(moving), 16)
    except (ValueError, TypeError, OverflowError):  # bytes that are no text, numbers that are too large
        return digest(repr(moving), 16)


def counted(plan: Plan, given: Clue, now: str, span: tuple[float, float] = ALONE) -> tuple[Clue, LastAction]:
    """The clue as it is answered, and what is to be kept of it: the same one again counts, and may become a halt.

    It counts for who could have known it. A tick that had begun before the answer was there gets the same one, as if
    both had asked together. `span` is when this one was asked for, and when it is answered.
    """
    mark = signature(plan)
    last = plan.last
    repeats, at = 0, now
    if last is not None and last.name == given.action and last.progress == mark:
        repeats, at = last.repeats + (span[0] > last.answered), last.at
    kept = LastAction(name=given.action, at=at, progress=mark, repeats=repeats, answered=span[1])
    if given.waits:
        return replace(given, payload={**given.payload, "repeats": repeats}), kept
    return (_halted(plan, given, repeats, now) if repeats >= MOST_REPEATS else given), kept


def _halted(plan: Plan, given: Clue, repeats: int, now: str) -> Clue:
    said = given.message.removesuffix("Then call haiku_run_next again.").rstrip()  # that alone moved nothing
    text = (
        f"{given.action} was given {repeats + 1} times and nothing moved. It said: {said} Tell the user what "
        "stands in the way; whatever changes the plan, or a word of the user, lets the work go on."
    )
    payload: dict[str, Any] = {"loop": "repeat", "halted_action": given.action, "repeats": repeats}
    return clue(looking(plan, now), "loop_halted", text, {**payload, "halted_payload": given.payload}, "person")
