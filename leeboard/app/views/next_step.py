"""What the next tick comes to, for somebody who only looks: nothing is written."""

from __future__ import annotations

from msgspec import convert, to_builtins
from msgspec.structs import replace

from leeboard.model.plan import Plan, StageState
from leeboard.plan.effect import PlanStep, WriteStage
from leeboard.plan.machine.table import advance

_MOST_NOTES = 5
_MOVES = frozenset(("phase", "status"))
"""What a stage does after these is looked at anew, with other facts."""


def next_step(plan: Plan, now: str) -> PlanStep:
    """What it only puts down, about tracked files or how often the user spoke, keeps nothing else up."""
    step = advance(plan, now)
    if step.clue is None and plan.truth is not None:
        plan = replace(plan, truth=None)
        step = advance(plan, now)
    for _ in range(_MOST_NOTES):
        noted = _noted(plan, step)
        if noted is None:
            break
        plan, step = noted, advance(noted, now)
    return step


def _noted(plan: Plan, step: PlanStep) -> Plan | None:
    """The plan with what a step puts down in `state.json`; None where it does anything else, or tells something."""
    written = [effect for effect in step.do if isinstance(effect, WriteStage) and not _MOVES & effect.fields.keys()]
    if step.clue is not None or not written or len(written) != len(step.do):
        return None
    fields = {effect.stage: effect.fields for effect in written}
    stages = tuple(
        replace(view, state=convert({**to_builtins(view.state), **fields[view.spec.name]}, StageState))
        if view.spec.name in fields
        else view
        for view in plan.stages
    )
    return replace(plan, stages=stages)
