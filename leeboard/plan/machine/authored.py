"""What people approve of a plan, as digests: what its authors wrote, and what the stage demands.

Boxes that are ticked, hats that move on and stronger models change nothing of it.
"""

from __future__ import annotations

from typing import Any

import msgspec

from leeboard.model.plan import Approved, Plan, StageView
from leeboard.model.studio import StageSpec
from leeboard.model.text import digest, lazy
from leeboard.model.unit import Unit
from leeboard.plan.machine.proof import unchanged

_TICKED = lazy(r"(?m)^([ \t]{0,40}(?:[-*+]|\d{1,4}[.)])[ \t]{1,20})\[[xX]\]")
_SIZE = 16
INTENT = "the title and text of intent.md"
"""As it is told among what changed."""


def approved(plan: Plan, stage: StageView) -> Approved:
    """Digests of what a person approves with a stage, by which a later change to it is noticed."""
    return Approved(
        stage=_digest([_demanded(stage.spec), plan.intent.quality_gates]),
        units={unit.id: unit_digest(unit) for unit in stage.units},
        outputs={unit.id: unit.outputs for unit in stage.units},
        guidance=_digest([stage.spec.body.strip(), sorted(stage.spec.phase_notes.items())]),
        intent=_digest([plan.intent.title, _unticked(plan.intent.body)]),
    )


def unit_digest(unit: Unit) -> str:
    return _digest([*written(unit).values()])


def plan_digest(plan: Plan, stage: StageView) -> str:
    """The digest of all that a person sees of a plan when they decide about it."""
    return _digest(approved(plan, stage))


def work_digest(plan: Plan, stage: StageView) -> str:
    """The digest of what they decide on at a gate: its plan, the work as it stands, and what was let through on
    a reason alone.
    """
    proven = () if plan.git.available else sorted({run.tree for run in stage.gate_runs if not run.unit})
    reasons = unchanged(plan, stage)
    return _digest([approved(plan, stage), stage.tree, *proven, *([reasons] if reasons else [])])


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
    redefined = was.stage != now.stage or was.guidance not in {"", now.guidance}
    others = {f"the definition of stage {stage.spec.name}": redefined, INTENT: was.intent not in {"", now.intent}}
    return (*units, *(name for name, is_changed in others.items() if is_changed))


def written(unit: Unit) -> dict[str, Any]:
    """What the author of a unit wrote, part by part."""
    return {
        "title": unit.title,
        "type": unit.type,
        "depends_on": unit.depends_on,
        "inputs": unit.inputs,
        "touch": unit.touch,
        "quality_gates": unit.quality_gates,
        "closes": unit.closes,
        "criteria": [text for text, _ in unit.criteria],
        "body": _unticked(unit.body),
    }


def _unticked(text: str) -> str:
    return _TICKED.sub(r"\1[ ]", text).strip()


def _demanded(spec: StageSpec) -> list[Any]:
    return [
        *(spec.review, spec.elaboration, spec.hats, spec.fix_hats, spec.reviewers, spec.templates, spec.unit_types),
        *(spec.inputs,),
    ]


def _digest(value: Any) -> str:
    return digest(repr(msgspec.to_builtins(value)), _SIZE)
