"""Why a move is not allowed: always with a code, what is missing, and the next step."""

from __future__ import annotations

from typing import Any

from leeboard.model.plan import Phase, Plan, StageView
from leeboard.model.unit import Feedback, Unit
from leeboard.plan.effect import Refusal
from leeboard.plan.machine.look import named

ASK_AGAIN = "Call haiku_run_next: it says what to do now."


def refuse(code: str, why: str, next_step: str = ASK_AGAIN, **details: Any) -> Refusal:
    return Refusal(code=code, message=f"{why} {next_step}", details={**details, "next_step": next_step})


def closed(plan: Plan) -> Refusal | None:
    """What stands against any change: the intent is put away, or its files can not be believed."""
    slug = plan.intent.slug
    if plan.intent.archived:
        return refuse("intent_archived", f"{slug} is archived.", "Take it out with haiku_intent_unarchive first.")
    if plan.problems:  # then nothing was there to compare the other files with
        step = "Put the named files right."
        return refuse("plan_unreadable", f"The plan can not be read: {named(plan.problems)}.", step)
    if not plan.sealed:
        what = named(plan.tampered) or "fields of the engine"
        step = "A person looks at it with `leeboard flow repair`."
        return refuse("tampered", f"Somebody else than the engine changed {what}.", step, fields=list(plan.tampered))
    return None


def standing(plan: Plan) -> StageView | Refusal:
    """The stage that is being worked on; a Refusal where the plan is closed or completed."""
    if refusal := closed(plan):
        return refusal
    if plan.intent.status == "completed":
        step = "A person may reopen it with `leeboard flow revisit STAGE --reason WHY`."
        return refuse("intent_completed", f"{plan.intent.slug} is completed.", step)
    stage = plan.active
    if stage is None or stage.state.status == "pending" or not stage.state.phase:
        return refuse("no_active_stage", "No stage of the intent is being worked on.")
    return stage


def in_phase(plan: Plan, wanted: Phase, what: str) -> StageView | Refusal:
    stage = standing(plan)
    if isinstance(stage, Refusal) or stage.state.phase == wanted:
        return stage
    why = f"{what} belongs to the phase {wanted}; stage {stage.spec.name} is in {stage.state.phase}."
    return refuse("wrong_phase", why, phase=stage.state.phase, wanted=wanted)


def unit_of(stage: StageView, unit_id: str) -> Unit | Refusal:
    unit = stage.unit(unit_id)
    if unit is None:
        known = [each.id for each in stage.units]
        why = f"Stage {stage.spec.name} has no unit {unit_id}; it has {named(known) or 'none'}."
        return refuse("unit_not_found", why, "Name one of its units by the stem of its file.", units=known)
    if unit.problem:
        step = "Put the file's frontmatter right."
        return refuse("unit_unreadable", f"{unit.id} can not be read: {unit.problem}.", step)
    return unit


def feedback_of(plan: Plan, stage: str, feedback_id: str) -> Feedback | Refusal:
    """`stage` empty: of the intent as a whole."""
    view = plan.stage(stage) if stage else None
    if stage and view is None:
        return unknown_stage(plan, stage)
    items = view.feedback if view else plan.feedback
    found = next((item for item in items if item.id == feedback_id), None)
    if found is not None:
        return found
    where = f"Stage {stage}" if stage else "The intent"
    known = [item.id for item in items]
    why = f"{where} has no finding {feedback_id}; it has {named(known) or 'none'}."
    return refuse("feedback_not_found", why, "Look with haiku_feedback_list.", feedback=known)


def unknown_stage(plan: Plan, stage: str) -> Refusal:
    known = [view.spec.name for view in plan.stages]
    why = f"The intent has no stage {stage}; it goes through {named(known) or 'none'}."
    return refuse("stage_unknown", why, "Name one of them.", stages=known)
