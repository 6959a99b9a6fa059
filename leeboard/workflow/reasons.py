"""Work that was let through on a reason alone: that nothing had to change. People judge it at the gate.

Each pass keeps whether something had changed by then. A reason stands while nothing has: neither when it was given, nor
when a later hat was done.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import to_builtins

from leeboard.model.feedback import Feedback
from leeboard.model.plan import Plan, StageView
from leeboard.model.unit import Pass

_LET_THROUGH = frozenset({"addressed", "closed"})
GATES_FAIL = "quality gates fail: "
"""How the reason begins where no hat sent it back: the engine ran its quality gates."""
_NO_REASON = "no reason was given"
_MOVED = "moved to "
"""A finding that ended so goes on in another stage."""


def standing(passes: Sequence[Pass]) -> tuple[Pass, ...]:
    """Those whose reason still holds."""
    found: list[Pass] = []
    for done in passes:
        if done.changed:
            found.clear()
        elif done.result == "advance" and done.reason:
            found.append(done)
        elif done.result == "reject":  # what was said before it did not do
            found.clear()
    return tuple(found)


def has_changed(passes: Sequence[Pass], *, seen: bool | None) -> bool:
    """For a pass that is added: what was seen, else what was known before."""
    return seen if seen is not None else bool(passes) and passes[-1].changed


def as_kept(passes: Iterable[Pass]) -> list[dict[str, Any]]:
    """As the files keep them."""
    spared = {"changed", "work"}
    return [{key: value for key, value in to_builtins(each).items() if value or key not in spared} for each in passes]


def sent_back(passes: Sequence[Pass]) -> str:
    """Why the hat before has to go on, in one line; empty where nobody sent it back."""
    last = passes[-1] if passes else None
    return " ".join(last.reason.split()) or _NO_REASON if last is not None and last.result == "reject" else ""


def sender(back: Pass) -> str:
    """Who sent it back: a hat, or its quality gates, which are run when the hat says that it is done."""
    return "quality gates" if by_gates(back) else back.hat


def by_gates(back: Pass) -> bool:
    return back.result == "reject" and back.reason.startswith(GATES_FAIL)


def is_as_sent_back(passes: Sequence[Pass], work: str) -> bool:
    """Whether nothing has changed since a hat found it wanting."""
    last = passes[-1] if passes else None
    return last is not None and last.result == "reject" and bool(last.work) and last.work == work


def unchanged(plan: Plan, stage: StageView) -> list[dict[str, str]]:
    """Units and findings that were called done without a change at the gate of a stage, and why."""
    units = [
        {"unit": unit.id, "hat": done.hat, "reason": done.reason}
        for unit in stage.units
        for done in standing(unit.passes)
    ]
    return units + [
        {"feedback_id": item.id, "stage": item.stage, "title": item.title, "hat": done.hat, "reason": done.reason}
        for item in _let_through(plan, stage)
        for done in standing(item.passes)
        if item.stage == stage.spec.name or done.completed_at >= stage.state.started_at
    ]


def _let_through(plan: Plan, stage: StageView) -> Iterable[Feedback]:
    """Of the stage, and of those before it and the intent, which are fixed while the stage is reviewed."""
    names = [view.spec.name for view in plan.stages]
    reached = plan.stages[: names.index(stage.spec.name) + 1] if stage.spec.name in names else (stage,)
    filed = (*plan.feedback, *(item for view in reached for item in view.feedback))
    return (item for item in filed if item.status in _LET_THROUGH and not item.closed_by.startswith(_MOVED))
