"""Whether a call still belongs to what was handed out: unit, hat and bolt, and no changed file left to be told.

Two agents may hold one clue. The first one's word moves the unit on, and the second one's was never about the hat that
wears it then.
"""

from __future__ import annotations

import msgspec

from leeboard.model.plan import Plan
from leeboard.model.unit import Feedback, Unit
from leeboard.plan.effect import Refusal
from leeboard.plan.machine.drift_gate import obstacle
from leeboard.plan.machine.refusal import feedback_of, refuse


class HeldHat(msgspec.Struct, frozen=True, kw_only=True):
    """What the caller was given; empty: it does not say."""

    hat: str = ""
    bolt: int = 0
    looks: bool = False
    """A person who moves it by hand, and sees how it stands."""


def stale_unit(plan: Plan, unit_id: str, held: HeldHat) -> Refusal | None:
    """What is no unit at work is refused by the move itself."""
    unit = plan.active.unit(unit_id) if plan.active else None
    return _stale(unit, held, "haiku_unit_get") if unit and unit.status == "active" else None


def stale_fix(plan: Plan, stage: str, feedback_id: str, held: HeldHat) -> Refusal | None:
    item = feedback_of(plan, stage, feedback_id)
    return _stale(item, held, "haiku_feedback_read") if isinstance(item, Feedback) and item.status == "fixing" else None


def _stale(item: Unit | Feedback, held: HeldHat, shows: str) -> Refusal | None:
    now = f"{item.id} is with its {item.hat} in bolt {item.bolt}"
    if (held.hat and held.hat != item.hat) or (held.bolt and held.bolt != item.bolt):
        called = f"{held.hat or item.hat} in bolt {held.bolt or item.bolt}"
        why = f"{now}, and this call is of its {called}: somebody has moved it on since."
        return refuse("stale_call", why, hat=item.hat, bolt=item.bolt)
    hat_is_sure = bool(held.hat) or not item.passes
    bolt_is_sure = bool(held.bolt) or item.bolt <= 1
    if held.looks or (hat_is_sure and bolt_is_sure):
        return None
    why = f"{now}, after {len(item.passes)} earlier passes, and the call does not say which one it is about."
    step = f"Call again with hat {item.hat} and bolt {item.bolt} if it is about this one; {shows} shows how it stands."
    return refuse("hat_not_named", why, step, hat=item.hat, bolt=item.bolt)


def unassessed(plan: Plan) -> Refusal | None:
    """Somebody changed files, and until it is said what that means nothing else happens."""
    why = obstacle(plan)
    if not why:
        return None
    step = (
        "Call haiku_run_next: it asks. What you wrote yourself you put on record first, with haiku_record_agent_write."
    )
    return refuse("assessment_open", f"Nothing else happens before that: {why}", step)
