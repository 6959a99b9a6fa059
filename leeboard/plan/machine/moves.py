"""Everything a tool or a person may change, in one place: each a pure function to a Step, or to a Refusal."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from leeboard.model.plan import MOST_FIX_BOLTS, Plan
from leeboard.model.studio import Hat
from leeboard.model.unit import Feedback, Pass, PassResult
from leeboard.plan.effect import PlanStep, Refusal, WriteFeedback
from leeboard.plan.machine.feedback_moves import (
    FeedbackChange,
    FeedbackDraft,
    feedback_move,
    feedback_new,
    feedback_reject,
    feedback_update,
    may_write_feedback,
)
from leeboard.plan.machine.findings import fix_hats, is_inline, owes_change, place_of, shows_work
from leeboard.plan.machine.hats import is_last, worn
from leeboard.plan.machine.look import looking
from leeboard.plan.machine.proof import as_kept, has_changed, is_as_sent_back, sent_back
from leeboard.plan.machine.refusal import feedback_of, in_phase, refuse
from leeboard.plan.machine.stage_moves import (
    archive,
    decide,
    external_url,
    record_report,
    revisit,
    select_mode,
    select_stages,
    select_studio,
    withdraw,
)
from leeboard.plan.machine.unit_moves import (
    advance_hat,
    increment_bolt,
    may_write_unit,
    reject_hat,
    unit_set,
    unit_start,
)

__all__ = [
    "FeedbackChange",
    "FeedbackDraft",
    "advance_hat",
    "archive",
    "decide",
    "external_url",
    "feedback_advance_hat",
    "feedback_move",
    "feedback_new",
    "feedback_reject",
    "feedback_reject_hat",
    "feedback_update",
    "increment_bolt",
    "may_write_feedback",
    "may_write_unit",
    "record_report",
    "reject_hat",
    "revisit",
    "select_mode",
    "select_stages",
    "select_studio",
    "unit_set",
    "unit_start",
    "withdraw",
]


# The hats of a fix: one finding after the other, a few bolts each, ended by the last hat's word.


def feedback_advance_hat(plan: Plan, stage: str, feedback_id: str, now: str, reason: str = "") -> PlanStep | Refusal:
    """The hat's work is done. The last one settles the finding; what a person filed is theirs to close.

    `reason` says why nothing had to change; people see it at the gate.
    """
    found = _being_fixed(plan, stage, feedback_id, now)
    if isinstance(found, Refusal):
        return found
    item, hats = found
    if refusal := _unworked(plan, item, hats, reason):
        return refusal
    at = worn(hats, item.hat)
    changed = place_of(item) not in plan.untouched if shows_work(item, hats) else None
    done = _pass(item, hats[at], "advance", now, reason.strip(), changed=changed)
    fields: dict[str, Any] = {"iterations": as_kept((*item.passes, done))}
    if is_last(hats, item.hat):
        fields |= {"status": "addressed" if item.is_human else "closed", "closed_by": hats[at].name}
    else:
        fields["hat"] = hats[at + 1].name
    return PlanStep(do=(WriteFeedback(stage=item.stage, feedback=item.id, fields=fields),))


def feedback_reject_hat(plan: Plan, stage: str, feedback_id: str, now: str, reason: str = "") -> PlanStep | Refusal:
    """Back to the hat before, one bolt on. Past the last bolt a person is asked."""
    found = _being_fixed(plan, stage, feedback_id, now)
    if isinstance(found, Refusal):
        return found
    item, hats = found
    at = worn(hats, item.hat)
    back = replace(_pass(item, hats[at], "reject", now, reason), work=plan.work.get(place_of(item), ""))
    fields: dict[str, Any] = {
        "hat": hats[max(at - 1, 0)].name,
        "bolt": item.bolt + 1,
        "iterations": as_kept((*item.passes, back)),
    }
    return PlanStep(do=(WriteFeedback(stage=item.stage, feedback=item.id, fields=fields),))


def _being_fixed(plan: Plan, stage: str, feedback_id: str, now: str) -> tuple[Feedback, tuple[Hat, ...]] | Refusal:
    view = in_phase(plan, "review", "Fixing a finding")
    if isinstance(view, Refusal):
        return view
    item = feedback_of(plan, stage, feedback_id)
    if isinstance(item, Refusal):
        return item
    hats = fix_hats(looking(plan, now), item)
    if not hats:
        step = "Set the resolution stage_revisit with haiku_feedback_update."
        return refuse("no_fix_hats", f"Stage {view.spec.name} has no fix hats.", step)
    if item.status != "fixing" or not is_inline(item):
        return refuse("no_hat_to_advance", f"{item.id} is {item.status}: no hat works on it.", status=item.status)
    if item.bolt > MOST_FIX_BOLTS:
        why = f"{item.id} took {item.bolt - 1} of {MOST_FIX_BOLTS} bolts."
        step = "A person decides about it with `leeboard flow feedback`."
        return refuse("max_bolts_exceeded", why, step, bolt=item.bolt, max=MOST_FIX_BOLTS)
    return item, hats


def _unworked(plan: Plan, item: Feedback, hats: tuple[Hat, ...], reason: str) -> Refusal | None:
    """A word alone fixes nothing, nor does what was sent back."""
    if reason.strip():
        return None
    if is_as_sent_back(item.passes, plan.work.get(place_of(item), "")):
        back = sent_back(item.passes).rstrip(".")
        why = f"Nothing that belongs to the work has changed since {item.id} was sent back: {back}."
    elif place_of(item) in plan.untouched and owes_change(item, hats):
        since = f"since its fix began at {item.fix_from[:12]}" if plan.git.available else "since its fix began"
        why = f"Nothing that belongs to the work has changed {since}, so {item.id} is not fixed."
    else:
        return None
    step = (
        "Fix and commit it; where nothing has to change, call haiku_feedback_advance_hat with the reason. Files of the "
        "intent's own folder count once haiku_record_agent_write knows them as yours."
    )
    return refuse("no_work_done", why, step, feedback_id=item.id, missing=["change"])


def _pass(
    item: Feedback, hat: Hat, result: PassResult, now: str, reason: str = "", *, changed: bool | None = None
) -> Pass:
    known = has_changed(item.passes, seen=changed)
    return Pass(hat=hat.name, completed_at=now, result=result, reason=reason, changed=known)
