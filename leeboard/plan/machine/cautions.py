"""What somebody who judges a plan should know beside it: that it is stale, and which units hold nobody to anything, or
name nothing they bring forth.
"""

from __future__ import annotations

from leeboard.model.plan import StageView
from leeboard.plan.machine.look import named


def cautions(stage: StageView) -> list[str]:
    return [text for text in (stale(stage), without_criteria(stage), without_outputs(stage)) if text]


def stale(stage: StageView) -> str:
    """Which earlier stage changed and why, and whether anything was planned since; empty where it is not stale."""
    reason = stage.state.stale_reason
    if not reason:
        return ""
    if not is_stale(stage):
        return f"Stage {stage.spec.name} was planned again, since {reason.rstrip('.')}."
    return f"Stage {stage.spec.name} is stale: {reason.rstrip('.')}.{_planned_since(stage)}"


def is_stale(stage: StageView) -> bool:
    """Until a plan of it passes again: from then on it is built on what the earlier stage has become."""
    return bool(stage.state.stale_reason) and stage.state.phase in {"", "elaborate"}


def _planned_since(stage: StageView) -> str:
    known = stage.state.approved.units
    if stage.state.phase != "elaborate" or not known:
        return ""
    added = [unit.id for unit in stage.units if unit.id not in known]
    return f" Added since: {named(added)}." if added else " No unit was added since its plan passed."


def without_criteria(stage: StageView) -> str:
    """Units still to be built that pass whatever comes of them."""
    bare = [unit.id for unit in stage.units if unit.status != "completed" and not unit.criteria and not unit.problem]
    if not bare:
        return ""
    return f"No criterion (`- [ ]`) in {named(bare)}: nothing but the files it names shows that it is done."


def without_outputs(stage: StageView) -> str:
    """Units nobody has begun that could not be completed: while one is worked on, the files that are written count."""
    bare = [unit.id for unit in stage.units if unit.status == "pending" and not unit.outputs and not unit.problem]
    if not bare:
        return ""
    return f"No outputs in {named(bare)}: its last hat is done only when `outputs` names what it brought forth."
