"""What people approve of a plan, as digests: what its authors wrote, and what the stage demands.

Boxes that are ticked, hats that move on and stronger models change nothing of it.
"""

from __future__ import annotations

from typing import Any

import msgspec

from leeboard.model.digest import digest
from leeboard.model.pattern import lazy
from leeboard.model.plan import Approved, Plan, StageSpec, StageView, Unit

_TICKED = lazy(r"(?m)^([ \t]{0,40}(?:[-*+]|\d{1,4}[.)])[ \t]{1,20})\[[xX]\]")
_SIZE = 16


def approved(plan: Plan, stage: StageView) -> Approved:
    """The plan of a stage as it is now."""
    return Approved(
        stage=_digest([_demanded(stage.spec), plan.intent.quality_gates]),
        units={unit.id: _digest(_written(unit)) for unit in stage.units},
        outputs={unit.id: unit.outputs for unit in stage.units},
    )


def plan_digest(plan: Plan, stage: StageView) -> str:
    """Of all that a person sees of a plan when they decide about it."""
    return _digest(approved(plan, stage))


def work_digest(plan: Plan, stage: StageView) -> str:
    """Of what they decide about at the gate of a stage: its plan, and the work as it stands."""
    tree = stage.tree or sorted({run.tree for run in stage.gate_runs if not run.unit})
    return _digest([approved(plan, stage), tree])


def changed(plan: Plan, stage: StageView) -> tuple[str, ...]:
    """Units that are not what they were when the plan passed, and the stage itself. A stage that kept nothing: none."""
    was = stage.state.approved
    if not was.stage:
        return ()
    now = approved(plan, stage)
    units = [
        unit
        for unit in sorted({*was.units, *now.units})
        if was.units.get(unit) != now.units.get(unit) or {*was.outputs.get(unit, ())} - {*now.outputs.get(unit, ())}
    ]
    return (*units, *((f"the definition of stage {stage.spec.name}",) if was.stage != now.stage else ()))


def _written(unit: Unit) -> list[Any]:
    body = _TICKED.sub(r"\1[ ]", unit.body).strip()
    return [
        *(unit.title, unit.type, unit.depends_on, unit.inputs, unit.touch, unit.quality_gates, unit.closes),
        *([text for text, _ in unit.criteria], body),
    ]


def _demanded(spec: StageSpec) -> list[Any]:
    return [
        *(spec.review, spec.elaboration, spec.hats, spec.fix_hats, spec.reviewers, spec.templates, spec.unit_types),
        *(spec.inputs,),
    ]


def _digest(value: Any) -> str:
    return digest(repr(msgspec.to_builtins(value)), _SIZE)
