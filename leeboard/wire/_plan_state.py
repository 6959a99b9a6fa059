"""`state.json` of a stage. Keys of other versions are kept, in their order."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from leeboard.errors import WireError
from leeboard.model.plan import Approved, GateOutcome, Iteration, Phase, StageState, StageStatus
from leeboard.wire._plan_values import Fields

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
