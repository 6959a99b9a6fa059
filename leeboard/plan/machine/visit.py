"""Visits of a stage: how one begins, and how a stage is gone back to.

A revisit is journalled as a finding that asks for it (`stage_revisit`, pending): killed anywhere, the next look sees
the finding and does what is left. Later stages are reset first, the stage itself next, and only then is the finding
being worked on.
"""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from leeboard.model.plan import MOST_BOLTS, MOST_FIX_BOLTS, Iteration, Phase, Plan, StageState, StageView
from leeboard.model.unit import Feedback
from leeboard.plan.effect import Effect, WriteFeedback, WriteIntent, WriteStage, WriteUnit
from leeboard.plan.machine.look import committed

MOST_AGENT_REVISITS = 2
"""How often findings of agents may send a stage back to its beginning; people may as often as they like."""


def begun(state: StageState, visit: Iteration, phase: Phase = "elaborate") -> dict[str, Any]:
    """What `state.json` says when a visit begins: rulings and reports of earlier ones no longer count."""
    earlier = [each if each.completed_at else ended(each, visit) for each in state.iterations]
    return {
        "status": "active",
        "phase": phase,
        "started_at": state.started_at or visit.started_at,
        "completed_at": "",
        "gate_entered_at": "",
        "gate_outcome": "",
        "external_review_url": "",
        "gate_tries": 0,
        "gate_tree": "",
        "visits": visit.index,
        "iterations": [to_builtins(each) for each in (*earlier, visit)],
    }


def ended(visit: Iteration, by: Iteration) -> Iteration:
    return replace(visit, completed_at=by.started_at, result=by.trigger)


def revisit_effects(plan: Plan, target: StageView, items: tuple[Feedback, ...], now: str) -> tuple[Effect, ...]:
    """Everything a revisit for the first of these findings does: each prefix is a state in which the next look does
    the rest.
    """
    name, item = target.spec.name, items[0]
    mark = f"{_mark(item)}{item.title}"
    effects: list[Effect] = []
    if not is_under_way(target, item):
        effects += _stale(plan, name, mark, now)
        trigger: Any = "user-revisit" if item.is_human else "feedback"
        visit = Iteration(index=target.state.visits + 1, started_at=now, trigger=trigger, reason=mark)
        effects.append(WriteStage(stage=name, fields=begun(target.state, visit)))
    effects.append(WriteIntent(fields={"active_stage": name}))
    if item.is_human:
        effects += _lifted(plan, target)
    for each in (*items[1:], item):
        effects.append(WriteFeedback(stage=each.stage, feedback=each.id, fields={"status": "fixing"}))
    effects.append(committed(plan, f"revisit stage {name} for {item.id}"))
    return tuple(effects)


def reopened(plan: Plan) -> tuple[WriteIntent, ...]:
    """What takes a completed intent up again; nothing where it is not completed."""
    fields = {"status": "active", "completed_at": ""}
    return (WriteIntent(fields=fields),) if plan.intent.status == "completed" else ()


def is_under_way(target: StageView, item: Feedback) -> bool:
    """Whether the stage's visit is the one this finding asked for, and still at its beginning."""
    state = target.state
    return state.phase == "elaborate" and bool(state.iterations) and state.iterations[-1].reason.startswith(_mark(item))


def _mark(item: Feedback) -> str:
    return f"{item.stage or 'intent'}/{item.id}: "


def _stale(plan: Plan, target: str, mark: str, now: str) -> list[Effect]:
    """Stages after the target that were begun, the last one first: they wait for their own new visit."""
    names = [view.spec.name for view in plan.stages]
    later = [view for view in plan.stages[names.index(target) + 1 :] if view.state.visits or view.state.phase]
    fields = {
        "status": "pending",
        "phase": "elaborate",
        "completed_at": "",
        "gate_outcome": "",
        "gate_entered_at": "",
        "stale_reason": f"{target} was revisited for {mark}",
        "stale_marked_at": now,
    }
    return [WriteStage(stage=view.spec.name, fields=fields) for view in reversed(later)]


def _lifted(plan: Plan, target: StageView) -> list[Effect]:
    """What a person goes back for gets its tries anew: they have looked at what took too many."""
    effects: list[Effect] = [
        WriteUnit(stage=unit.stage, unit=unit.id, fields={"bolt": 1})
        for unit in target.units
        if unit.status == "active" and unit.bolt >= MOST_BOLTS
    ]
    fields = {"status": "pending", "bolt": 0, "hat": ""}
    spent = (each for each in (*plan.feedback, *target.feedback) if each.is_open and each.bolt > MOST_FIX_BOLTS)
    effects += [WriteFeedback(stage=each.stage, feedback=each.id, fields=fields) for each in spent]
    return effects


def agent_revisits(stage: StageView) -> int:
    """For findings of agents, since a person last sent the stage back."""
    triggers = [visit.trigger for visit in stage.state.iterations]
    last = max((at for at, trigger in enumerate(triggers) if trigger == "user-revisit"), default=-1)
    return triggers[last + 1 :].count("feedback")
