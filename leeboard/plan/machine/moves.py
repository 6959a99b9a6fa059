"""Everything a tool or a person may change, in one place: each a pure function to a Step, or to a Refusal."""

from __future__ import annotations

from typing import Any

from msgspec import convert, to_builtins
from msgspec.structs import replace

from leeboard.model.plan import MOST_BOLTS, MOST_FIX_BOLTS, MOST_PARALLEL, Plan, StageView
from leeboard.model.studio import Hat
from leeboard.model.unit import Feedback, Pass, PassResult, Unit
from leeboard.plan.effect import Effect, MakeWorktree, PlanStep, Refusal, WriteFeedback, WriteUnit
from leeboard.plan.files.state import ENGINE_FIELDS
from leeboard.plan.machine.feedback_moves import (
    FeedbackChange,
    FeedbackDraft,
    FeedbackGoal,
    feedback_move,
    feedback_new,
    feedback_reject,
    feedback_update,
    may_write_feedback,
)
from leeboard.plan.machine.findings import fix_hats, is_inline, owes_change, place_of, shows_work
from leeboard.plan.machine.hats import (
    escalated,
    has_claimed,
    is_last,
    open_wave,
    output_place,
    ready,
    rejected,
    unit_payload,
    waves,
    wear_text,
    with_pass,
    worn,
)
from leeboard.plan.machine.hats import owes_change as unit_owes_change
from leeboard.plan.machine.hats import shows_work as unit_shows_work
from leeboard.plan.machine.look import committed, looking, named
from leeboard.plan.machine.proof import as_kept, has_changed, is_as_sent_back, sent_back
from leeboard.plan.machine.refusal import closed, feedback_of, in_phase, refuse, standing, unit_of, unknown_stage
from leeboard.plan.machine.stage_moves import (
    archive,
    asks_nobody,
    decide,
    external_url,
    record_report,
    revisit,
    select_mode,
    select_stages,
    select_studio,
    withdraw,
)
from leeboard.plan.machine.table import clue

__all__ = [
    "FeedbackChange",
    "FeedbackDraft",
    "FeedbackGoal",
    "advance_hat",
    "archive",
    "asks_nobody",
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


# What may be done to a unit, and what must hold before.


def unit_start(plan: Plan, unit_id: str, now: str) -> PlanStep | Refusal:
    """Put the first hat on a unit of the open wave."""
    stage = in_phase(plan, "execute", "Beginning a unit")
    if isinstance(stage, Refusal):
        return stage
    unit = unit_of(stage, unit_id)
    if isinstance(unit, Refusal):
        return unit
    if refusal := _unstartable(stage, unit):
        return refusal
    fields: dict[str, Any] = {
        "status": "active",
        "bolt": 1,
        "hat": stage.spec.hats[0].name,
        "started_at": unit.started_at or now,
        "hat_started_at": now,
    }
    effects: tuple[Effect, ...] = (
        WriteUnit(stage=stage.spec.name, unit=unit.id, fields=fields),
        committed(plan, f"start {unit.id}"),
    )
    if plan.git.available and unit.id not in plan.git.worktrees:
        return PlanStep(do=(MakeWorktree(unit=unit.id), *effects))
    return _worn(plan, stage, unit, effects, now)


def _unstartable(stage: StageView, unit: Unit) -> Refusal | None:
    if unit.status == "active":
        return refuse("unit_already_active", f"{unit.id} is worked on already, by its {unit.hat}.", hat=unit.hat)
    if unit.status == "completed":
        return refuse("unit_already_completed", f"{unit.id} is completed.")
    if not stage.spec.hats:
        return refuse("no_hats", f"Stage {stage.spec.name} names no hats.", "Name them in its STAGE.md.")
    return None if unit in ready(stage.units) else _too_early(stage, unit)


def _too_early(stage: StageView, unit: Unit) -> Refusal:
    done = {each.id for each in stage.units if each.status == "completed"}
    owed = [wanted for wanted in unit.depends_on if wanted not in done]
    if owed:
        why = f"{unit.id} depends on {named(owed)}, which is not completed."
        return refuse("dependencies_unmet", why, f"Complete {owed[0]} first.", missing=owed)
    found = waves(stage.units)
    at = open_wave(stage.units)
    first = [each.id for each in found[at] if each.status != "completed"] if at < len(found) else []
    if unit.id in first:
        why = f"{MOST_PARALLEL} units are worked on already."
        return refuse("too_many_active", why, "Complete one of them first.", max=MOST_PARALLEL)
    why = f"{unit.id} belongs to a later wave; {named(first) or 'its dependencies'} of wave {at} come first."
    return refuse("wave_not_open", why, missing=first, wave=at)


def advance_hat(plan: Plan, unit_id: str, now: str, reason: str = "") -> PlanStep | Refusal:
    """The hat's work is done. The last one's claim holds when the unit is merged; the engine sees to that.

    `reason` says why nothing had to change; people see it at the gate.
    """
    found = _worked_on(plan, unit_id)
    if isinstance(found, Refusal):
        return found
    stage, unit = found
    if has_claimed(unit):
        return refuse(
            "hat_already_passed", f"The {unit.hat} of {unit.id} is done; its proof or its merge is under way."
        )
    if refusal := _unfinished(plan, stage, unit) or _unit_unworked(plan, stage, unit, reason):
        return refusal
    hats = stage.spec.hats
    at = worn(hats, unit.hat)
    changed = unit.id not in plan.untouched if unit_shows_work(unit, stage.spec) else None
    fields: dict[str, Any] = {"iterations": with_pass(unit, "advance", now, reason.strip(), changed=changed)}
    if is_last(hats, unit.hat) or hats[at].run_quality_gates:
        return PlanStep(do=(WriteUnit(stage=unit.stage, unit=unit.id, fields=fields),))
    fields |= {"hat": hats[at + 1].name, "hat_started_at": now}
    return _worn(plan, stage, unit, (WriteUnit(stage=unit.stage, unit=unit.id, fields=fields),), now)


def _unfinished(plan: Plan, stage: StageView, unit: Unit) -> Refusal | None:
    """What the hat's claim lacks."""
    outside = [path for path in unit.outputs if escapes(path)]
    if outside:
        step = "Name outputs from the top of the work tree."
        return refuse(
            "unit_outputs_escaped", f"Outputs outside the work tree: {named(outside)}.", step, outputs=outside
        )
    if not is_last(stage.spec.hats, unit.hat):
        return None
    if not unit.outputs:
        step = "Add what it brought forth to `outputs` with haiku_unit_set."
        return refuse("unit_outputs_empty", f"{unit.id} names no outputs.", step, unit=unit.id)
    absent = [path for name, path in stage.missing_unit_outputs if name == unit.id]
    if absent:
        places = [output_place(plan, stage, unit, path) for path in absent]
        why = f"Outputs of {unit.id} are not there: {named(places)}."
        return refuse("unit_outputs_missing", why, "Write them there.", unit=unit.id, missing=absent, places=places)
    return _unmet(plan, unit) if unit.unmet else None


def _unmet(plan: Plan, unit: Unit) -> Refusal:
    file = f".haiku/intents/{plan.intent.slug}/stages/{unit.stage}/units/{unit.id}.md"
    step = (
        f"Meet them and tick them off (`- [x]`) in {file} of the primary work tree, with haiku_unit_set (field "
        "criteria) or by hand: the copy in the unit's work tree does not count. "
        f"Or say what fell short with haiku_unit_reject_hat {unit.id}."
    )
    why = f"Criteria of {unit.id} are not met: {named(unit.unmet)}."
    return refuse("criteria_not_met", why, step, unit=unit.id, unchecked=list(unit.unmet))


def _unit_unworked(plan: Plan, stage: StageView, unit: Unit, reason: str) -> Refusal | None:
    """Outputs that were there before and a hat's word are no work, nor is what was sent back."""
    place = plan.git.worktrees.get(unit.id) or "the work tree"
    if reason.strip():
        return None
    if is_as_sent_back(unit.passes, plan.work.get(unit.id, "")):
        back = sent_back(unit.passes).rstrip(".")
        why = f"Nothing has changed in {place} since {unit.id} was sent back: {back}."
    elif unit.id in plan.untouched and unit_owes_change(unit, stage.spec):
        why = f"Nothing has changed in {place} since {unit.id} began, and no criterion of it is ticked off."
    else:
        return None
    step = "Do its work there; where nothing has to change, call haiku_unit_advance_hat with the reason."
    return refuse("no_work_done", why, step, unit=unit.id, worktree=plan.git.worktrees.get(unit.id), missing=["change"])


def escapes(path: str) -> bool:
    """Whether a path can not be below the top of a work tree, however it is read."""
    parts = path.replace("\\", "/").split("/")
    return not path.strip() or path.startswith(("/", "~", "\\")) or ".." in parts or ".git" in parts or ":" in parts[0]


def reject_hat(plan: Plan, unit_id: str, now: str, reason: str = "") -> PlanStep | Refusal:
    """Back to the hat before, one bolt on; the first one starts again."""
    found = _worked_on(plan, unit_id)
    if isinstance(found, Refusal):
        return found
    stage, unit = found
    if refusal := _spent(unit):
        return refusal
    hats = stage.spec.hats
    back = hats[max(worn(hats, unit.hat) - 1, 0)].name
    return _worn(plan, stage, unit, (rejected(unit, back, now, reason, plan.work.get(unit.id, "")),), now)


def increment_bolt(plan: Plan, unit_id: str, now: str) -> PlanStep | Refusal:
    """Another pass of the same hat."""
    found = _worked_on(plan, unit_id)
    if isinstance(found, Refusal):
        return found
    stage, unit = found
    if has_claimed(unit):
        return refuse(
            "hat_already_passed", f"The {unit.hat} of {unit.id} is done; its proof or its merge is under way."
        )
    if refusal := _spent(unit):
        return refusal
    fields = {"bolt": unit.bolt + 1, "hat_started_at": now}
    return _worn(plan, stage, unit, (WriteUnit(stage=unit.stage, unit=unit.id, fields=fields),), now)


def _spent(unit: Unit) -> Refusal | None:
    if unit.bolt < MOST_BOLTS:
        return None
    why = f"{unit.id} is in bolt {unit.bolt} of {MOST_BOLTS}."
    step = f"Now {escalated(unit)}."
    return refuse("max_bolts_exceeded", why, step, bolt=unit.bolt, max=MOST_BOLTS)


def _worked_on(plan: Plan, unit_id: str) -> tuple[StageView, Unit] | Refusal:
    stage = in_phase(plan, "execute", "Moving the hats of a unit")
    if isinstance(stage, Refusal):
        return stage
    unit = unit_of(stage, unit_id)
    if isinstance(unit, Refusal):
        return unit
    if unit.status == "completed":
        return refuse("unit_already_completed", f"{unit.id} is completed.")
    if unit.status == "pending":
        return refuse("unit_not_active", f"Nobody has begun {unit.id}.", f"Begin it with haiku_unit_start {unit.id}.")
    return stage, unit


def _worn(plan: Plan, stage: StageView, unit: Unit, effects: tuple[Effect, ...], now: str) -> PlanStep:
    """The step, and how the same unit goes on: whoever works on it is told of no other."""
    changes = {
        key: value for effect in effects if isinstance(effect, WriteUnit) for key, value in effect.fields.items()
    }
    after = _after(unit, changes)
    payload = unit_payload(plan, stage, after)
    return PlanStep(do=effects, clue=clue(looking(plan, now), "continue_unit", wear_text(after, payload), payload))


def _after(unit: Unit, changes: dict[str, Any]) -> Unit:
    """The unit as its file will read."""
    passes = convert(changes.get("iterations", to_builtins(unit.passes)), tuple[Pass, ...])
    known = {key: value for key, value in changes.items() if key in unit.__struct_fields__}
    return replace(unit, **known, passes=passes)


def unit_set(plan: Plan, unit_id: str, fields: dict[str, Any], stage: str = "") -> PlanStep | Refusal:
    """Set fields of its author. What it depends on and has to meet is settled once somebody works on it."""
    view = _home(plan, stage)
    if isinstance(view, Refusal):
        return view
    unit = unit_of(view, unit_id)
    if isinstance(unit, Refusal):
        return unit
    owned = [name for name in fields if name in ENGINE_FIELDS["unit"]]
    if owned:
        step = "The unit tools move them: haiku_unit_start, haiku_unit_advance_hat, haiku_unit_reject_hat."
        return refuse(
            "fsm_field_forbidden",
            f"{named(owned)} {'belongs' if len(owned) == 1 else 'belong'} to the engine.",
            step,
            fields=owned,
        )
    if unit.status == "completed" or (unit.status == "active" and {*fields} - {"outputs"}):
        return _begun(unit)
    return PlanStep(do=(WriteUnit(stage=view.spec.name, unit=unit.id, fields=dict(fields)),))


def may_write_unit(plan: Plan, unit_id: str, stage: str = "") -> Refusal | None:
    """Whether a unit's whole file may be written or removed; a new one is planned in elaborate."""
    view = _home(plan, stage)
    if isinstance(view, Refusal):
        return view
    unit = view.unit(unit_id)
    if unit is not None and unit.status != "pending":
        return _begun(unit)
    if unit is None and view.state.phase not in {"", "elaborate"}:
        why = f"{unit_id} would be new, and stage {view.spec.name} is in {view.state.phase}: its plan is settled."
        step = "haiku_revisit goes back to elaborate, where units are planned."
        return refuse("lifecycle_violation", why, step, phase=view.state.phase)
    return None


def _home(plan: Plan, stage: str) -> StageView | Refusal:
    if refusal := closed(plan):
        return refusal
    if not stage:
        return standing(plan)
    view = plan.stage(stage)
    return view if view is not None else unknown_stage(plan, stage)


def _begun(unit: Unit) -> Refusal:
    why = f"{unit.id} is {unit.status}: its file is settled."
    step = "Write a new unit in elaborate, or reject its hat."
    return refuse("lifecycle_violation", why, step, status=unit.status)
