"""What may be done to a unit, and what must hold before."""

from __future__ import annotations

from typing import Any

from msgspec import convert, to_builtins
from msgspec.structs import replace

from leeboard.model.plan import MOST_BOLTS, MOST_PARALLEL, Plan, StageView
from leeboard.model.unit import Pass, Unit
from leeboard.plan.effect import Effect, MakeWorktree, PlanStep, Refusal, WriteUnit
from leeboard.plan.files.files import ENGINE_FIELDS
from leeboard.plan.machine.hats import (
    escalated,
    has_claimed,
    is_last,
    open_wave,
    output_place,
    owes_change,
    ready,
    rejected,
    shows_work,
    unit_payload,
    waves,
    wear_text,
    with_pass,
    worn,
)
from leeboard.plan.machine.look import committed, looking, named
from leeboard.plan.machine.proof import is_as_sent_back, sent_back
from leeboard.plan.machine.refusal import closed, in_phase, refuse, standing, unit_of, unknown_stage
from leeboard.plan.machine.table import clue


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
    if refusal := _unfinished(plan, stage, unit) or _unworked(plan, stage, unit, reason):
        return refusal
    hats = stage.spec.hats
    at = worn(hats, unit.hat)
    changed = unit.id not in plan.untouched if shows_work(unit, stage.spec) else None
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


def _unworked(plan: Plan, stage: StageView, unit: Unit, reason: str) -> Refusal | None:
    """Outputs that were there before and a hat's word are no work, nor is what was sent back."""
    place = plan.git.worktrees.get(unit.id) or "the work tree"
    if reason.strip():
        return None
    if is_as_sent_back(unit.passes, plan.work.get(unit.id, "")):
        back = sent_back(unit.passes).rstrip(".")
        why = f"Nothing has changed in {place} since {unit.id} was sent back: {back}."
    elif unit.id in plan.untouched and owes_change(unit, stage.spec):
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
