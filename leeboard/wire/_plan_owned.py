"""What belongs to the engine in each kind of plan file, and whether an edit changes any of it.

Compared is what the two texts mean: quotes, order, comments and an unset field that is written out change nothing.
"""

from __future__ import annotations

from typing import Any, Literal

from leeboard.errors import WireError
from leeboard.wire._plan_frontmatter import read_page
from leeboard.wire._plan_splice import same
from leeboard.wire._plan_state import read_state

Kind = Literal["intent", "stage", "unit", "feedback"]

ENGINE_FIELDS: dict[Kind, tuple[str, ...]] = {
    "intent": (
        *("status", "active_stage", "phase", "mode", "stages", "skip_stages", "continuous_from", "follows", "base"),
        *("composite", "composite_state", "sync", "intent_reviewed", "archived", "archived_at", "autopilot"),
        *("created_at", "started_at", "completed_at"),
        *("completion_review_dispatched", "completion_review_dispatched_at", "completion_review_skipped"),
        *("completion_review_entered_at", "intent_completion_review"),
        *("gate_review_session_id", "gate_review_url", "gate_review_context"),
        *("gate_review_next_stage", "gate_review_next_phase", "guards", "guarding"),
    ),
    "stage": (
        *("stage", "status", "phase", "started_at", "completed_at", "gate_entered_at", "gate_outcome", "gate_tries"),
        *("gate_tree", "elaboration_turns", "elaboration_no_decisions", "design_direction_selected", "decision_log"),
        *("external_review_url", "visits", "iterations", "stale_reason", "stale_marked_at", "approved"),
        *("stale_told",),
        *("pre_review_dispatched", "pre_review_dispatched_at", "pre_review_skipped_no_agents"),
        *("pre_review_reviewers_acknowledged", "pre_review_reviewers_acknowledged_at"),
        *("spec_review_dispatched", "quality_review_dispatched", "drift_baseline_established_at"),
        *("gate_review_session_id", "gate_review_url", "gate_review_context"),
        *("gate_review_next_stage", "gate_review_next_phase"),
    ),
    "unit": (
        *("status", "bolt", "hat", "started_at", "hat_started_at", "completed_at", "iterations"),
        *("scope_reject_attempts", "model_original"),
    ),
    "feedback": (
        *("status", "origin", "author", "author_type", "created_at", "iteration", "visit", "source_ref", "closed_by"),
        *("bolt", "hat", "iterations", "integrator_attempts", "triaged_at", "resolution", "replies", "fix_from"),
    ),
}
_UNSET = {"intent": ("active",), "stage": ("pending",), "unit": ("pending",), "feedback": ("pending",)}
"""Statuses that say no more than a missing one."""


def protected(kind: Kind, before: str, after: str) -> tuple[str, ...]:
    """The engine's fields that an edit changes; `before` is empty for a new file.

    A file that is broken by the edit loses every field it had. One that was broken before has none to lose: its repair
    is let through, and the seal tells what was put into it.
    """
    was, now = engine_values(kind, before), engine_values(kind, after)
    if was is None:
        return ()
    changed = [field for field in ENGINE_FIELDS[kind] if not same(was.get(field), (now or {}).get(field))]
    if kind == "intent" and _changes_studio(before, after):
        changed.append("studio")
    return tuple(changed)


def engine_values(kind: Kind, text: str) -> dict[str, Any] | None:
    """The engine's fields that are set; None where the text can not be read."""
    fields = _fields(kind, text)
    if fields is None:
        return None
    values = {field: fields.get(field) for field in ENGINE_FIELDS[kind]}
    return {field: value for field, value in values.items() if not _is_unset(kind, field, value)}


def _fields(kind: Kind, text: str) -> dict[str, Any] | None:
    if not text.strip():
        return {}
    if kind == "stage":
        try:
            return read_state(text)
        except WireError:
            return None
    page = read_page(text)
    return None if page.problem else page.fields


def _is_unset(kind: Kind, field: str, value: Any) -> bool:
    if field == "status":
        return not value or value in _UNSET[kind]
    if field == "mode":
        return not value or value == "continuous"
    return not value


def _changes_studio(before: str, after: str) -> bool:
    """Once a stage has begun its studio is settled."""
    was, now = _fields("intent", before) or {}, _fields("intent", after) or {}
    begun = was.get("active_stage") or was.get("started_at")
    return bool(begun and was.get("studio")) and was.get("studio") != now.get("studio")
