"""Everything a tool or a person may change, in one place: each a pure function to a Step, or to a Refusal."""

from __future__ import annotations

from leeboard.workflow.feedback_moves import (
    Change,
    Finding,
    feedback_move,
    feedback_new,
    feedback_reject,
    feedback_update,
    may_write_feedback,
)
from leeboard.workflow.fix_moves import feedback_advance_hat, feedback_reject_hat
from leeboard.workflow.stage_moves import (
    archive,
    decide,
    external_url,
    record_report,
    revisit,
    select_mode,
    select_stages,
    select_studio,
    withdraw,
)
from leeboard.workflow.unit_moves import (
    advance_hat,
    increment_bolt,
    may_write_unit,
    reject_hat,
    unit_set,
    unit_start,
)

__all__ = [
    "Change",
    "Finding",
    "advance_hat",
    "archive",
    "decide",
    "external_url",
    "feedback_advance_hat",
    "feedback_move",
    "feedback_new",
    "feedback_reject",
    "feedback_reject_hat",
    "feedback_update",
    "increment_bolt",
    "may_write_feedback",
    "may_write_unit",
    "record_report",
    "reject_hat",
    "revisit",
    "select_mode",
    "select_stages",
    "select_studio",
    "unit_set",
    "unit_start",
    "withdraw",
]
