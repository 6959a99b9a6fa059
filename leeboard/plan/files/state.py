"""`state.json` of a stage. Keys of other versions are kept, in their order."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from leeboard.errors import WireError
from leeboard.model.plan import Approved, GateOutcome, Iteration, Phase, StageState, StageStatus
from leeboard.plan.files.splice import read_page, same
from leeboard.plan.files.values import Fields

Trigger = Literal["initial", "feedback", "external-changes", "user-revisit"]
_STATUSES: tuple[StageStatus, ...] = ("pending", "active", "completed", "blocked")
_PHASES: tuple[Phase, ...] = ("", "elaborate", "execute", "review", "gate")
_OUTCOMES: tuple[GateOutcome, ...] = ("", "advanced", "blocked")
_TRIGGERS: tuple[Trigger, ...] = ("initial", "feedback", "external-changes", "user-revisit")
_EARLIER_PHASES: dict[str, Phase] = {"decompose": "elaborate", "persist": "gate"}
_EARLIER_STATUSES: dict[str, StageStatus] = {"complete": "completed", "in_progress": "active"}
_READ = frozenset(StageState.__struct_fields__) - {"extra", "problem"}
LONGEST = 1 << 22


def read_state(text: str) -> dict[str, Any]:
    """The object a text holds; raises WireError where it holds none."""
    if len(text) > LONGEST:
        raise WireError(f"longer than {LONGEST >> 20} MB")
    try:
        found = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise WireError(f"not valid JSON ({str(error)[:120]})") from error
    if not isinstance(found, dict):
        raise WireError("not a JSON object")
    return found


def parse_stage_state(text: str, stage: str) -> StageState:
    """Never raises; an empty text is a stage that has not begun."""
    try:
        found = read_state(text) if text.strip() else {}
    except WireError as error:
        return StageState(stage=stage, problem=f"state.json: {error}")
    fields = Fields(found)
    state = StageState(
        stage=stage,
        status=fields.choice("status", _STATUSES, "pending", _EARLIER_STATUSES),
        phase=fields.choice("phase", _PHASES, "", _EARLIER_PHASES),
        started_at=fields.text("started_at"),
        completed_at=fields.text("completed_at"),
        gate_entered_at=fields.text("gate_entered_at"),
        gate_outcome=fields.choice("gate_outcome", _OUTCOMES, "", {}),
        elaboration_turns=fields.count("elaboration_turns"),
        external_review_url=fields.text("external_review_url"),
        visits=fields.count("visits"),
        iterations=tuple(_iteration(Fields(record), at) for at, record in enumerate(fields.records("iterations"), 1)),
        gate_tries=fields.count("gate_tries"),
        gate_tree=fields.text("gate_tree"),
        stale_reason=fields.text("stale_reason"),
        stale_marked_at=fields.text("stale_marked_at"),
        stale_told=fields.count("stale_told"),
        review_tree=fields.text("review_tree"),
        approved=_approved(fields),
        extra={key: value for key, value in found.items() if key not in _READ},
    )
    return msgspec.structs.replace(state, problem=fields.problem and f"state.json: {fields.problem}")


def _approved(fields: Fields) -> Approved:
    try:
        return msgspec.convert(fields.raw("approved") or {}, Approved)
    except msgspec.ValidationError:
        fields.complain("approved must hold digests")
        return Approved()


def _iteration(record: Fields, at: int) -> Iteration:
    return Iteration(
        index=record.count("index") or at,
        started_at=record.text("started_at"),
        completed_at=record.text("completed_at"),
        trigger=record.choice("trigger", _TRIGGERS, "initial", {}),
        result=record.text("result"),
        reason=record.text("reason"),
    )


def with_state(text: str, fields: Mapping[str, Any]) -> str:
    """The state with these keys set; a visit keeps what else is said of it. Raises WireError for no JSON object."""
    found = read_state(text) if text.strip() else {}
    wanted = msgspec.to_builtins(dict(fields))
    found.update({key: _with_further_keys(found.get(key), value) for key, value in wanted.items()})
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def _with_further_keys(old: Any, new: Any) -> Any:
    if not isinstance(old, list) or not isinstance(new, list):
        return new
    known = {record["index"]: record for record in old if _is_visit(record)}
    return [{**known.get(item["index"], {}), **item} if _is_visit(item) else item for item in new]


def _is_visit(item: Any) -> bool:
    return isinstance(item, dict) and isinstance(item.get("index"), int)


# What belongs to the engine in each kind of plan file, and whether an edit changes any of it.
#
# Compared is what the two texts mean: quotes, order, comments and an unset field that is written out change nothing.


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
        *("studio_chosen",),
    ),
    "stage": (
        *("stage", "status", "phase", "started_at", "completed_at", "gate_entered_at", "gate_outcome", "gate_tries"),
        *("gate_tree", "elaboration_turns", "elaboration_no_decisions", "design_direction_selected", "decision_log"),
        *("external_review_url", "visits", "iterations", "stale_reason", "stale_marked_at", "approved"),
        *("stale_told", "review_tree"),
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
        *("resolution_by",),
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
