"""execute: units wave by wave, each in its own work tree, hat after hat, merged before they count as done."""

from __future__ import annotations

from typing import Any

from leeboard.model.plan import MOST_BOLTS, Iteration
from leeboard.model.unit import Unit
from leeboard.plan.effect import Effect, MakeWorktree, MergeUnit, RemoveWorktree, RunGates, WriteFeedback, WriteUnit
from leeboard.plan.machine.findings import claim, claimable
from leeboard.plan.machine.hats import (
    has_claimed,
    has_passed,
    open_wave,
    overlaps,
    ready,
    rejected,
    unit_payload,
    waves,
    wear_text,
    worn,
)
from leeboard.plan.machine.look import (
    PlanLook,
    RowMatch,
    begun,
    committed,
    named,
    places_payload,
    places_told,
    promised,
    promised_text,
)
from leeboard.plan.machine.proof import GATES_FAIL, failed, failure_payload, owed, unit_commands


def no_units(look: PlanLook) -> RowMatch | None:
    """Nothing planned is never everything done."""
    return _planned_again(look, "its units are gone") if not look.stage.units else None


def _planned_again(look: PlanLook, why: str) -> RowMatch:
    visit = Iteration(index=look.stage.state.visits + 1, started_at=look.now, trigger="external-changes", reason=why)
    return RowMatch(fields=begun(look.stage.state, visit))


def tree_left_over(look: PlanLook) -> RowMatch | None:
    active = {unit.id for view in look.plan.stages for unit in view.units if unit.status == "active"}
    trees = look.plan.git.worktrees.keys() - active
    left = [unit.id for unit in look.stage.units if unit.status == "completed" and unit.id in trees]
    return RowMatch(do=tuple(RemoveWorktree(unit=unit) for unit in left)) if left else None


def merge_stopped(look: PlanLook) -> RowMatch | None:
    unit = next((u for u in look.stage.units if u.status == "active" and u.id in look.plan.git.conflicts), None)
    if unit is None:
        return None
    files = look.plan.git.conflicts[unit.id]
    tree = look.plan.git.worktrees.get(unit.id)
    text = (
        f"{unit.id} and the intent's branch changed the same lines. Resolve {named(files)} in {tree} and commit there."
    )
    marked = look.plan.git.marked.get(unit.id, ())
    if marked:
        text += f" Marks of the conflict (`<<<<<<<`, `>>>>>>>`) are left in {named(marked)}: take them out."
    payload = {
        "unit": unit.id,
        "conflict_paths": list(files),
        "markers_left": list(marked),
        "unit_branch": f"haiku/{look.plan.intent.slug}/{unit.id}",
        "target_branch": look.plan.git.hub,
        "worktree": tree,
    }
    return RowMatch(text=text, payload=payload)


def _gated(look: PlanLook) -> Unit | None:
    """The unit whose hat says it is done and must be shown to be right."""
    hats = look.stage.spec.hats
    return next(
        (u for u in look.stage.units if has_claimed(u) and hats[worn(hats, u.hat)].run_quality_gates),
        None,
    )


def unit_unproven(look: PlanLook) -> RowMatch | None:
    unit = _gated(look)
    commands = owed(unit_commands(look.plan, unit), look.stage, unit.id) if unit else ()
    if unit is None or not commands:
        return None
    return RowMatch(do=(RunGates(stage=unit.stage, commands=commands, unit=unit.id),))


def unit_failed_too_often(look: PlanLook) -> RowMatch | None:
    unit = _gated(look)
    found = failed(unit_commands(look.plan, unit), look.stage, unit.id) if unit else ()
    if unit is None or not found or unit.bolt < MOST_BOLTS:
        return None
    text = (
        f"{unit.id} is in bolt {unit.bolt} of {MOST_BOLTS} and {named([run.name for run in found])} still fails. "
        "A person decides: they mend it, change the unit, or revisit."
    )
    payload = {
        "reason": "iteration_limit",
        "unit": unit.id,
        "iteration": unit.bolt,
        "max_iterations": MOST_BOLTS,
        "failures": failure_payload(found),
    }
    return RowMatch(text=text, payload=payload)


def unit_failed(look: PlanLook) -> RowMatch | None:
    """Back to the same hat, one bolt on."""
    unit = _gated(look)
    found = failed(unit_commands(look.plan, unit), look.stage, unit.id) if unit else ()
    if unit is None or not found:
        return None
    names = named([run.name for run in found])
    text = (
        f"Quality gates of {unit.id} fail: {names}. It stays with its {unit.hat}, in bolt {unit.bolt + 1}: fix them in "
        f"{look.plan.git.worktrees.get(unit.id) or 'the work tree'}, then call haiku_unit_advance_hat {unit.id} "
        f"(hat {unit.hat}, bolt {unit.bolt + 1})."
    )
    return RowMatch(
        text=text,
        payload={"unit": unit.id, "hat": unit.hat, "bolt": unit.bolt + 1, "failures": failure_payload(found)},
        do=(rejected(unit, unit.hat, look.now, f"{GATES_FAIL}{names}"),),
    )


def hat_proven(look: PlanLook) -> RowMatch | None:
    unit = next((u for u in look.stage.units if has_claimed(u) and not has_passed(u, look.stage.spec)), None)
    if unit is None:
        return None
    hats = look.stage.spec.hats
    fields = {"hat": hats[worn(hats, unit.hat) + 1].name, "hat_started_at": look.now}
    return RowMatch(do=(WriteUnit(stage=unit.stage, unit=unit.id, fields=fields),))


def _passed(look: PlanLook) -> Unit | None:
    return next((unit for unit in look.stage.units if has_passed(unit, look.stage.spec)), None)


def _unmerged(look: PlanLook) -> Unit | None:
    unit = _passed(look)
    git = look.plan.git
    return unit if unit and git.available and unit.id not in git.merged else None


def merge_blocked(look: PlanLook) -> RowMatch | None:
    unit, git = _unmerged(look), look.plan.git
    if unit is None or not git.dirty:
        return None
    text = (
        f"{unit.id} is done and its merge waits: the work tree has changes that are not committed: {named(git.dirty)}. "
        "Commit what belongs to the work; ask the user about the rest."
    )
    payload = {"current_branch": git.branch, "target_branch": git.hub, "dirty_files": list(git.dirty), "unit": unit.id}
    return RowMatch(text=text, payload=payload)


def merge_due(look: PlanLook) -> RowMatch | None:
    unit = _unmerged(look)
    if unit is None:
        return None
    return RowMatch(do=(MergeUnit(unit=unit.id, message=f"haiku({look.plan.intent.slug}): {unit.title or unit.id}"),))


def unit_merged(look: PlanLook) -> RowMatch | None:
    """Its work is in the intent's branch. What it was written to settle is settled before it counts as done."""
    unit = _passed(look)
    if unit is None:
        return None
    settled = [item for item in claimable(look) if item.is_open and claim(item) in unit.closes]
    effects: list[Effect] = [
        WriteFeedback(stage=item.stage, feedback=item.id, fields={"status": "addressed", "closed_by": unit.id})
        for item in settled
    ]
    fields = {"status": "completed", "completed_at": look.now}
    effects.append(WriteUnit(stage=unit.stage, unit=unit.id, fields=fields))
    if unit.id in look.plan.git.worktrees:
        effects.append(RemoveWorktree(unit=unit.id))
    effects.append(committed(look.plan, f"complete {unit.id}"))
    return RowMatch(do=tuple(effects))


def tree_missing(look: PlanLook) -> RowMatch | None:
    if not look.plan.git.available:
        return None
    running = [*(unit for unit in look.stage.units if unit.status == "active"), *ready(look.stage.units)]
    bare = [unit.id for unit in running if unit.id not in look.plan.git.worktrees]
    return RowMatch(do=tuple(MakeWorktree(unit=unit) for unit in bare)) if bare else None


def one_ready(look: PlanLook) -> RowMatch | None:
    units = ready(look.stage.units)
    if len(units) != 1:
        return None
    payload = {**_start_payload(look, units), "unit": units[0].id, "worktree": look.plan.git.worktrees.get(units[0].id)}
    text = f"Begin {units[0].id} with haiku_unit_start and work on it.{_warning(payload)}{promised_text(look)}"
    return RowMatch(text=text, payload=payload)


def several_ready(look: PlanLook) -> RowMatch | None:
    units = ready(look.stage.units)
    if not units:
        return None
    payload = {
        **_start_payload(look, units),
        "units": [unit.id for unit in units],
        "worktrees": {unit.id: look.plan.git.worktrees.get(unit.id) for unit in units},
    }
    names = named([unit.id for unit in units])
    text = f"Begin {names}, each with haiku_unit_start, side by side, each in its own work tree.{_warning(payload)}"
    return RowMatch(text=f"{text}{promised_text(look)}", payload=payload)


def _start_payload(look: PlanLook, units: tuple[Unit, ...]) -> dict[str, Any]:
    spec = look.stage.spec
    active = [unit for unit in look.stage.units if unit.status == "active"]
    return {
        "wave": open_wave(look.stage.units),
        "total_waves": len(waves(look.stage.units)),
        "first_hat": spec.hats[0].name,
        "hats": [hat.name for hat in spec.hats],
        "stage_metadata": {"description": spec.description, "body": spec.body},
        "overlaps": overlaps([*active, *units]),
        "required_outputs": promised(look),
    }


def _warning(payload: dict[str, Any]) -> str:
    clashes = [f"{' and '.join(each['units'])} ({', '.join(each['files'])})" for each in payload["overlaps"]]
    return f" Mind that some change the same files: {named(clashes)}." if clashes else ""


def one_active(look: PlanLook) -> RowMatch | None:
    units = [unit for unit in look.stage.units if unit.status == "active"]
    if len(units) != 1:
        return None
    payload = unit_payload(look.plan, look.stage, units[0])
    return RowMatch(text=wear_text(units[0], payload), payload=payload)


def several_active(look: PlanLook) -> RowMatch | None:
    units = [unit for unit in look.stage.units if unit.status == "active"]
    if not units:
        return None
    payloads = [unit_payload(look.plan, look.stage, unit) for unit in units]
    text = " ".join(wear_text(unit, payload) for unit, payload in zip(units, payloads, strict=True))
    return RowMatch(text=text, payload={"units": payloads})


def outputs_missing(look: PlanLook) -> RowMatch | None:
    missing = look.stage.missing_outputs
    if not missing:
        return None
    text = f"Stage {look.stage.spec.name} has to bring forth: {named(places_told(look, missing))}. Write it there"
    text += ", and commit it: the work trees of its units are merged." if look.plan.git.available else "."
    return RowMatch(text=text, payload=places_payload(look, missing))


def units_done(look: PlanLook) -> RowMatch | None:
    """Everything is done, and there was something to do."""
    return RowMatch() if all(unit.status == "completed" for unit in look.stage.units) else None
