"""Who works on a unit now: hats in their order, and what a pass has claimed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from leeboard.model.plan import MOST_BOLTS, MOST_PARALLEL, Plan, StageView
from leeboard.model.studio import Hat, StageSpec
from leeboard.model.text import matches
from leeboard.model.unit import Pass, PassResult, Unit
from leeboard.plan.effect import WriteUnit
from leeboard.plan.machine.proof import (
    GATES_FAIL,
    as_kept,
    failed,
    failure_payload,
    has_changed,
    sender,
    sent_back,
    unit_commands,
)


def worn(hats: tuple[Hat, ...], name: str) -> int:
    """Where in the order a hat stands; a name the stage does not know is the first again."""
    return next((at for at, hat in enumerate(hats) if hat.name == name), 0)


def is_last(hats: tuple[Hat, ...], name: str) -> bool:
    return worn(hats, name) == len(hats) - 1


def has_claimed(unit: Unit) -> bool:
    """Its hat says it is done, and the proof is owed: its quality gates, or that its branch is merged."""
    if unit.status != "active" or not unit.passes:
        return False
    return unit.passes[-1].result == "advance" and unit.passes[-1].hat == unit.hat


def has_passed(unit: Unit, spec: StageSpec) -> bool:
    """Whether the last hat is done with it, so that only the merge is left."""
    return has_claimed(unit) and is_last(spec.hats, unit.hat)


def proves(hats: tuple[Hat, ...], name: str) -> bool:
    """Whether this hat's word says that the work is there: the last one's, and of each that runs quality gates."""
    return bool(hats) and (is_last(hats, name) or hats[worn(hats, name)].run_quality_gates)


def shows_work(unit: Unit, spec: StageSpec) -> bool:
    """Whether it is about to be called done, so that somebody looks what has changed for it."""
    return unit.status == "active" and not has_claimed(unit) and proves(spec.hats, unit.hat)


def owes_change(unit: Unit, spec: StageSpec) -> bool:
    """Whether nothing but a change can show that its hat did something: no criterion of it is ticked off."""
    return shows_work(unit, spec) and not any(done for _, done in unit.criteria)


def with_pass(
    unit: Unit, result: PassResult, now: str, reason: str = "", *, changed: bool | None = None, work: str = ""
) -> list[dict[str, Any]]:
    """Its history with the hat's work added, as the file keeps it. `changed` None: nobody looked."""
    done = Pass(
        hat=unit.hat,
        started_at=unit.hat_started_at,
        completed_at=now,
        result=result,
        reason=reason,
        changed=has_changed(unit.passes, seen=changed),
        work=work,
    )
    return as_kept((*unit.passes, done))


def rejected(unit: Unit, to: str, now: str, reason: str, work: str = "") -> WriteUnit:
    """The unit sent back to a hat, one bolt on, with a stronger model where its author named one.

    `work` names what is not good enough: the hat has to change something of it.
    """
    fields: dict[str, Any] = {
        "hat": to,
        "bolt": unit.bolt + 1,
        "hat_started_at": now,
        "iterations": with_pass(unit, "reject", now, reason, work=work),
    }
    if stronger := _STRONGER.get(unit.model):
        fields["model"] = stronger
        if all(each.result == "advance" for each in unit.passes):
            fields["model_original"] = unit.model
    return WriteUnit(stage=unit.stage, unit=unit.id, fields=fields)


_STRONGER = {"haiku": "sonnet", "sonnet": "opus"}


def unit_payload(plan: Plan, stage: StageView, unit: Unit) -> dict[str, Any]:
    """What the one who works on it has to know, and no more."""
    names = [hat.name for hat in stage.spec.hats]
    found = waves(stage.units)
    wave = next((at for at, members in enumerate(found) if any(each.id == unit.id for each in members)), 0)
    hat = stage.spec.hats[worn(stage.spec.hats, unit.hat)] if stage.spec.hats else Hat(name="")
    return {
        "unit": unit.id,
        "title": unit.title,
        "hat": hat.name,
        "mandate": hat.mandate,
        "model": unit.model or hat.model or stage.spec.model,
        "bolt": unit.bolt,
        "wave": wave,
        "total_waves": len(found),
        "hats": names,
        "worktree": plan.git.worktrees.get(unit.id),
        "outputs": [output_place(plan, stage, unit, path) for path in unit.outputs],
        "criteria_unmet": list(unit.unmet),
        "failures": failure_payload(failed(unit_commands(plan, unit), stage, unit.id)),
        "rejected_for": sent_back(unit.passes),
    }


def output_place(plan: Plan, stage: StageView, unit: Unit, path: str) -> str:
    """Where an output has to lie: in the tree the unit is worked on in, and there where the stage promised it.

    An author may name it from the intent's folder as well as from the top of the work tree.
    """
    slug = plan.intent.slug
    inside = f".haiku/intents/{slug}/{path}"
    promised = {template.place(slug) for template in stage.spec.templates}
    tree = plan.git.worktrees.get(unit.id)
    found = inside if inside in promised else path
    return f"{tree}/{found}" if tree else found


def wear_text(unit: Unit, payload: dict[str, Any]) -> str:
    """How to go on with a unit, in a sentence."""
    place = f"in {payload['worktree']}" if payload["worktree"] else "in the work tree"
    return (
        f"{_sent_back(unit, payload)}Work on {unit.id} {place} as its {payload['hat']} (bolt {payload['bolt']}). When "
        f"the hat's work is done call haiku_unit_advance_hat {unit.id} (hat {payload['hat']}, bolt {payload['bolt']})"
        f"{_way_back(unit, payload)}."
    )


def _way_back(unit: Unit, payload: dict[str, Any]) -> str:
    """What is to be done where the hat before fell short: nobody is sent back beyond the last bolt."""
    if unit.bolt >= MOST_BOLTS:
        return f"; this is the last of {MOST_BOLTS} bolts, so where it falls short {escalated(unit)}"
    is_first = payload["hat"] in payload["hats"][:1]
    return "" if is_first else f"; where the hat before fell short say why with haiku_unit_reject_hat {unit.id}"


def escalated(unit: Unit) -> str:
    """Who goes on with a unit whose bolts are spent, and how."""
    again = f"`leeboard flow revisit {unit.stage} --reason WHY` plans it anew"
    return f"a person decides: tell the user what keeps it from being done; {again}, with as many bolts as at first"


def _sent_back(unit: Unit, payload: dict[str, Any]) -> str:
    """Why it is worked on again, and that a first hat has nobody before it to go back to."""
    if not payload["rejected_for"]:
        return ""
    by = sender(unit.passes[-1])
    is_first = by == payload["hat"] and by in payload["hats"][:1]
    again = f", its first hat, which begins again in bolt {unit.bolt}" if is_first else ""
    return (
        f"{unit.id} was sent back by its {by}{again}: {payload['rejected_for'].removeprefix(GATES_FAIL).rstrip('.')}. "
    )


# The order of units: what depends on what, which wave is open, and who would touch the same files.


def unresolved(units: Iterable[Unit]) -> tuple[tuple[str, str], ...]:
    """Unit and the dependency that is no unit of its stage."""
    units = tuple(units)
    known = {unit.id for unit in units}
    return tuple((unit.id, wanted) for unit in units for wanted in unit.depends_on if wanted not in known)


def waves(units: Iterable[Unit]) -> tuple[tuple[Unit, ...], ...]:
    """Units by depth: a wave depends on earlier ones only. Those in a cycle, or behind one, are in no wave."""
    by_id = {unit.id: unit for unit in sorted(units, key=lambda unit: unit.id)}
    behind: dict[str, list[str]] = {name: [] for name in by_id}
    owing = dict.fromkeys(by_id, 0)
    for name, unit in by_id.items():
        for wanted in {*unit.depends_on}:
            if wanted in behind:
                behind[wanted].append(name)
                owing[name] += 1
    wave = [name for name, count in owing.items() if not count]
    found: list[tuple[Unit, ...]] = []
    while wave:
        found.append(tuple(by_id[name] for name in wave))
        freed = [name for done in wave for name in behind[done]]
        for name in freed:
            owing[name] -= 1
        wave = sorted({name for name in freed if not owing[name]})
    return tuple(found)


def cycle(units: Sequence[Unit]) -> tuple[str, ...]:
    """One circle of dependencies, its first unit named again at the end; empty: there is none."""
    placed = {unit.id for wave in waves(units) for unit in wave}
    stuck = {unit.id: unit.depends_on for unit in units if unit.id not in placed}
    path: list[str] = []
    at = min(stuck, default="")
    while stuck and at not in path:
        path.append(at)
        at = min(wanted for wanted in stuck[at] if wanted in stuck)
    return (*path[path.index(at) :], at) if stuck else ()


def open_wave(units: Sequence[Unit]) -> int:
    """The lowest wave with a unit that is not completed; the number of waves where all are."""
    return _open(waves(units))


def _open(found: tuple[tuple[Unit, ...], ...]) -> int:
    behind = (at for at, wave in enumerate(found) if any(unit.status != "completed" for unit in wave))
    return next(behind, len(found))


def ready(units: Sequence[Unit]) -> tuple[Unit, ...]:
    """What may begin now: pending units of the open wave, as many as may run beside those that are active."""
    if all(unit.status != "pending" for unit in units):
        return ()
    found = waves(units)
    at = _open(found)
    pending = [unit for unit in found[at] if unit.status == "pending"] if at < len(found) else []
    room = MOST_PARALLEL - sum(unit.status == "active" for unit in units)
    return tuple(pending[: max(room, 0)])


def overlaps(running: Sequence[Unit]) -> list[dict[str, list[str]]]:
    """Those that run beside each other and mean to change the same files: worth a warning before they do."""
    return [
        {"units": [one.id, other.id], "files": shared}
        for at, one in enumerate(running)
        for other in running[at + 1 :]
        if (shared := _shared(one, other))
    ]


def _shared(one: Unit, other: Unit) -> list[str]:
    mine, theirs = {*one.touch, *one.outputs}, {*other.touch, *other.outputs}
    both = {path for path in mine if path in theirs or matches(path, sorted(theirs))}
    return sorted(both | {path for path in theirs if matches(path, sorted(mine))})
