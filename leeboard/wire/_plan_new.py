"""New files of a plan, whole. What they say is read back as it was given."""

from __future__ import annotations

from typing import Any

import msgspec

from leeboard.model.feedback import Feedback
from leeboard.model.plan import Intent
from leeboard.model.studio import GateCommand
from leeboard.model.unit import Pass, Unit
from leeboard.wire._plan_frontmatter import new_page


def new_unit(unit: Unit) -> str:
    """The file of a unit. What its author left empty is not written, what the engine counts on is."""
    author = {
        "title": unit.title,
        "type": unit.type,
        "depends_on": list(unit.depends_on),
        "inputs": list(unit.inputs),
        "outputs": list(unit.outputs),
        "touch": list(unit.touch),
        "quality_gates": [_gate(gate) for gate in unit.quality_gates],
        "closes": list(unit.closes),
        "model": unit.model,
    }
    always = {"title", "depends_on", "inputs", "outputs"}
    written = {key: value for key, value in author.items() if value or key in always}
    return new_page(written | _progress(unit) | {"completed_at": unit.completed_at or None}, unit.body)


def new_intent(intent: Intent) -> str:
    further = {
        "archived": intent.archived,
        "stages": list(intent.stages),
        "skip_stages": list(intent.skip_stages),
        "follows": intent.follows,
        "base": intent.base,
        "quality_gates": [_gate(gate) for gate in intent.quality_gates],
        "intent_reviewed": intent.intent_reviewed,
    }
    fields = {
        "title": intent.title,
        "studio": intent.studio,
        "mode": intent.mode,
        "status": intent.status,
        "active_stage": intent.active_stage,
        "phase": intent.phase,
        **{key: value for key, value in further.items() if value},
        "created_at": intent.created_at or None,
        "started_at": intent.started_at or None,
        "completed_at": intent.completed_at or None,
    }
    return new_page(fields, intent.body)


def new_feedback(item: Feedback) -> str:
    fields = {
        "title": item.title,
        "status": item.status,
        "origin": item.origin,
        "author": item.author,
        "author_type": "human" if item.is_human else "agent",
        "created_at": item.created_at or None,
        "triaged_at": item.triaged_at or None,
        "resolution": item.resolution or None,
        "source_ref": item.source_ref or None,
        "closed_by": item.closed_by or None,
        "bolt": item.bolt,
        "hat": item.hat,
        "iterations": [_worn(worn) for worn in item.passes],
    }
    return new_page(fields, item.body)


def _progress(unit: Unit) -> dict[str, Any]:
    return {
        "status": unit.status,
        "bolt": unit.bolt,
        "hat": unit.hat,
        "started_at": unit.started_at or None,
        "hat_started_at": unit.hat_started_at or None,
        "iterations": [_worn(worn) for worn in unit.passes],
    }


def _worn(worn: Pass) -> dict[str, Any]:
    spared = {"reason", "changed", "work"}
    return {key: value for key, value in msgspec.to_builtins(worn).items() if value or key not in spared}


def _gate(gate: GateCommand) -> dict[str, Any]:
    return {key: value for key, value in msgspec.to_builtins(gate).items() if value}
